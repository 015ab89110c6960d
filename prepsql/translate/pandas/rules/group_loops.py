"""Loops over groups: `for key, part in frame.groupby(…)`."""

from __future__ import annotations

from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.groups import Group, GroupColumn, GroupTable, Part
from prepsql.translate.pandas.rows import FrameSymbol, GroupsSymbol
from prepsql.translate.pandas.rules.grouping import grouped_rows
from prepsql.translate.pandas.rules.loops import LoopSymbol


def loop(groups: GroupsSymbol) -> LoopSymbol:
    """Return the groups as a loop over one row a group, whose elements are the key and the group's rows."""
    if not groups.sort:
        raise NotTranslatable("a loop over groups in the order in which they come up")
    groups.plain("a loop over groups")
    grouped = grouped_rows(groups)
    group = Group(groups.frame, groups.keys, grouped, dropna=groups.dropna)
    names = grouped.params["group_keys"]
    keys = [cells.Cell(grouped.columns[name]) for name in names]
    several = len(keys) > 1 or isinstance(getattr(groups.real, "keys", None), list)

    def element() -> Any:
        return (tuple(keys) if several else keys[0]), _part(groups, group)

    return LoopSymbol(FrameSymbol(grouped, {name: grouped.columns[name] for name in names}), element)


def _part(groups: GroupsSymbol, group: Group) -> GroupColumn | GroupTable:
    frame = groups.frame
    if groups.one and groups.picked is not None:
        return GroupColumn(Part(group), frame.column(groups.picked[0]))
    labels = list(groups.picked) if groups.picked is not None else list(frame.columns)
    return GroupTable(Part(group), {label: frame.column(label) for label in labels})
