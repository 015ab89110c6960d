"""What a fragment of reference code does, in words: from pandas or SQL text that may be cut out anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from prepsql.agents.simulators.words import plain_words

_Said = str | Callable[[re.Match[str]], str]

_TEXT = re.compile(r"""[rfb]?("{3}|'{3}|["'])((?:\\.|(?!\1).)*)\1""", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_COMMENT = re.compile(r"(?:(?<=\s)|^)(?:#|--)\s*(?P<said>.+)", re.MULTILINE)
_LETTERS = {
    "%d": "DD", "%m": "MM", "%Y": "YYYY", "%y": "YY", "%b": "Mon", "%B": "month name", "%H": "HH", "%M": "MM",
    "%S": "SS", "%A": "weekday name", "%a": "weekday", "%I": "hh", "%p": "AM/PM", "%j": "day of the year",
}  # fmt: skip
_PLUMBING = frozenset(Path(__file__).with_name("plumbing.txt").read_text(encoding="utf-8").split())

_MOST_SHOWN = 28
_OPTIONS = frozenset(
    {"left", "right", "inner", "outer", "cross", "coerce", "raise", "ignore", "any", "all", "first", "last"}
)


def _day_form(match: re.Match[str]) -> str:
    form = re.sub(r"%-?[A-Za-z]", lambda letter: _LETTERS.get(letter[0].replace("-", ""), letter[0]), match["form"])
    return f"dates are of the form {form}"


def _named(match: re.Match[str]) -> str:
    names = _texts(match["names"])
    return " and ".join(names) if names else ""


def _with_names(before: str, after: str = "") -> Callable[[re.Match[str]], str]:
    return lambda match: " ".join(part for part in (before, _named(match), after) if part) if _named(match) else ""


_LIST = r"(?P<names>\[[^\]]*\]|[\"'][^\"']*[\"'])"
PHRASES: tuple[tuple[str, _Said], ...] = (
    (rf"\bgroupby\(\s*(?:by\s*=\s*)?{_LIST}", _with_names("for each", "")),
    (rf"\b(?:left_)?on\s*=\s*{_LIST}", _with_names("the tables are matched on")),
    (rf"\bright_on\s*=\s*{_LIST}", _with_names("in the other table the key is")),
    (rf"\bsubset\s*=\s*{_LIST}", _with_names("what counts is")),
    (rf"\bsort_values\(\s*(?:by\s*=\s*)?{_LIST}", _with_names("the order is by")),
    (r"how\s*=\s*[\"']left|\bleft\s+(?:outer\s+)?join\b",
     "all rows of the first table stay, also those without a match"),
    (r"how\s*=\s*[\"']inner|\binner\s+join\b", "only rows with a match in both tables stay, others are dropped"),
    (r"how\s*=\s*[\"']outer|\bfull\s+(?:outer\s+)?join\b", "rows of both tables stay, matched or not"),
    (r"how\s*=\s*[\"']cross|\bcross\s+join\b", "every row is paired with every row of the other table"),
    (r"validate\s*=\s*[\"'](?:one_to_one|1:1)", "a key may occur only once on either side"),
    (r"validate\s*=\s*[\"'](?:many_to_one|m:1)", "a key may occur only once in the lookup table"),
    (r"fillna\(\s*0|coalesce\([^()]*,\s*0\s*\)|pd\.isna\([^)]*\)[^:]*:\s*return 0\b", "a missing value counts as 0"),
    (r"fillna\(\s*[\"'](?P<text>[^\"']*)", lambda m: f"a missing value becomes '{m['text']}'"),
    (r"\bffill\b|method\s*=\s*[\"']ffill", "a missing value is carried forward from the row before"),
    (r"\.dropna\(|\.notna\(\)|\bis\s+not\s+null\b", "rows with a missing value are left out"),
    (r"errors\s*=\s*[\"']coerce|\btry_cast\b|\btry_strptime\b", "what can't be converted becomes missing"),
    (r"\bexcept\b[^:]*:\s*continue", "what can't be converted is skipped"),
    (r"\braise\b", "otherwise it is an error"),
    (r"(?:round\(|\.round\()(?:[^(),]*,)?\s*(?P<n>\d+)\s*\)", lambda m: _decimals(int(m["n"]))),
    (r"quantize\(Decimal\([\"']0?\.(?P<n>0*1)", lambda m: f"rounded to {len(m['n'])} decimals"),
    (r"\bround_half_up\b", "a half is rounded up"),
    (r"\.floor\(|\bfloor\(|//", "rounded down to a whole number"),
    (r"\.ceil\(|\bceil(?:ing)?\(", "rounded up to a whole number"),
    (r"astype\(\s*(?:int\b|[\"']int)|\bto_numeric\([^)]*integer|cast\([^()]*as\s+(?:integer|bigint|int)\b|\bint\(",
     "as a whole number (integer)"),
    (r"\.dt\.days\b|\.days\b", "the difference in whole days"),
    (r"method\s*=\s*[\"']dense|\bdense_rank\b",
     "equal values share a rank and the next rank follows without a gap (dense)"),
    (r"method\s*=\s*[\"']min|\brank\(\)", "equal values share the better rank, and the ranks after them are skipped"),
    (r"method\s*=\s*[\"']max", "equal values share the worse (higher) rank"),
    (r"method\s*=\s*[\"']first|\brow_number\b", "ranks are distinct: equal values are numbered one after the other"),
    (r"range\(1,\s*len|cumcount\(\)(?:\.add\(1\)|\s*\+\s*1)|rank\s*=\s*1\b", "numbered one after the other, from 1"),
    (r"keep\s*=\s*[\"']first|\bsetdefault\(", "the first of several is kept"),
    (r"keep\s*=\s*[\"']last", "the last of several is kept"),
    (r"drop_duplicates|\bselect\s+distinct\b", "duplicate rows are removed"),
    (r"\bconcat\(|\bunion\s+all\b|\bunion\s+by\s+name\b", "rows are put one below the other, duplicates stay"),
    (r"\bmelt\(|\bunpivot\b", "the columns are turned into rows"),
    (r"\bpivot(?:_table)?\(", "rows are turned into columns"),
    (r"ascending\s*=\s*false|\bdesc\b", "descending, the largest first"),
    (r"\.cumsum\(\)|\bcum\s*\+=|sum\([^)]*\)\s*over", "a running total"),
    (r"\.sum\(\)|[\"']sum[\"']|\bsum\(", "the sum"),
    (r"\.mean\(\)|[\"']mean[\"']|\bavg\(", "the mean (average)"),
    (r"\bnunique\b|\bcount\(\s*distinct", "the number of distinct values"),
    (r"\.count\(\)|[\"']count[\"']|\bcount\(|\.size\(\)", "the number of rows (count)"),
    (r"\bidxmax\b|\.max\(\)|[\"']max[\"']|\bmax\(", "the largest (latest)"),
    (r"\bidxmin\b|\.min\(\)|[\"']min[\"']|\bmin\(", "the smallest (earliest)"),
    (r"\.shift\(\s*1?\s*\)|\blag\(", "the value of the row before"),
    (r"\.shift\(\s*-1|\blead\(", "the value of the row after"),
    (r"format\s*=\s*[\"'](?P<form>[^\"']*%[^\"']*)", _day_form),
    (r"str[fp]time\([^)]*?[\"'](?P<form>[^\"']*%[^\"']*)", _day_form),
    (r"\.lower\(|\.casefold\(|\bilike\b|\blower\(|case\s*=\s*false|re\.i(?:gnorecase)?\b",
     "upper and lower case are the same"),
    (r"\.strip\(|\btrim\(", "spaces at the ends don't count"),
    (r"\.startswith\(|starts_with\(", "by how the text begins"),
    (r"\.endswith\(|ends_with\(", "by how the text ends"),
    (r"\.str\.contains\(|\blike\b", "by what the text contains"),
    (r"\.split\(\s*(?:pat\s*=\s*)?[\"'](?P<sep>[^\"']+)[\"']", lambda m: f"the text is split at '{m['sep']}'"),
    (r"\.replace\(\s*r?[\"'](?P<old>[^\"']+)[\"']\s*,\s*[\"'](?P<new>[^\"']*)[\"']",
     lambda m: f"'{m['old']}' is replaced by '{m['new']}'" if m["new"] else f"'{m['old']}' is removed"),
    (r">=\s*(?P<n>-?[\d.]+)\b", lambda m: f"at least {m['n']} ({m['n']} included)"),
    (r"<=\s*(?P<n>-?[\d.]+)\b", lambda m: f"at most {m['n']} ({m['n']} included)"),
    (r">\s*(?P<n>-?[\d.]+)\b", lambda m: f"more than {m['n']} ({m['n']} not included)"),
    (r"(?<![<])<\s*(?P<n>-?[\d.]+)\b", lambda m: f"less than {m['n']} ({m['n']} not included)"),
    (r">=\s*[^\d\s=-]|<=\s*[^\d\s=-]|\bbetween\b", "the limits are included"),
    (r"(?<![-=])>\s*[^\d\s=-]|(?<!<)<\s*[^\d\s=>-]", "strictly, equal is not included"),
    (r"unit\s*=\s*[\"']s[\"']", "in seconds"),
    (r"unit\s*=\s*[\"']ms[\"']", "in milliseconds"),
    (r"\bis\s+null\b|\.isna\(\)|pd\.isna|\bnan\b|\bnat\b|pd\.na\b|=\s*none\b", "where it is missing (null)"),
    (r"\bto_datetime\b|\bstrptime\b|as\s+date\b", "read as a date"),
    (r"[\"']\s*\+|\+\s*[\"']|\|\|", "texts are joined together"),
    (r"[\w\]\"]\s*/\s*[\w\[\"]", "divided by"),
    (r"[\w\]\")]\s-\s[\w\[\"(]", "minus (difference)"),
    (r"[\w\]\")]\s\*\s[\w\[\"(]", "multiplied by"),
    (r"[\w\]\")]\s\+\s[\w\[(]", "plus (added together)"),
    (r"==|\.eq\(", "equal to"),
    (r"!=|<>|\.ne\(|~\(?\w", "those that are not"),
)  # fmt: skip
"""Pattern of code → what it says. Later ones don't hide earlier ones; each is said once."""

_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), said) for pattern, said in PHRASES)


