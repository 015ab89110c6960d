"""`.str` of a column, and Python's text methods on a cell: name → SQL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.workflow.pandas_text.matching import (
    contains,
    count,
    extract,
    find_all,
    fullmatch,
    match,
    replace_text,
    with_na,
)
from prepsql.workflow.pandas_text.parts import split, split_from_right, split_python
from prepsql.workflow.pandas_text.regex import translate_pattern
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import (
    Family,
    Items,
    Pairs,
    Thing,
    Value,
    column,
    is_null,
    made,
    text_of,
    whole_of,
)

Rule = Callable[..., Thing]

# methods without arguments
TEMPLATES: dict[str, tuple[str, Family]] = {
    "lower": ("lower(x)", "text"),
    "upper": ("upper(x)", "text"),
    "title": ("python_title(x)", "text"),
    "capitalize": ("upper(x[1]) || lower(x[2:])", "text"),
    "len": ("length(x)", "integer"),
    "isalpha": (r"regexp_full_match(x, '\p{L}+')", "boolean"),
    "isalnum": (r"regexp_full_match(x, '[\p{L}\p{N}]+')", "boolean"),
    "isdecimal": (r"regexp_full_match(x, '\p{Nd}+')", "boolean"),
    "isdigit": (r"regexp_full_match(x, '[\p{Nd}²³¹⁰⁴-⁹₀-₉①-⑨]+')", "boolean"),
    "isnumeric": (r"regexp_full_match(x, '\p{N}+')", "boolean"),
    "isspace": ("x <> '' AND strip_space(x) = ''", "boolean"),
    "isupper": ("x = upper(x) AND x <> lower(x)", "boolean"),
    "islower": ("x = lower(x) AND x <> upper(x)", "boolean"),
}


def strip(x: Value, to_strip: object = None) -> Value:
    """Take white space, or the characters given, from both ends."""
    if is_null(to_strip):
        return made("strip_space(x)", "text", x, x=x.sql)
    return made("trim(x, y)", "text", x, x=x.sql, y=literal(text_of(to_strip, "the characters to strip")))


def strip_side(function: str, pattern: str) -> Rule:
    """Return the rule that takes white space, or the characters given, from one end."""

    def rule(x: Value, to_strip: object = None) -> Value:
        if is_null(to_strip):
            spaces = literal(translate_pattern(pattern).text)
            return made("regexp_replace(x, y, '')", "text", x, x=x.sql, y=spaces)
        y = literal(text_of(to_strip, "the characters to strip"))
        return made(f"{function}(x, y)", "text", x, x=x.sql, y=y)

    return rule


def affix(function: str) -> Rule:
    """Return the rule of startswith or endswith."""

    def rule(x: Value, pat: Thing, na: object = None) -> Value:
        options = [column(v) for v in pat.values] if isinstance(pat, Items) else [column(pat)]
        tests = [bind(f"{function}(x, y)", x=x.sql, y=option.sql) for option in options]
        return with_na(made(" OR ".join(tests), "boolean", x), na)

    return rule


def translate(x: Value, table: object) -> Value:
    """Put other characters for characters, or none."""
    if not isinstance(table, Pairs):
        raise NotTranslatable("translate by a table that isn't written out")
    old, new, gone = "", "", ""
    longer: dict[str, str] = {}
    for key, value in table.items:
        mark = chr(key.constant) if isinstance(key.constant, int) else str(key.constant)
        if value.family == "null":
            gone += mark
            continue
        other = chr(value.constant) if isinstance(value.constant, int) else value.constant
        if not isinstance(other, str):
            raise NotTranslatable("translate to what is no text")
        if len(other) != 1:
            longer[mark] = other
            continue
        old, new = old + mark, new + other
    # one after another is at once where nothing that is put is looked for
    if set("".join(longer.values())) & set(longer) or set(new) & set(longer):
        raise NotTranslatable("translate to several characters that are looked for themselves")
    sql = bind("translate(x, y, z)", x=x.sql, y=literal(old + gone), z=literal(new)) if old or gone else x.sql
    if set("".join(longer.values())) & set(old + gone) and longer:
        raise NotTranslatable("translate to several characters that are looked for themselves")
    for mark, other in longer.items():
        sql = bind("replace(x, y, z)", x=sql, y=literal(mark), z=literal(other))
    return made("x", "text", x, x=sql)


def count_python(x: Value, sub: object) -> Value:
    """Return how often a text is in the cell."""
    wanted = text_of(sub, "what count looks for")
    if not wanted:
        raise NotTranslatable("count of the empty text")
    return made("len(string_split(x, y)) - 1", "integer", x, x=x.sql, y=literal(wanted))


def slice_text(x: Value, start: object = None, stop: object = None, step: object = None) -> Value:
    """Return the characters from start up to stop, counted as Python counts."""
    if not is_null(step):
        raise NotTranslatable("a slice with a step")
    first = 0 if is_null(start) else whole_of(start, "start")
    low = "" if first == 0 else str(first + 1 if first > 0 else first)
    if is_null(stop):
        return made(f"x[{low}:]" if low else "x", "text", x, x=x.sql)
    last = whole_of(stop, "stop")
    if last == 0 or (first >= 0 and 0 < last <= first) or (first < 0 and last < 0 and last <= first):
        return made("left(x, 0)", "text", x, x=x.sql)
    high = last if last > 0 else last - 1
    if first < 0 < last:
        raise NotTranslatable("a slice from the end up to a place from the start")
    return made(f"x[{low}:{high}]", "text", x, x=x.sql)


def character(x: Value, i: object) -> Value:
    """Return the character at a place, null where the text is too short."""
    index = whole_of(i, "the place of a character")
    at = index + 1 if index >= 0 else index
    inside = f"x[{at}]" if index >= 0 else f"CASE WHEN length(x) >= {-index} THEN x[{at}] END"
    return made(f"nullif({inside}, '')", "text", x, nullable=True, x=x.sql)


def zfill(x: Value, width: object) -> Value:
    """Fill with zeros on the left, after a sign."""
    return made("python_zfill(x, y)", "text", x, x=x.sql, y=str(whole_of(width, "width")))


def pad(x: Value, width: object, side: object = "left", fillchar: object = " ") -> Value:
    """Fill with a character at one side; longer texts stay as they are."""
    function = {"left": "lpad", "right": "rpad"}.get(text_of(side, "side"))
    if function is None:
        raise NotTranslatable("pad at both sides")
    y, z = str(whole_of(width, "width")), literal(text_of(fillchar, "fillchar"))
    template = f"{function}(x, greatest(length(x), y)::INTEGER, z)"
    return made(template, "text", x, x=x.sql, y=y, z=z)


def center(x: Value, width: object, fillchar: object = " ") -> Value:
    """Fill at both sides; what can't be halved goes to the left where the width is odd."""
    size = whole_of(width, "width")
    rest = f"greatest({size} - length(x), 0)"
    left = f"({rest} + 1) // 2" if size % 2 else f"{rest} // 2"
    template = f"repeat(z, {left}) || x || repeat(z, {rest} - {left})"
    return made(template, "text", x, x=x.sql, z=literal(text_of(fillchar, "fillchar")))


