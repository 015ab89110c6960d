"""`.str` methods with regular expressions: several groups as columns; what RE2 can't say as a scalar script."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace as replace_
from functools import partial
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.translate.pandas import cells, forks, scalars
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, SeriesSymbol, Symbol, after, settled
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.values import series
from prepsql.translate.pandas.things import flagged
from prepsql.workflow.pandas_text import matching, strings
from prepsql.workflow.pandas_text.groups import presence
from prepsql.workflow.pandas_text.looking import search
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, constant, made
from prepsql.workflow.reserved import column_name

_LONGEST = 600


def _whole(pat: Any, flags: int, case: Any = None) -> tuple[str, int]:
    """Return the text of a pattern and its flags."""
    if isinstance(pat, re.Pattern):
        return pat.pattern, pat.flags & ~re.UNICODE
    return str(pat), int(flags) | (int(re.IGNORECASE) if case is False else 0)


def _text(symbol: SeriesSymbol) -> Value:
    value = symbol.value.exact()
    if value.family != "text":
        raise NotTranslatable(f".str of {value.family}")
    return value


def _scripted(
    hooks: Any, symbol: SeriesSymbol, result: pd.Series[Any], line: str, source: Any, why: Exception
) -> Value:
    return scalars.of_text(symbol.rows, _text(symbol), line, source, result, str(symbol.name or "found"), str(why))


def extract(
    hooks: Any, result: Any, symbol: SeriesSymbol, pat: Any, flags: int = 0, expand: bool = True
) -> Symbol | None:
    """What the groups of a pattern matched, a column each."""
    text, marks = _whole(pat, flags)
    value = _text(symbol)
    shown = result if isinstance(result, pd.DataFrame) else result.to_frame()
    made: dict[Any, Value] = {}
    for at, label in enumerate(shown.columns):
        wanted = f"{symbol.name or 'found'}_{at + 1}" if isinstance(label, int) else label
        try:
            found = matching.extract_group(value, constant(flagged(text, marks)), at + 1)
        except NotTranslatable as why:
            line = f"m = re.search({text!r}, v{f', {marks}' if marks else ''})\n return m and m.group({at + 1})"
            found = _scripted(hooks, symbol, shown.iloc[:, at], line, None, why)
        made[label] = symbol.rows.short(wanted, found)
    if isinstance(result, pd.Series):
        return series(hooks, symbol, result, next(iter(made.values())))
    return FrameSymbol(symbol.rows, made, symbol.index, symbol.fresh)


def replace(
    hooks: Any, result: Any, symbol: SeriesSymbol, pat: Any, repl: Any = None, n: int = -1, case: Any = None,
    flags: int = 0, regex: bool = False,
) -> Symbol | None:  # fmt: skip
    """Places of a text or pattern replaced."""
    text, marks = _whole(pat, flags, case)
    regex = regex or isinstance(pat, re.Pattern) or callable(repl)
    value = _text(symbol)
    try:
        if not isinstance(repl, str) or n > 0 or (marks and not regex):
            raise NotTranslatable("replace by a function or of the first places")
        whole = flagged(text, marks) if regex else text
        found = matching.replace_text(value, constant(whole), constant(_unnamed(text, repl) if regex else repl),
                                     regex=constant(regex))  # fmt: skip
    except NotTranslatable as why:
        given = _replaced(symbol, value, flagged(text, marks), repl) if cells.is_own(repl) and n < 1 else None
        if given is not None:
            return series(hooks, symbol, result, given)
        source = scalars.Source(hooks.program, hooks.symbol)
        new = source.function(repl) if callable(repl) else repr(repl)
        old = text if regex else re.escape(text)
        line = f"return re.sub({old!r}, {new}, v{f', count={n}' if n > 0 else ''}{f', flags={marks}' if marks else ''})"
        found = _scripted(hooks, symbol, result, line, source, why)
    return series(hooks, symbol, result, found)


def _replaced(symbol: SeriesSymbol, value: Value, pattern: str, function: Any) -> Value | None:
    """Return a text with what a function makes of each match in its place, None where that can't be said."""
    from prepsql.translate.pandas.cell_matches import replaced

    there = replace_(value, nullable=False)
    try:
        with forks.over(symbol.rows):
            found = cells.value_of(forks.explore(partial(replaced, there, pattern, function)))
    except NotTranslatable:
        return None
    return replace_(found, nullable=value.nullable) if len(found.sql) <= _LONGEST else None


