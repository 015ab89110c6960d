"""What is done to groups of rows beside the rows, and the rows that are taken of each group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.groups import Group, GroupColumn, GroupRow, GroupTable, Part
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    GroupsSymbol,
    IndexLevel,
    Symbol,
    after,
    moved,
    settled,
)
from prepsql.translate.pandas.rules import resampling
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.rules.applying import part
from prepsql.translate.pandas.rules.grouping import add, counted, grouped_rows, of_groups
from prepsql.translate.pandas.rules.picking import order_keys
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.values import SCOPE, series, thing
from prepsql.workflow.pandas_text import calls, windows
from prepsql.workflow.pandas_text.value import Groups, Value, column, made

_ALL = ("shift", "diff", "cumsum", "cumprod", "cummax", "cummin", "ffill", "bfill", "rank", "pct_change", "transform")


def _filled(keys: Iterable[Value]) -> list[str]:
    """Return the tests that keys aren't null, of those that may be."""
    return [f"{key.sql} IS NOT NULL" for key in keys if key.nullable]


def window(
    hooks: Any, groups: GroupsSymbol, name: str, given: Sequence[Any], named: Mapping[str, Any], result: Any
) -> Symbol | None:
    """Return what a function of groups gives beside the rows, by the rules of pandas text."""
    if groups.calendar is not None and name in ("ffill", "bfill"):
        return resampling.upsampled(name)(hooks, result, groups, *given, **named)
    frame = groups.frame
    if name == "cumcount":
        return series(hooks, frame, result, _window(hooks, groups, name, None, given, named))
    labels = groups.picked
    if labels is None and name in _ALL and isinstance(result, pd.DataFrame):
        labels = list(result.columns)
    if labels is None and name == "transform" and isinstance(result, pd.Series):
        labels = [next(iter(frame.columns))]
    if labels is None:
        raise NotTranslatable(f"groupby.{name}() of all columns")
    if isinstance(result, pd.Series) and len(labels) == 1:
        return series(hooks, frame, result, _window(hooks, groups, name, labels[0], given, named))
    if not isinstance(result, pd.DataFrame) or list(result.columns) != list(labels):
        raise NotTranslatable(f"groupby.{name}() of several columns")
    found = {label: column(_window(hooks, groups, name, label, given, named)) for label in labels}
    found = {label: frame.rows.define(label, value) for label, value in found.items()}
    return FrameSymbol(frame.rows, found, frame.index, frame.fresh)


def _window(
    hooks: Any, groups: GroupsSymbol, name: str, label: Any, given: Sequence[Any], named: Mapping[str, Any]
) -> Value:
    """Return what a function gives beside the rows for one column."""
    frame = groups.frame
    keys = groups.key_columns()
    picked = None if label is None else frame.rows.define(label, frame.column(label))
    function = given[0] if name == "transform" and given else None
    if function is not None and cells.is_own(function):
        assert picked is not None
        group = Group(frame, [(None, key) for key in keys], dropna=groups.dropna)
        endings = cells.traced(function, GroupColumn(Part(group), picked))
        first = endings[0].result
        if isinstance(first, GroupColumn):
            if first.part.mask is not None or first.part.order or first.part.distinct or len(endings) > 1:
                raise NotTranslatable("a transform that gives other rows, or now this, now that")
            return group.whole().keep(column(first.value).exact())
        return group.whole().keep(replace(cells.value_of(endings), cell=False))
    if function is not None and not isinstance(function, str):
        from prepsql.translate.pandas.rules.grouping import name_of

        given = [name_of(function), *given[1:]]
    things = [thing(hooks, one, frame) for one in given]
    options = {key: thing(hooks, one, frame) for key, one in named.items()}
    if name == "pct_change":
        assert picked is not None
        before = windows.shift(windows.Window("", keys, groups.dropna), picked, *things)
        named_before = frame.rows.define("before", before)
        return made("x / y - 1", "float", picked, nullable=True, x=picked.sql, y=named_before.sql)
    found = column(calls.call(SCOPE, Groups(keys, groups.dropna, picked), name, things, options))
    wanted = given[0] if name == "transform" and given else name
    if wanted == "rank":
        found = replace(found, sql=made("x::DOUBLE", "float", found, x=found.sql).sql)
    return found


def some(last: bool) -> Callable[..., Symbol]:
    """Return the rule of head or tail: rows of each group, as they come."""

    def rule(hooks: Any, result: Any, groups: GroupsSymbol, n: int = 5) -> Symbol:
        return _numbered(groups, lambda number, count: f"{count} - {number} < {n}" if last else f"{number} <= {n}")

    return rule


def nth(hooks: Any, result: Any, groups: GroupsSymbol, n: int) -> Symbol:
    """The row of each group at a place."""
    if not isinstance(n, int):
        raise NotTranslatable("groupby.nth of several places")
    return _numbered(
        groups, lambda number, count: f"{number} = {n + 1}" if n >= 0 else f"{count} - {number} = {-n - 1}"
    )


