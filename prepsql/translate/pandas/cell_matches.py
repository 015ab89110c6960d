"""All the matches of a pattern in a cell: re.finditer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from prepsql.sqltext import literal
from prepsql.translate.pandas.forks import refuse
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import Cell, fails_unless, guarded
from prepsql.workflow.pandas_text.columns import not_na
from prepsql.workflow.pandas_text.groups import parts, presence, uncaptured
from prepsql.workflow.pandas_text.looking import Search, of_words, search
from prepsql.workflow.pandas_text.pattern_parts import parsed
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, made


@dataclass(frozen=True, eq=False)
class Found(Symbolic):
    """One of the matches: the whole of it and its groups, and the names of groups by number."""

    groups: tuple[Any, ...]
    names: Mapping[int, str]

    def __bool__(self) -> bool:
        return True

    def item(self, key: Any) -> Any:
        """Return what a group matched."""
        if isinstance(key, str):
            key = next((number for number, name in self.names.items() if name == key), None)
        if not isinstance(key, int) or not 0 <= key < len(self.groups):
            raise IndexError("no such group")
        return self.groups[key]

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a method of a match."""
        if named or (given and name != "group"):
            raise refuse(f".{name}() of a match with arguments")
        if name == "group":
            return tuple(map(self.item, given)) if len(given) > 1 else self.item(given[0] if given else 0)
        if name == "groups":
            return self.groups[1:]
        if name == "groupdict":
            return {word: self.groups[number] for number, word in self.names.items()}
        raise refuse(f".{name}() of one of several matches")


def replaced(text: Value, written: str, function: Callable[[Any], Any]) -> Cell:
    """Return a text with what a function makes of each match in its place: what is between them, and it, by turns."""
    from prepsql.translate.pandas.cell_lists import mapped

    found = guarded(of_words, written)
    new = mapped(matches(text, written, of_words), lambda match: [function(match)])
    item = new.item_value()
    if item.family != "text" or item.nullable:
        raise refuse("re.sub by a function that may give no text")
    between = bind("regexp_split_to_array(x, p)", x=found.within(text.sql), p=literal(found.text))
    both = bind("list_zip(b, list_append(n, ''))", b=between, n=new.value().sql)
    sql = bind("array_to_string(list_transform(x, lambda p: p[1] || p[2]), '')", x=both)
    return Cell(made("x", "text", text, x=found.plain(sql)))


def matches(text: Value, written: str, looked: Callable[[str], Search] | None = None) -> Any:
    """Return the list of all matches of a pattern."""
    from prepsql.translate.pandas.cell_lists import Pieces, fresh

    fails_unless(not_na(text), TypeError)
    count = sum(part.number > 0 for part in parts(written))
    flags = parts(written)[0].start
    whole = written[flags:] if count else uncaptured(written[flags:])
    found = guarded(looked or partial(search, every=True), f"{written[:flags]}({whole})")
    if found.matches_empty:
        raise refuse("finditer with an empty match")
    names = [f"g{at}" for at in range(count + 1)]
    sql = bind(f"regexp_extract_all(x, p, [{', '.join(map(literal, names))}])", x=found.within(text.sql),
               p=literal(found.text))  # fmt: skip
    variable = fresh()
    groups = tuple(_group(written, at, found.plain(f"{variable}[{literal(name)}]")) for at, name in enumerate(names))
    return Pieces(sql, variable, Found(groups, parsed(written)[2]))


def _group(written: str, number: int, sql: str) -> Cell:
    """Return what a group matched, None where it had no part."""
    value = Value(sql, "text", False)
    kind = "always" if number == 0 else presence(written, number)
    if kind == "always":
        return Cell(value)
    if kind == "unknown":
        raise refuse("a group that may be absent or empty")
    return Cell(replace(made("nullif(x, '')", "text", value, nullable=True, x=sql), none=True))
