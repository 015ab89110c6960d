"""Loops over the groups of a table: one row a group is an aggregate, the groups themselves are rows in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import forks
from prepsql.translate.pandas.groups import Group, GroupTable, Part
from prepsql.translate.pandas.rows import FrameSymbol, GroupsSymbol, IndexLevel, Rows, after, moved, settled
from prepsql.translate.pandas.rules import group_folds
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.rules.carrying import Unread
from prepsql.translate.pandas.rules.grouping import add, grouped_rows
from prepsql.translate.pandas.rules.loops import MISSING, RowListSymbol
from prepsql.translate.pandas.rules.picking import order_keys
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.states import States
from prepsql.translate.pandas.things import is_null
from prepsql.workflow.pandas_text.value import Value


@dataclass(frozen=True, eq=False)
class GroupLoop:
    """What goes over groups: `several` says that a key is a tuple, `listed` that a group is a list."""

    groups: GroupsSymbol
    several: bool
    listed: bool = False

    def element(self, group: Group, keys: Sequence[Value]) -> tuple[Any, Any]:
        """Return the key and the rows of a group."""
        from prepsql.translate.pandas.rules.keyed_fields import unpacked

        found = tuple(unpacked(key) for key in keys)
        if self.groups.picked is None:
            columns = self.groups.frame.columns
        else:
            columns = {label: self.groups.frame.columns[label] for label in self.groups.picked}
        table: Any = GroupTable(Part(group), columns)
        if self.groups.one and self.groups.picked is not None:
            table = table.item(self.groups.picked[0])
            table = table.method("tolist", (), {}) if self.listed else table
        return (found if self.several else found[0]), table

    def by_keys(self, pairs: Any, **named: Any) -> GroupLoop:
        """Return the groups in the order of their keys, of which none is the same."""
        if named or self.groups.sort or self.groups.dropna or self.groups.real is not None:
            raise NotTranslatable("groups in another order than that of their keys")
        if not all(isinstance(one, tuple) and len(one) == 2 for one in pairs):
            raise NotTranslatable("keys of groups in order")
        if any(is_null(part) for key, _ in pairs for part in (key if isinstance(key, tuple) else (key,))):
            raise NotTranslatable("an order of keys that may be null")
        self.groups.frame.rows.assume("no nulls among the keys of the order")
        return replace(self, groups=replace(self.groups, sort=True))


@dataclass(frozen=True, eq=False)
class PiecesSymbol:
    """A list of the groups' own rows, in the groups' order, changed as `table` says."""

    groups: GroupsSymbol
    table: GroupTable
    length: int

    def below(self, ignore_index: bool) -> FrameSymbol:
        """Return the rows of all groups, one below the other."""
        base, found = self.groups.frame, self.table
        keys = [base.rows.define("key", key) for _, key in found.part.group.keys]
        levels = base.index if base.index or ignore_index else (IndexLevel(None, place(base)),)
        order = [replace(key, value=base.rows.define("order", key.value)) for key in found.part.order]
        first = [] if self.groups.sort else [_first(base.rows, keys)]
        tests = [f"{key.sql} IS NOT NULL" for key in keys if key.nullable and self.groups.dropna]
        tests += [base.rows.define("kept", found.part.mask).sql] if found.part.mask is not None else []
        table = settled(FrameSymbol(base.rows, found.columns, levels, base.fresh))
        if tests:
            table = kept(table, Value(" AND ".join(tests), "boolean", False))
        firsts = first or keys
        by = [*order_keys(firsts, [True] * len(firsts)), *(key.of_step() for key in order)]
        table = moved(table, after(table.rows, "sort", {"order_by": by}, wanted="by_group"))
        return FrameSymbol(table.rows, table.columns, () if ignore_index else table.index, ignore_index)


def _first(rows: Rows, keys: Sequence[Value]) -> Value:
    inside = ", ".join(key.sql for key in keys)
    return rows.define("first", Value(f"min({rows.places().sql}) OVER (PARTITION BY {inside})", "integer", False))


def looped(
    hooks: Any, loop: GroupLoop, body: Callable[..., Any], lists: Mapping[int, list[Any]], names: Sequence[str],
    before: Mapping[str, Any], dicts: Mapping[int, Any],
) -> dict[int, Any]:  # fmt: skip
    """Return by identity what the lists and dicts hold that the body of a loop over groups fills."""
    try:
        return _reduced(hooks, loop, body, lists, names, before, dicts)
    except NotTranslatable as first:
        hooks.dicts = {}
        try:
            return _pieces(hooks, loop, body, lists, names)
        except NotTranslatable as second:
            raise NotTranslatable(f"a loop over groups: {first}; {second}") from None


def _reduced(
    hooks: Any, loop: GroupLoop, body: Callable[..., Any], lists: Mapping[int, list[Any]], names: Sequence[str],
    before: Mapping[str, Any], dicts: Mapping[int, Any],
) -> dict[int, Any]:  # fmt: skip
    from prepsql.translate.pandas.rules import keyed, lookups
    from prepsql.translate.pandas.rules.stacking import stacked

    groups = loop.groups
    grouped = grouped_rows(groups)
    groups.plain("a loop over groups")
    group = Group(groups.frame, groups.keys, grouped, dropna=groups.dropna)
    keys = [grouped.columns[name] for name in grouped.params["group_keys"]]
    rows = grouped
    with forks.over(grouped):
        states = hooks.states = States(hooks, grouped, lambda: loop.element(group, keys), body, names, before)
        endings = states.endings()
    if states.known and not groups.sort:
        raise NotTranslatable("a loop over groups that carries state")
    if not groups.sort:
        at = groups.frame.rows.places()
        first = add(grouped, groups.frame.rows, "min", at, "first")
        rows = after(grouped, "sort", {"order_by": [{"expr": first.sql}]}, wanted="in_order")
    frame = FrameSymbol(rows, {at: rows.columns[name] for at, name in enumerate(grouped.params["group_keys"])})
    made: dict[int, Any] = {}
    for number, base in dicts.items():
        found = keyed.bound(rows, base, endings, frame)
        stored = [one for each in endings for owner, one in each.appended if owner == number]
        alone = len(keys) == 1 and all(isinstance(one, keyed.Pair) and one.key.sql == keys[0].sql for one in stored)
        if isinstance(found, lookups.LookupSymbol):
            found = replace(found, ordered=alone)
        made |= {number: found} if found is not None else {}
    for number, one in lists.items():
        ways = [(each.conditions, [value for owner, value in each.appended if owner == number]) for each in endings]
        parts = [
            RowListSymbol(frame, [(test, mine[at] if at < len(mine) else MISSING) for test, mine in ways], len(one))
            for at in range(max(len(mine) for _, mine in ways))
        ]
        if any(isinstance(value, GroupTable | group_folds.GroupListed) for _, mine in ways for value in mine):
            raise NotTranslatable("a list of the rows of groups")
        if parts:
            made[number] = parts[0] if len(parts) == 1 else stacked(parts, len(one))
    return made


def _pieces(
    hooks: Any, loop: GroupLoop, body: Callable[..., Any], lists: Mapping[int, list[Any]], names: Sequence[str],
) -> dict[int, Any]:  # fmt: skip
    groups = loop.groups
    keys = groups.key_columns()
    groups.plain("a loop over groups")
    group = Group(groups.frame, [(None, key) for key in keys], dropna=groups.dropna)
    asked: list[str] = []
    with forks.over(groups.frame.rows):
        endings = forks.explore(lambda: body(loop.element(group, keys), *(Unread(name, asked) for name in names)))
    made: dict[int, Any] = {}
    for number, one in lists.items():
        ways = [[value for owner, value in each.appended if owner == number] for each in endings]
        if not any(ways):
            continue
        if len(ways) > 1 or len(ways[0]) > 1 or not isinstance(ways[0][0], GroupTable | group_folds.GroupListed):
            raise NotTranslatable("a list of some rows of some groups")
        if isinstance(ways[0][0], group_folds.GroupListed):
            made[number] = group_folds.listed(groups, ways[0][0], len(one))
            continue
        made[number] = PiecesSymbol(groups, ways[0][0], len(one))
    return made


def comprehended(hooks: Any, loop: GroupLoop, function: Callable[[Any], list[Any]], result: list[Any]) -> Any:
    """Return what a comprehension over groups gives."""
    things: list[Any] = []

    def body(item: Any) -> tuple[Any, ...]:
        for one in function(item):
            forks.path().appended.append((id(things), one))
        return ()

    found = looped(hooks, loop, body, {id(things): result}, (), {}, {})
    if id(things) not in found:
        raise NotTranslatable("a list of nothing")
    return found[id(things)]