def extractall(hooks: Any, result: Any, symbol: SeriesSymbol, pat: Any, flags: int = 0) -> FrameSymbol:
    """What the groups of a pattern matched at each place, a row for each: labels of the row, and its number there."""
    text, marks = _whole(pat, flags)
    pattern = flagged(text, marks)
    value = _text(symbol)
    looked = search(pattern, every=True)
    kinds = [presence(pattern, at) for at in range(1, len(looked.groups) + 1)]
    if looked.matches_empty or "unknown" in kinds:
        raise NotTranslatable("extractall of a group that may be absent or empty")
    names = [f"g{at}" for at in range(1, len(kinds) + 1)]
    listed = bind(f"regexp_extract_all(x, p, [{', '.join(map(literal, names))}])", x=looked.within(value.sql),
                  p=literal(looked.text))  # fmt: skip
    numbered = bind("list_zip(range(len(x)), x)", x=listed)
    frame = symbol.framed("found")
    index = frame.index or (IndexLevel(None, place(frame)),)
    frame = settled(FrameSymbol(frame.rows, {"found": Value(numbered, "list", value.nullable)}, index, False))
    name = frame.rows.name("found", frame.columns["found"])
    there = made("len(x) > 0", "boolean", frame.columns["found"], nullable=False, x=frame.columns["found"].sql)
    frame = kept(frame, there)
    rows = after(frame.rows, "project", {"explode": {"col": name}}, wanted="matches")
    rows.passes = None
    column = rows.columns.pop(name)
    parts = {
        label: made(f"nullif(x[2][{literal(group)}], '')" if kind != "always" else f"x[2][{literal(group)}]", "text",
                    replace_(column, nullable=kind != "always"), x=looked.plain(column_name(name)))
        for label, group, kind in zip(result.columns, names, kinds, strict=True)
    }  # fmt: skip
    if looked.marked:
        raise NotTranslatable("extractall of a pattern with bounds of words inside")
    levels = [IndexLevel(level.name, rows.columns[frame.rows.name(level.name or "index", level.value)])
              for level in frame.index]  # fmt: skip
    number = Value(bind("x[1]", x=column_name(name)), "integer", False)
    made_of = FrameSymbol(rows, parts, (*levels, IndexLevel("match", number)), False)
    rows.columns[name] = replace_(column, family="struct", item=None)
    return settled(made_of)


def _unnamed(pattern: str, repl: str) -> str:
    places = re.compile(pattern).groupindex
    return re.sub(r"\\g<([A-Za-z_]\w*)>", lambda found: f"\\{places[found[1]]}", repl)


def tested(name: str) -> Callable[..., Symbol | None]:
    """Return the rule of contains, match or fullmatch."""
    function = {"contains": "search"}.get(name, name)

    def rule(
        hooks: Any, result: Any, symbol: SeriesSymbol, pat: Any, case: bool = True, flags: int = 0, na: Any = None,
        regex: bool = True,
    ) -> Symbol | None:  # fmt: skip
        text, marks = _whole(pat, flags, case)
        value = _text(symbol)
        text = text if regex or name != "contains" else re.escape(text)
        answer = constant(bool(na)) if na is not None and na == na else None
        found: Any
        try:
            if name == "contains" and not regex and not marks:
                found = matching.contains(value, constant(str(pat)), na=answer, regex=constant(False))
            else:
                found = strings.RULES[name](value, constant(flagged(text, marks)), na=answer)
        except NotTranslatable as why:
            line = f"return re.{function}({text!r}, v{f', {marks}' if marks else ''}) is not None"
            if value.nullable and answer is None:
                raise
            found = _scripted(hooks, symbol, result, line, None, why)
            if answer is not None and value.nullable:
                from prepsql.workflow.pandas_text.columns import fill_na

                found = fill_na(found, answer)
        return series(hooks, symbol, result, found)

    return rule


def count(hooks: Any, result: Any, symbol: SeriesSymbol, pat: Any, flags: int = 0) -> Symbol | None:
    """How often a pattern is in the text."""
    text, marks = _whole(pat, flags)
    try:
        found = matching.count(_text(symbol), constant(flagged(text, marks)))
    except NotTranslatable as why:
        line = f"return len(re.findall({text!r}, v{f', {marks}' if marks else ''}))"
        found = _scripted(hooks, symbol, result, line, None, why)
    return series(hooks, symbol, result, found)


def partition(hooks: Any, result: Any, symbol: SeriesSymbol, sep: str) -> FrameSymbol:
    """What stands before a separator, it, and what stands behind."""
    parts = cells.partitioned(_text(symbol), sep)
    made = {label: symbol.rows.short(f"{symbol.name or 'part'}_{at}", replace_(part, cell=False))
            for at, (label, part) in enumerate(zip(result.columns, parts, strict=True), 1)}  # fmt: skip
    return FrameSymbol(symbol.rows, made, symbol.index, symbol.fresh)


_SAME = {"center", "swapcase", "casefold", "expandtabs", "translate", "zfill", "istitle", "rfind", "index", "rindex"}


def by_python(
    hooks: Any, result: Any, symbol: SeriesSymbol, name: str, given: Any, named: Any, why: Exception
) -> Symbol | None:
    """A method that Python's texts have too, as a scalar script."""
    if name == "normalize":
        line = f"import unicodedata\n return unicodedata.normalize({given[0]!r}, v)"
    elif name in _SAME and all(isinstance(one, str | int) for one in (*given, *named.values())):
        shown = ", ".join([*map(repr, given), *(f"{key}={one!r}" for key, one in named.items())])
        line = f"return v.{name}({shown})"
    else:
        raise why
    return series(hooks, symbol, result, _scripted(hooks, symbol, result, line, None, why))


RULES: dict[str, Callable[..., Symbol | None]] = {
    "extract": extract, "replace": replace, "contains": tested("contains"), "match": tested("match"),
    "fullmatch": tested("fullmatch"), "count": count, "extractall": extractall,
}  # fmt: skip