def _numbered(groups: GroupsSymbol, test: Callable[[str, str], str]) -> Symbol:
    frame = groups.frame
    keys = groups.key_columns()
    over = windows.Window("", keys, False)
    sql = test(over.over("row_number()", rows=True), over.over("count(*)"))
    condition = over.keep(Value(sql, "boolean", False))
    tests = _filled(keys) if groups.dropna else []
    place_test = frame.rows.define("kept", condition)
    found = kept(frame, Value(" AND ".join([place_test.sql, *tests]), "boolean", False))
    if groups.picked is not None:
        found = found.with_columns({label: found.columns[label] for label in groups.picked})
    if groups.one:
        return found.only()
    return found


def ngroup(hooks: Any, result: Any, groups: GroupsSymbol, ascending: bool = True) -> Symbol | None:
    """The number of each row's group, in the order of the keys."""
    groups.plain("ngroup")
    turned = "" if ascending else " DESC"
    keys = groups.key_columns()
    if groups.sort:
        by = ", ".join(f"{key.sql}{turned} NULLS LAST" for key in keys)
    else:
        rows = groups.frame.rows
        first = Value(windows.Window("", keys).over(f"min({rows.places().sql})"), "integer", False)
        by = f"{rows.define('first', first).sql}{turned}"
    value = Value(f"dense_rank() OVER (ORDER BY {by}) - 1", "integer", False)
    return series(hooks, groups.frame, result, windows.Window("", keys, groups.dropna).keep(value))


def extreme(greatest: bool) -> Callable[..., Symbol]:
    """Return the rule of idxmax or idxmin: the label of the first row with a group's greatest or least value."""

    def rule(hooks: Any, result: Any, groups: GroupsSymbol) -> Symbol:
        if groups.picked is None or len(groups.picked) != 1:
            raise NotTranslatable("idxmax of several columns")
        frame = groups.frame
        label = groups.picked[0]
        if len(frame.index) > 1:
            raise NotTranslatable("idxmax where the index has several levels")
        labels = frame.index[0].value if frame.index else place(frame)
        labels = frame.rows.define("label", labels)
        grouped = grouped_rows(groups)
        found = add(grouped, frame.rows, "first", labels, f"label_of_{label}")
        grouped.params["aggs"][-1]["order_by"] = order_keys([frame.column(label)], [not greatest])
        made_of = of_groups(groups, grouped, {label: found})
        return made_of.series(label, result.name)

    return rule


def quantile(hooks: Any, result: Any, groups: GroupsSymbol, q: float = 0.5) -> Symbol:
    """A share of each group below."""
    if not isinstance(q, float | int) or groups.picked is None:
        raise NotTranslatable("several quantiles")
    grouped = grouped_rows(groups)
    found = {}
    for label in groups.picked:
        found[label] = add(grouped, groups.frame.rows, "quantile", groups.frame.column(label), f"quantile_{label}")
        grouped.params["aggs"][-1]["q"] = float(q)
    frame = of_groups(groups, grouped, found)
    if isinstance(result, pd.Series):
        return frame.series(groups.picked[0], result.name)
    return frame


def value_counts(hooks: Any, result: Any, groups: GroupsSymbol, normalize: bool = False, sort: bool = True) -> Symbol:
    """How often each value comes up in each group, the most frequent first."""
    if groups.picked is None or len(groups.picked) != 1 or not groups.sort:
        raise NotTranslatable("value_counts of groups")
    groups.plain("value_counts")
    label = groups.picked[0]
    finer = replace(groups, keys=[*groups.keys, (label, groups.frame.column(label))], picked=None, as_index=True)
    frame = settled(counted(finer))
    if sort:
        by = [level.value for level in frame.index[:-1]] + [frame.columns["count"]]
        keys = order_keys(by, [True] * (len(by) - 1) + [False])
        frame = moved(frame, after(frame.rows, "sort", {"order_by": keys}, wanted="counts_in_order"))
    count = frame.columns["count"]
    if normalize:
        total = windows.Window("", tuple(level.value for level in frame.index[:-1])).over(f"sum({count.sql})")
        share = frame.rows.define("proportion", Value(f"{count.sql} / {total}", "float", False))
        frame = frame.with_columns({"count": share})
    return frame.series("count", result.name)


def filtered(hooks: Any, result: Any, groups: GroupsSymbol, func: Any) -> Symbol:
    """The rows of groups for which a function holds."""
    group = Group(groups.frame, [(None, key) for key in groups.key_columns()], dropna=groups.dropna)
    table = GroupTable(Part(group), groups.frame.columns)
    condition = cells.value_of(cells.traced(func, table))
    tests = _filled(key for _, key in group.keys) if groups.dropna else []
    named_condition = groups.frame.rows.define("kept", replace(condition, cell=False))
    return kept(groups.frame, Value(" AND ".join([named_condition.sql, *tests]), "boolean", False))


