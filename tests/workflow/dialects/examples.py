"""An example for every entry of an allow-list, made from its signature, over a table of awkward values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from prepsql.workflow.dialects.signature import Signature, signature

COLUMNS = {
    "k": "INTEGER", "g": "INTEGER", "i": "BIGINT", "j": "INTEGER", "d": "DECIMAL(12,3)", "e": "DECIMAL(9,2)",
    "x": "DOUBLE", "y": "DOUBLE", "t": "VARCHAR", "u": "VARCHAR", "b": "BOOLEAN", "c": "BOOLEAN", "m": "DATE",
    "n": "DATE", "s": "TIMESTAMP", "p": "TIMESTAMP", "ti": "VARCHAR", "tx": "VARCHAR", "tm": "VARCHAR", "ts": "VARCHAR",
}  # fmt: skip

_TEXTS = ["", " ", "a", "A", "ab", "aB", "Äé", "ж", "ÉCOLE", "e\u0301", "a-b-c", "  pad  ", "a\\b", "a'b", 'a"b',
          "a%b_c", "[x]*?", "line\nend", "tab\tx", "12ab34", "2024-01-05", "日本語", "🙂x", "Zoë", "abcabc", "-a-",
          "$1 & \\1"]  # fmt: skip
_DOUBLES = [0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1.115, 2.675, 1.005, -1.005, 0.49999999999999994, 8702.185, 6395.445,
            1e-9, 123456.789, -123456.785, 1e10, 3.0, -7.0, 0.1, 0.285, 99.995, 4.35]  # fmt: skip
_DECIMALS = ["0.000", "0.005", "0.500", "1.500", "2.500", "-0.500", "-1.500", "-2.500", "1.115", "2.675", "-2.675",
             "99.995", "12345.678", "-0.001", "7.000", "10.100"]  # fmt: skip
_DAYS = ["2024-01-31", "2024-02-29", "2023-12-31", "2021-01-01", "2020-12-28", "1999-03-07", "2000-01-01", "1969-12-31",
         "2024-07-15", "1900-02-28", "2031-10-05"]  # fmt: skip
_TIMES = [
    "2024-01-31 00:00:00",
    "2024-02-29 23:59:59",
    "1969-12-31 12:30:01",
    "2021-01-01 06:07:08",
    "1999-12-31 23:00:00",
]


def rows() -> list[tuple[object, ...]]:
    """Return the awkward rows; every column has nulls, and the first row is null but for its keys."""
    made: list[tuple[object, ...]] = [(0, 0, *[None] * (len(COLUMNS) - 2))]
    for k in range(1, 62):

        def pick(values, step, shift=0, k=k):
            at = (k * step + shift) % (len(values) + 1)
            return None if at == len(values) else values[at]

        made.append((
            k, k % 7, pick([0, 1, -1, 7, -7, 40, 100, -3, 12], 1), pick([2, 0, -2, 3, 5, 1, -5], 1), pick(_DECIMALS, 1),
            pick(["0.05", "1.25", "-1.25", "2.50", "100.00", "-0.05"], 1), pick(_DOUBLES, 1), pick(_DOUBLES, 3, 5),
            pick(_TEXTS, 1), pick(_TEXTS, 5, 2), pick([True, False], 1), pick([True, False, True], 1), pick(_DAYS, 1),
            pick(_DAYS, 5, 3), pick(_TIMES, 1), pick(_TIMES, 5, 2), pick(["7", "-12", "0", "007"], 1),
            pick(["1.5", "-0.25", "1e3", "12"], 1), pick(_DAYS, 3), pick(_TIMES, 3),
        ))  # fmt: skip
    return made


_ARGUMENTS = {
    "integer": ["i", "j"], "decimal": ["d", "e"], "double": ["x", "y"], "exact": ["i", "e"],
    "number": ["i", "x", "d", "y"], "text": ["t", "u"], "boolean": ["b", "c"], "date": ["m", "n"],
    "timestamp": ["s", "p"], "moment": ["m", "s", "n", "p"], "plain": ["i", "x", "m", "s", "d"],
    "any": ["i", "t", "b", "m", "x"], "count": ["0", "2", "5"], "positive": ["1", "2", "4"],
    "nonzero": ["4", "-2.5", "nullif(i, 0)"], "share": ["0.25", "0.5", "1"],
    "word": ["'a'", "'é'", "'-'", "'abc'"], "like": ["'a%'", "'_b%'", "'%é'", "'%''%'"],
    "glob": ["'a%'", "'_b%'", "'[x]*?'", "'%*%'", "'%é'"],
    "match": [r"'\d+'", "'^[a-c]+$'", r"'b|\d'", r"'\s'", "'.b'", r"'[^\w]'", r"'^(a|ab)(c|-)'", "'é'", r"'\.|\*'"],
    "fullmatch": ["'[a-c]*'", r"'\w+'", "'a|ab'", "'.*'"],
    "pattern": [r"'\d+'", "'[a-c]+'", "'b'", r"'^(\w)-?(\w)'", r"'(\d+)(\w*)'", "'(a)(b?)(.)'"],
    "replacement": ["''", "'<>'"],
    "format": ["'%Y-%m-%d'", "'%d.%m.%Y'", "'%H:%M:%S'", "'%Y%j'"], "dayformat": ["'%Y-%m-%d'"],
}  # fmt: skip

# what isn't defined for every value, or needs text of a certain form
_SPECIAL = {
    "//(integer, integer)": ["(i // nullif(j, 0))", "(i // 3)"],
    "%(integer, integer)": ["(i % nullif(j, 0))", "(i % 3)"],
    "/(double, number)": ["(x / 4)", "(x / nullif(i, 0))", "(x / 2.5)"],
    "/(number, number)": ["(i / 4)", "(i / nullif(j, 0))", "(d / 3)"],
    "/(number, nonzero)": ["(i / 4)", "(i / nullif(j, 0))", "(x / 2.5)"],
    "**(number, number)": ["(i ** 2)", "pow(abs(x), 0.5)"],
    "sqrt(number)": ["sqrt(abs(x))", "sqrt(abs(i))"],
    "ln(number)": ["ln(abs(x) + 1)"],
    "exp(number)": ["exp(i / 10)"],
    "+(date, integer)": ["(m + j)", "(m + 3)"],
    "+(integer, date)": ["(j + m)"],
    "-(date, integer)": ["(m - j)", "(m - 3)"],
    "make_date(integer, integer, integer)": ["make_date(2000 + abs(i), 3, 7)"],
    "strptime(text, dayformat)": ["strptime(tm, '%Y-%m-%d')", "strptime(replace(tm, '-', ''), ['%Y%m%d'])"],
    "regexp_extract(text, pattern, count)": [
        r"regexp_extract(t, '^(\w)-?(\w)', 2)", r"regexp_extract(t, '(\d+)(\w*)', 1)", "regexp_extract(t, '[a-c]+', 0)",
    ],
}  # fmt: skip
_INFIX = {"+", "-", "*", "/", "//", "%", "**", "||", "=", "<>", "<", ">", "<=", ">=", "IS DISTINCT FROM",
          "IS NOT DISTINCT FROM"}  # fmt: skip
_LIKES = {"~~": "LIKE", "~~*": "ILIKE"}


def examples(key: str, *, decimals: bool) -> list[str]:
    """Return expressions that an entry takes."""
    if key in _SPECIAL:
        return [e for e in _SPECIAL[key] if decimals or "(d " not in e]
    entry = signature(key)
    choices = []
    for place, wanted in enumerate([*entry.arguments, *entry.arguments[-1:] * (entry.more and 2)]):
        options = _ARGUMENTS.get(wanted, [wanted])
        if not decimals and wanted in ("exact", "number", "plain"):
            options = [o for o in options if o not in ("d", "e")]
        shift = place % len(options) if wanted in ("integer", "decimal", "double", "text", "boolean", "date") else 0
        choices.append(options[shift:] + options[:shift])
    return list(dict.fromkeys(_called(entry, arguments) for arguments in _few(choices)))


def is_aggregate(key: str) -> bool:
    """Return whether an entry is an aggregate of rows."""
    from prepsql.workflow.functions import catalogue

    name = signature(key).name
    return (not name.endswith(" over") and catalogue().get(name.split(" ")[0]) == "aggregate") or name == "count_star"


def _few(choices: list[list[str]]) -> Iterator[tuple[str, ...]]:
    """Yield every option at least once, and every pair of the first two arguments."""
    if not choices:
        yield ()
        return
    rest = [options[0] for options in choices[2:]]
    for pair in itertools.product(*choices[:2]):
        yield (*pair, *rest)
    for place in range(2, len(choices)):
        for option in choices[place][1:]:
            yield tuple(option if p == place else options[0] for p, options in enumerate(choices))


def _called(entry: Signature, arguments: tuple[str, ...]) -> str:
    name, _, form = entry.name.partition(" ") if entry.name.split(" ")[-1] in (
        "over", "distinct", "ordered", "days", "weeks", "months", "years", "hours", "minutes", "seconds"
    ) else (entry.name, "", "")  # fmt: skip
    listed = ", ".join(arguments)
    if form == "over":
        inner = "count(*)" if name == "count_star" else f"{name}({listed})"
        return f"{inner} OVER (PARTITION BY g ORDER BY t DESC, k)"
    if form in ("distinct", "ordered"):
        return f"{name}(DISTINCT {listed})" if form == "distinct" else f"{name}({listed} ORDER BY t DESC, k)"
    if form:
        return f"({arguments[0]} {name} to_{form}(CAST({arguments[1]} AS INTEGER)))"
    if name in _LIKES:
        return f"({arguments[0]} {_LIKES[name]} {arguments[1]})"
    if name in _INFIX:
        return f"({name}{arguments[0]})" if len(arguments) == 1 else f"({arguments[0]} {name} {arguments[1]})"
    return "count(*)" if name == "count_star" else f"{name}({listed})"


CASTS = {"integer": "i", "decimal": "d", "double": "x", "boolean": "b", "date": "m", "timestamp": "s"}
_TEXT_CASTS = {"BIGINT": "ti", "INTEGER": "ti", "DOUBLE": "tx", "DECIMAL": "tx", "DATE": "tm", "TIMESTAMP": "ts"}


def cast_examples(source: str, target: str) -> list[str]:
    """Return casts of a family to a type."""
    if source == "literal":
        return [f"CAST('{'2024-1-5' if target == 'DATE' else '2024-01-05 06:07:08'}' AS {target})"]
    cell = _TEXT_CASTS[target] if source == "text" else CASTS[source]
    cell = "nullif(x, 1e10)" if (source, target) == ("double", "INTEGER") else cell
    types = ["DECIMAL(18,2)", "DECIMAL(18,1)"] if target == "DECIMAL" else [target]
    return [f"CAST({cell} AS {kind})" for kind in types]
