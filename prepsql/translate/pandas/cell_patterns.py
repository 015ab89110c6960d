"""Regular expressions on cells: what re gives, and what a match has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prepsql.sqltext import literal
from prepsql.translate.pandas.forks import refuse
from prepsql.translate.pandas.symbols import Cell, Match, fails_unless, guarded, is_own, thing, value_thing
from prepsql.workflow.pandas_text import matching
from prepsql.workflow.pandas_text.columns import not_na
from prepsql.workflow.pandas_text.groups import presence, uncaptured
from prepsql.workflow.pandas_text.looking import search
from prepsql.workflow.pandas_text.parts import split
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, constant, made, text_of

_LONGEST = 1_000


def _pattern(pattern: Any, flags: Any) -> str:
    if isinstance(pattern, re.Pattern):
        flags = flags | (pattern.flags & ~re.UNICODE)
        pattern = pattern.pattern
    written = pattern if isinstance(pattern, str) else text_of(thing(pattern), "a pattern")
    others = int(flags) & ~int(re.UNICODE)
    if others & ~int(re.IGNORECASE | re.DOTALL | re.MULTILINE):
        raise refuse("re with other flags")
    letters = "".join(
        letter for flag, letter in ((re.I, "i"), (re.M, "m"), (re.S, "s")) if others & int(flag)
    )  # fmt: skip
    return f"(?{letters}){written}" if letters else written


def _leading(written: str) -> tuple[str, str]:
    """Return the flags that a pattern starts with, and the rest."""
    found = re.match(r"\(\?[a-z]+\)", written)
    return (found[0], written[found.end() :]) if found else ("", written)


def matched(prefix: str, suffix: str) -> Callable[..., Any]:
    """Return the rule of re.search, re.match or re.fullmatch."""

    def rule(pattern: Any, text: Any, flags: Any = 0) -> Any:
        flagged, written = _leading(_pattern(pattern, flags))
        cell = _text(text)
        before = prefix.replace("^", r"\A") if "m" in flagged else prefix
        whole = f"{flagged}{before}(?:{written}){suffix}" if prefix or suffix else f"{flagged}{written}"
        found = guarded(matching.contains, cell, constant(whole))
        return Match(found.thing, cell, whole)

    return rule


def _text(value: Any) -> Value:
    cell = value_thing(value)
    if cell.family != "text":
        raise TypeError("expected string or bytes-like object")
    return cell


def sub(pattern: Any, repl: Any, text: Any, count: int = 0, flags: Any = 0) -> Any:
    """re.sub of every place."""
    if is_own(repl) and count == 0:
        from prepsql.translate.pandas.cell_matches import replaced

        return replaced(_text(text), _pattern(pattern, flags), repl)
    if isinstance(count, Cell) or count not in (0, 1) or not isinstance(repl, str):
        raise refuse("re.sub with a count or a function")
    if count == 1:
        return guarded(matching.replace_first, _text(text), constant(_pattern(pattern, flags)), constant(repl))
    return guarded(matching.replace_text, _text(text), constant(_pattern(pattern, flags)), constant(repl),
                   regex=constant(True))  # fmt: skip


def findall(pattern: Any, text: Any, flags: Any = 0) -> Any:
    """re.findall."""
    written = _pattern(pattern, flags)
    if re.compile(written).groups > 1:
        return found_groups(_text(text), written)
    return guarded(matching.find_all, _text(text), constant(_pattern(pattern, flags)))


def found_groups(text: Value, written: str) -> Any:
    """Return the list of what the groups of a pattern matched, '' for one that took no part."""
    from prepsql.translate.pandas.cell_lists import Pieces, fresh

    found = guarded(search, written, every=True)
    if found.matches_empty:
        raise refuse("findall with an empty match")
    fails_unless(not_na(text), TypeError)
    names = [f"g{at}" for at in range(1, len(found.groups) + 1)]
    listed = f"[{', '.join(map(literal, names))}]"
    sql = bind(f"regexp_extract_all(x, p, {listed})", x=found.within(text.sql), p=literal(found.text))
    variable = fresh()
    parts = [found.plain(f"{variable}[{literal(name)}]") for name in names]
    return Pieces(sql, variable, tuple(Cell(Value(part, "text", False)) for part in parts))


def split_by(pattern: Any, text: Any, maxsplit: int = 0, flags: Any = 0) -> Any:
    """re.split."""
    limit = maxsplit if maxsplit else -1
    return guarded(split, _text(text), constant(_pattern(pattern, flags)), constant(limit), regex=constant(True))


def of_match(match: Match, name: str, given: Sequence[Any]) -> Any:
    """Return what a method of a match gives; where there is none, Python fails."""
    fails_unless(match.found, AttributeError)
    count = re.compile(match.pattern).groups
    if name == "groups":
        return tuple(group(match, at) for at in range(1, count + 1))
    if name == "groupdict":
        return {key: group(match, at) for key, at in re.compile(match.pattern).groupindex.items()}
    if name in ("start", "end", "span") and not given:
        return _places(match, name)
    if name != "group":
        raise refuse(f".{name}() of a match")
    if len(given) > 1:
        return tuple(group(match, at) for at in given)
    return group(match, given[0] if given else 0)


def _places(match: Match, name: str) -> Any:
    """Return where a match is: where its text first is, if nothing but that text makes it match."""
    _, written = _leading(match.pattern)
    plain = re.sub(r"\\[^AbBZ]|\[\^?\]?(?:\\.|[^\]])*\]", "", written)
    at_start = plain.startswith("^") and not (re.compile(match.pattern).flags & re.M)
    around = re.search(r"[$^]|\\[AbBZ]|\(\?<?[=!]", plain[1:] if at_start else plain)
    text = value_thing(group(match, 0))
    if around:
        start = _before(match)
    elif at_start:
        start = Value("0", "integer", False, 0)
    else:
        start = made("strpos(x, y) - 1", "integer", match.cell, nullable=False, x=match.cell.sql, y=text.sql)
    size = made("length(x)", "integer", text, nullable=False, x=text.sql)
    end = size if at_start and not around else made("x + y", "integer", size, nullable=False, x=start.sql, y=size.sql)
    return {"start": Cell(start), "end": Cell(end), "span": (Cell(start), Cell(end))}[name]


def _before(match: Match) -> Value:
    """Return where a match is: how much stands before it at least."""
    if len(match.cell.sql) > _LONGEST:
        raise refuse("the place of a match in a text that is itself put together")
    flags, written = _leading(match.pattern)
    pattern = rf"{flags}(?s:\A(.*?))(?:{uncaptured(written)})"
    head = guarded(matching.extract_group, match.cell, constant(pattern), 1).thing
    return made("length(x)", "integer", head, nullable=False, x=head.sql)


def group(match: Match, wanted: Any) -> Any:
    """Return what a group matched; None where it is optional and had no part."""
    if wanted == 0:
        flags, written = _leading(match.pattern)
        found = guarded(matching.extract_group, match.cell, constant(f"{flags}({uncaptured(written)})"), 1)
        return Cell(replace(found.thing, nullable=False))
    compiled = re.compile(match.pattern)
    place = compiled.groupindex[wanted] if isinstance(wanted, str) else wanted
    found = guarded(matching.extract_group, match.cell, constant(match.pattern), place)
    if presence(match.pattern, place) != "always":
        return Cell(replace(found.thing, nullable=True, none=True))
    return Cell(replace(found.thing, nullable=False))


def find_each(pattern: Any, text: Any, flags: Any = 0) -> Any:
    """re.finditer."""
    from prepsql.translate.pandas.cell_matches import matches

    return matches(_text(text), _pattern(pattern, flags))


RULES: Mapping[str, Callable[..., Any]] = {
    "search": matched("", ""), "match": matched("^", ""), "fullmatch": matched("^", r"\Z"), "sub": sub,
    "findall": findall, "split": split_by, "finditer": find_each,
}  # fmt: skip