def apply(
    hooks: Any, result: Any, groups: GroupsSymbol, func: Any, *rest: Any, include_groups: bool = True, **named: Any
) -> Symbol:
    """A function of each group: one row a group where it reduces, else rows."""
    from prepsql.translate.pandas.rules import grouping as _grouping
    from prepsql.translate.pandas.rules.grouping import function_of

    if groups.one and (func is list or func is len) and not rest and not named:
        return _grouping.agg(hooks, result, groups, func)
    func = function_of(func)
    if isinstance(func, str):
        raise NotTranslatable("apply of a function by name")
    try:
        return _reduced(groups, result, func, rest, named, include_groups)
    except NotTranslatable as first:
        try:
            return _rows(groups, result, func, rest, named, include_groups)
        except NotTranslatable as second:
            raise NotTranslatable(f"groupby.apply: {first}; {second}") from None


def _given(groups: GroupsSymbol, group: Group, include: bool) -> Any:
    frame = groups.frame
    if groups.one and groups.picked is not None:
        return GroupColumn(Part(group), frame.column(groups.picked[0]))
    labels = list(groups.picked) if groups.picked is not None else list(frame.columns)
    keys = [label for label, _ in groups.keys]
    return GroupTable(Part(group), {x: frame.columns[x] for x in labels if include or x not in keys})


def _reduced(
    groups: GroupsSymbol, result: Any, func: Any, rest: Any, named: Mapping[str, Any], include: bool
) -> Symbol:
    grouped = grouped_rows(groups)
    group = Group(groups.frame, groups.keys, grouped, dropna=groups.dropna)
    endings = cells.traced(func, _given(groups, group, include), *rest, **named)
    if isinstance(result, pd.Series):
        value = grouped.define("value", cells.value_of(endings))
        frame = of_groups(groups, grouped, {"value": value})
        return frame.series("value", result.name)
    keys = [] if groups.as_index else [label for label, _ in groups.keys]
    labels = [label for label in result.columns if label not in keys]
    if not groups.as_index and len(labels) == 1 and labels[0] is None:
        return of_groups(groups, grouped, {None: grouped.define("value", cells.value_of(endings))})
    found = {
        label: grouped.define(label, cells.value_of(endings, partial(_part, at=at, label=label)))
        for at, label in enumerate(labels)
    }
    made_of = of_groups(groups, grouped, found)
    return made_of.with_columns({label: made_of.columns[label] for label in result.columns})


def _part(found: Any, at: int, label: Any) -> Any:
    return found.item(label) if isinstance(found, GroupRow) else part(found, at, label)


def _rows(groups: GroupsSymbol, result: Any, func: Any, rest: Any, named: Mapping[str, Any], include: bool) -> Symbol:
    groups.plain("apply to groups")
    frame = groups.frame
    group = Group(frame, [(None, key) for key in groups.key_columns()], dropna=groups.dropna)
    endings = cells.traced(func, _given(groups, group, include), *rest, **named)
    found = endings[0].result
    if len(endings) > 1 or not isinstance(found, GroupTable | GroupColumn):
        raise NotTranslatable("a function of a group that gives neither cells nor rows of it")
    columns = found.columns if isinstance(found, GroupTable) else {"value": column(found.value)}
    tests = _filled(key for _, key in group.keys) if groups.dropna else []
    mask = found.part.mask
    tests += [frame.rows.define("kept", mask).sql if mask is not None else ""]
    table = FrameSymbol(frame.rows, columns, frame.index, frame.fresh)
    with_keys = getattr(result.index, "nlevels", 1) > max(1, len(frame.index))
    levels = table.index or ((IndexLevel(None, place(table)),) if with_keys or found.part.order else ())
    levels = (*(IndexLevel(label, value) for label, value in groups.keys), *levels) if with_keys else levels
    table = settled(replace(table, index=levels))
    order = [replace(key, value=frame.rows.define("order", key.value)) for key in found.part.order]
    keys = [frame.rows.define("key", value) for _, value in group.keys]
    if any(tests):
        table = kept(table, Value(" AND ".join(test for test in tests if test), "boolean", False))
    same = not with_keys and result.index.equals(_labels(groups))
    if same and (found.part.order or mask is not None):
        # where no group changes, pandas puts the rows back
        table.rows.note = table.rows.note or "holds for inputs whose groups are in this order already"
    if not same:
        by = [*order_keys(keys, [True] * len(keys)), *(key.of_step() for key in order)]
        rows = after(table.rows, "sort", {"order_by": by}, wanted="by_group")
        table = moved(table, rows)
    if list(table.columns) != list(getattr(result, "columns", ["value"])):
        raise NotTranslatable("a function of a group that gives other columns")
    if isinstance(result, pd.Series):
        return table.series("value", result.name)
    return table


def _labels(groups: GroupsSymbol) -> pd.Index:
    """Return the labels of the rows that are in groups."""
    numbers = groups.real.ngroup()
    labels: pd.Index = groups.real.obj.index[(numbers >= 0).to_numpy(dtype=bool)]
    return labels


METHODS: dict[str, Callable[..., Symbol | None]] = {
    "head": some(False), "tail": some(True), "nth": nth, "ngroup": ngroup, "idxmax": extreme(True),
    "idxmin": extreme(False), "quantile": quantile, "value_counts": value_counts, "filter": filtered, "apply": apply,
}  # fmt: skip
