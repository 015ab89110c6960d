"""Tables side by side and one below the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows, SeriesSymbol, Symbol, of_columns, settled
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, common_family, made
from prepsql.workflow.reserved import column_name

_HOW = {"inner": "inner", "left": "left", "right": "right", "outer": "full", "cross": "cross"}


def _frame(hooks: Any, table: Any) -> FrameSymbol:
    symbol = hooks.symbol(table)
    if isinstance(symbol, SeriesSymbol):
        return FrameSymbol(symbol.rows, {symbol.name: symbol.value}, symbol.index, symbol.fresh)
    if not isinstance(symbol, FrameSymbol):
        raise NotTranslatable("a table whose origin isn't understood")
    return symbol


def merge(
    hooks: Any, result: Any, left: Any, right: Any, how: str = "inner", on: Any = None, left_on: Any = None,
    right_on: Any = None, left_index: bool = False, right_index: bool = False, sort: bool = False,
    suffixes: Any = ("_x", "_y"), copy: Any = None, indicator: Any = False, validate: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Rows that belong together, side by side."""
    one = left if isinstance(left, FrameSymbol) else _frame(hooks, left)
    other = _frame(hooks, right)
    if left_index:
        one = _unindexed(one, result)
    if right_index:
        other = _unindexed(other, result)
    if how not in _HOW or sort:
        raise NotTranslatable(f"merge with how={how!r}" if not sort else "merge that sorts")
    left_keys, right_keys = _keys(one, other, on, left_on, right_on, left_index, right_index, how)
    joint = joined(one, other, left_keys, right_keys, _HOW[how], validate)
    columns: dict[Any, Value] = {}
    same = [a for a, b in zip(left_keys, right_keys, strict=True) if a == b]
    for label in one.columns:
        final = label if label in same or label not in other.columns or label in same else f"{label}{suffixes[0] or ''}"
        columns[final] = joint[0][label]
    for label in other.columns:
        if label in same:
            continue
        columns[f"{label}{suffixes[1] or ''}" if label in one.columns else label] = joint[1][label]
    rows = joint[2]
    if indicator:
        columns["_merge" if indicator is True else indicator] = joint[3]
    if left_index or right_index:
        columns = {label: value for label, value in columns.items() if label in result.columns}
    return FrameSymbol(rows, columns, (), True)


def _unindexed(frame: FrameSymbol, result: Any) -> FrameSymbol:
    if len(frame.index) != 1:
        raise NotTranslatable("merge by an index of several levels, or by the rows' numbers")
    return FrameSymbol(frame.rows, {("index", 0): frame.index[0].value, **frame.columns}, (), True)