def left_justified(x: Value, width: object, fillchar: object = " ") -> Value:
    """Fill on the right."""
    return pad(x, width, "right", fillchar)


def right_justified(x: Value, width: object, fillchar: object = " ") -> Value:
    """Fill on the left."""
    return pad(x, width, "left", fillchar)


def cat(x: Value, others: Thing, sep: object = "", na_rep: object = None) -> Value:
    """Join with other columns; null where one is null, unless `na_rep` stands for nulls."""
    values = [column(v).exact() for v in others.values] if isinstance(others, Items) else [column(others).exact()]
    joint = "" if is_null(sep) else text_of(sep, "sep")
    pieces = [x, *values]
    if any(piece.family not in ("text", "unknown") for piece in pieces):
        raise NotTranslatable("cat of what isn't text")
    if not is_null(na_rep):
        stand_in = literal(text_of(na_rep, "na_rep"))
        pieces = [replace(p, sql=bind("coalesce(x, y)", x=p.sql, y=stand_in), nullable=False) for p in pieces]
    between = f" || {literal(joint)} || " if joint else " || "
    sql = between.join(bind("x ||", x=p.sql).removesuffix(" ||") for p in pieces)
    return Value(sql, "text", any(p.nullable for p in pieces), cell=x.cell)


def without(function: str, kept: str) -> Rule:
    """Return the rule of removeprefix or removesuffix."""

    def rule(x: Value, affix: object) -> Value:
        wanted = text_of(affix, "what is removed")
        template = f"CASE WHEN {function}(x, y) THEN {kept} ELSE x END"
        return made(template, "text", x, x=x.sql, y=literal(wanted), n=str(len(wanted)))

    return rule


def repeat(x: Value, repeats: object) -> Value:
    """Repeat the text."""
    return made("repeat(x, y)", "text", x, x=x.sql, y=str(whole_of(repeats, "repeats")))


def find(x: Value, sub: object) -> Value:
    """Return where the text first is, -1 where it isn't."""
    return made("strpos(x, y) - 1", "integer", x, x=x.sql, y=literal(text_of(sub, "what find looks for")))


RULES: dict[str, Rule] = {
    "strip": strip,
    "lstrip": strip_side("ltrim", r"\A\s+"),
    "rstrip": strip_side("rtrim", r"\s+\Z"),
    "contains": contains,
    "match": match,
    "fullmatch": fullmatch,
    "startswith": affix("starts_with"),
    "endswith": affix("ends_with"),
    "replace": replace_text,
    "extract": extract,
    "findall": find_all,
    "count": count,
    "slice": slice_text,
    "get": character,
    "zfill": zfill,
    "translate": translate,
    "pad": pad,
    "center": center,
    "ljust": left_justified,
    "rjust": right_justified,
    "cat": cat,
    "removeprefix": without("starts_with", "x[n + 1:]"),
    "removesuffix": without("ends_with", "left(x, length(x) - n)"),
    "repeat": repeat,
    "find": find,
    "split": split,
    "rsplit": split_from_right,
}

# what the same name means on a Python text, where it differs
_ONLY_PANDAS = ("contains", "match", "fullmatch", "extract", "findall", "slice", "get", "pad", "cat", "repeat", "len")
PYTHON_RULES: dict[str, Rule] = {
    **{name: rule for name, rule in RULES.items() if name not in _ONLY_PANDAS},
    "count": count_python,
    "translate": translate,
    "split": split_python,
}
PYTHON_TEMPLATES = {name: rule for name, rule in TEMPLATES.items() if name not in _ONLY_PANDAS}