@dataclass(frozen=True)
class Fragment:
    """A piece of code as words: what it does, the names it uses as words, and its texts and numbers as they stand."""

    does: tuple[str, ...]
    names: tuple[str, ...]
    values: tuple[str, ...]

    def words(self) -> str:
        """Return everything as one text, for retrieval."""
        return ". ".join((*self.does, *self.names, *self.values))

    def told(self) -> str:
        """Return a sentence or two for a person, '' where nothing is known of the code.

        >>> read_fragment("out = a.merge(b, on='Client', how='left')").told()
        'The tables are matched on Client; all rows of the first table stay, also those without a match.'
        """
        does = "; ".join(self.does[:6])
        shown: list[str] = []
        for value in self.values:
            if (
                value not in _OPTIONS
                and value.lower() not in does.lower()
                and sum(map(len, shown)) + len(value) <= _MOST_SHOWN
            ):
                shown.append(value)
        about = f"It concerns {', '.join(shown)}." if shown else ""
        return " ".join(part for part in (f"{does[:1].upper()}{does[1:]}." if does else "", about) if part)


def read_fragment(code: str) -> Fragment:
    """Return what a fragment of pandas or SQL does, in words; comments in it are not taken over, nor any expression."""
    bare = _COMMENT.sub("", code)
    does: list[str] = []
    for pattern, said in _COMPILED:
        for match in list(pattern.finditer(bare))[:3]:
            text = said if isinstance(said, str) else said(match)
            if text and text not in does:
                does.append(text)
    outside = _TEXT.sub(" ", bare)
    names = (" ".join(plain_words(name)) for name in _NAME.findall(outside) if name.lower() not in _PLUMBING)
    values = [
        text for text in _texts(bare) if "%" not in text and len(text) <= 60 and not re.search(r"[\\^(){}\[\]]", text)
    ]
    comments = [match["said"] for match in _COMMENT.finditer(code)]
    return Fragment(
        tuple(does),
        tuple(dict.fromkeys([*names, *comments])),
        tuple(dict.fromkeys([*values, *_NUMBER.findall(outside)])),
    )


def _texts(code: str) -> list[str]:
    return [match[2].strip() for match in _TEXT.finditer(code) if match[2].strip()]


def _decimals(number: int) -> str:
    return "rounded to a whole number" if number == 0 else f"rounded to {number} decimals"