def _keys(
    one: FrameSymbol, other: FrameSymbol, on: Any, left_on: Any, right_on: Any, left_index: bool, right_index: bool,
    how: str,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    if how == "cross":
        return [], []
    if left_index or right_index:
        left = [("index", 0)] if left_index else _listed(left_on if left_on is not None else on)
        right = [("index", 0)] if right_index else _listed(right_on if right_on is not None else on)
        return left, right
    if on is None and left_on is None:
        shared = [label for label in one.columns if label in other.columns]
        return shared, shared
    if on is not None:
        return _listed(on), _listed(on)
    return _listed(left_on), _listed(right_on)


def _listed(labels: Any) -> list[Any]:
    return list(labels) if isinstance(labels, list) else [labels]


def joined(
    one: FrameSymbol, other: FrameSymbol, left_keys: list[Any], right_keys: list[Any], how: str, validate: Any = None
) -> tuple[dict[Any, Value], dict[Any, Value], Rows, Value]:
    """Return the values of both frames' labels over the rows of a join, those rows, and which side each row is of."""
    one, other = settled(one), settled(other)
    _comparable(one, other, left_keys, right_keys)
    outer = how in ("right", "full")
    marks: list[tuple[FrameSymbol, str]] = []
    left_names = {label: one.rows.name(label, value) for label, value in one.columns.items()}
    taken = {name.lower() for name in one.rows.columns}
    right_names: dict[Any, str] = {}
    renamed: dict[str, str] = {}
    for label, value in other.columns.items():
        name = other.rows.name(label, value)
        free, number = name, 1
        while free.lower() in taken:
            number += 1
            free = f"{name}_{number}"
        if name in renamed.values() or name in right_names.values():
            pass
        taken.add(free.lower())
        right_names[label] = free
        renamed[free] = name
    source = other.rows
    if any(free != name for free, name in renamed.items()):
        params = {"select": list(renamed.values()), "rename": {n: f for f, n in renamed.items() if n != f}}
        if len(set(renamed.values())) < len(renamed):
            raise NotTranslatable("a join with a column under two labels")
        columns = of_columns({free: replace(other.rows.columns[name]) for free, name in renamed.items()})
        source = Rows("project", params, {"in": other.rows}, columns, wanted="to_join")
    chosen = None if source is not other.rows else list(renamed)
    params = {
        "how": how,
        "left_on": [left_names[key] for key in left_keys] or None,
        "right_on": [right_names[key] for key in right_keys] or None,
        "null_equal": True if left_keys and any(one.column(k).nullable for k in left_keys) else None,
        "select_right": chosen,
        "validate": {"one_to_one": "1:1", "one_to_many": "1:m", "many_to_one": "m:1", "many_to_many": "m:m"}.get(
            str(validate), validate
        ),
    }
    columns = {name: _maybe_null(value, outer) for name, value in of_columns(one.rows.columns).items()}
    kept = {free: source.columns[free] for free in right_names.values()}
    columns |= {name: _maybe_null(value, how in ("left", "full")) for name, value in of_columns(kept).items()}
    rows = Rows("join", params, {"left": one.rows, "right": source}, columns, wanted="joined")
    left = {label: rows.columns[name] for label, name in left_names.items()}
    right = {label: rows.columns[name] for label, name in right_names.items()}
    if outer:
        for a, b in zip(left_keys, right_keys, strict=True):
            if a == b:
                left[a] = rows.define(a, made("coalesce(x, y)", left[a].family, left[a], x=left[a].sql, y=right[b].sql))
    del marks
    return left, right, rows, Value("NULL", "null")


def _maybe_null(value: Value, may: bool) -> Value:
    return replace(value, nullable=True) if may else value


def _comparable(one: FrameSymbol, other: FrameSymbol, left_keys: list[Any], right_keys: list[Any]) -> None:
    for a, b in zip(left_keys, right_keys, strict=True):
        common_family([one.column(a), other.column(b)], "a key")


def join(
    hooks: Any, result: Any, left: FrameSymbol, other: Any, on: Any = None, how: str = "left", lsuffix: str = "",
    rsuffix: str = "", sort: bool = False, validate: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Rows by the index of the right table."""
    right = _frame(hooks, other)
    if on is None and right.rows is left.rows and not (left.index or right.index) and left.fresh == right.fresh:
        clash = set(left.columns) & set(right.columns)
        if not clash:
            return left.with_columns({**left.columns, **right.columns})
    if len(right.index) != 1 or (on is None and len(left.index) != 1) or isinstance(on, list):
        raise NotTranslatable("join by rows' numbers or several levels")
    key = on if on is not None else ("index", 0)
    one = left if on is not None else FrameSymbol(left.rows, {key: left.index[0].value, **left.columns}, (), True)
    keyed = FrameSymbol(right.rows, {("index", 1): right.index[0].value, **right.columns}, (), True)
    first, second, rows, _ = joined(one, keyed, [key], [("index", 1)], _HOW[how], validate)
    columns = {f"{x}{lsuffix}" if lsuffix and x in right.columns else x: first[x] for x in left.columns}
    columns |= {f"{x}{rsuffix}" if rsuffix and x in left.columns else x: second[x] for x in right.columns}
    index = () if on is not None else (IndexLevel(left.index[0].name, first[key]),)
    return FrameSymbol(rows, columns, index, False)


def concat(
    hooks: Any, result: Any, objs: Any, *, axis: Any = 0, ignore_index: bool = False, sort: bool = False,
    join: str = "outer", keys: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Tables one below the other, or columns of the same rows side by side."""
    if isinstance(objs, Mapping) or keys is not None or join != "outer":
        raise NotTranslatable("concat with keys")
    tables = [_frame(hooks, table) for table in objs if not (isinstance(table, pd.DataFrame) and table.empty)]
    if axis in (1, "columns"):
        if any(table.rows is not tables[0].rows for table in tables):
            raise NotTranslatable("tables side by side whose rows meet by the index")
        columns = {label: value for table in tables for label, value in table.columns.items()}
        return FrameSymbol(tables[0].rows, columns, tables[0].index, tables[0].fresh)
    if len(tables) == 1:
        return replace(tables[0], fresh=ignore_index or tables[0].fresh)
    labels = list(result.columns)
    names = {label: str(label) for label in labels}
    if len({name.lower() for name in names.values()}) < len(names):
        raise NotTranslatable("labels that differ in case alone")
    items = [_under_labels(table, names) for table in tables]
    columns = {}
    for label in labels:
        found = [item.columns[names[label]] for item in items if names[label] in item.columns]
        family = common_family(found, "columns one below the other")
        missing = len(found) < len(items)
        columns[names[label]] = Value(column_name(names[label]), family, missing or any(v.nullable for v in found))
    params = {"fill_missing": "null" if any(len(item.columns) < len(labels) for item in items) else None}
    rows = Rows("union", params, {"items": items}, columns, wanted="all_rows")
    return FrameSymbol(rows, {label: rows.columns[names[label]] for label in labels}, (), ignore_index)


def _under_labels(table: FrameSymbol, names: Mapping[Any, str]) -> Rows:
    """Return the rows of a table with its columns alone, under their labels."""
    table = settled(table)
    have = {names[label]: table.rows.name(label, value) for label, value in table.columns.items()}
    if list(have.items()) == [(name, name) for name in table.rows.columns]:
        return table.rows
    if len(set(have.values())) < len(have):
        raise NotTranslatable("a column under two labels")
    renamed = {old: new for new, old in have.items() if old != new}
    params: dict[str, Any] = {"select": list(have.values())}
    if renamed:
        params["rename"] = renamed
    columns = of_columns({new: table.rows.columns[old] for new, old in have.items()})
    return Rows("project", params, {"in": table.rows}, columns, wanted="to_unite")


METHODS: dict[str, Callable[..., Symbol | None]] = {"merge": merge, "join": join}
CALLS: dict[str, Callable[..., Symbol | None]] = {"pd.merge": merge, "pd.concat": concat}
_ = bind
