"""Tables side by side and one below the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.sqltext import free_name
from prepsql.translate.pandas.carried import MIXED, known, tagged
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    IndexLevel,
    Rows,
    SeriesSymbol,
    Symbol,
    after,
    chosen,
    distinct,
    moved,
    of_columns,
    settled,
)
from prepsql.translate.pandas.rules.aligning import aligned, levels, same_index
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text.columns import choose, not_na
from prepsql.workflow.pandas_text.value import Value, common_family, made
from prepsql.workflow.reserved import column_name

_HOW = {"inner": "inner", "left": "left", "right": "right", "outer": "full", "cross": "cross"}


def frame_of(hooks: Any, table: Any) -> FrameSymbol:
    """Return what a table stands for, a column as a table."""
    symbol = hooks.symbol(table)
    if isinstance(symbol, SeriesSymbol):
        return symbol.framed()
    if not isinstance(symbol, FrameSymbol):
        raise NotTranslatable("a table whose origin isn't understood")
    return symbol


def merge(
    hooks: Any, result: Any, left: Any, right: Any, how: str = "inner", on: Any = None, left_on: Any = None,
    right_on: Any = None, left_index: bool = False, right_index: bool = False, sort: bool = False,
    suffixes: Any = ("_x", "_y"), copy: Any = None, indicator: Any = False, validate: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Rows that belong together, side by side, in the left's order; right: the right's; outer: that of the keys."""
    one = left if isinstance(left, FrameSymbol) else frame_of(hooks, left)
    other = frame_of(hooks, right)
    labels = list(one.columns), list(other.columns)
    if left_index:
        one = _unindexed(one, 0)
    if right_index:
        other = _unindexed(other, 1)
    if how not in _HOW:
        raise NotTranslatable(f"merge with how={how!r}")
    left_keys, right_keys = _keys(labels, on, left_on, right_on, left_index, right_index, how)
    if indicator:
        one, other = _marked(one, "left"), _marked(other, "right")
    if how == "right":
        turned = {"one_to_many": "many_to_one", "many_to_one": "one_to_many"}
        turned |= {"1:m": "m:1", "m:1": "1:m"}
        second, first, rows = joined(other, one, right_keys, left_keys, "left", turned.get(str(validate), validate))
        for a, b in zip(left_keys, right_keys, strict=True):
            first[a] = second[b] if a == b else first[a]
    else:
        first, second, rows = joined(one, other, left_keys, right_keys, _HOW[how], validate)
    if how == "outer" or sort:
        first, second, rows = _by_keys(first, second, rows, left_keys, right_keys)
    same = [a for a, b in zip(left_keys, right_keys, strict=True) if a == b]
    columns = side_by_side({x: first[x] for x in labels[0]}, {x: second[x] for x in labels[1]}, same, suffixes)
    if indicator:
        mark = made("CASE WHEN x IS NULL THEN 'right_only' WHEN y IS NULL THEN 'left_only' ELSE 'both' END", "text",
                    nullable=False, x=first[_MARK].sql, y=second[_MARK].sql)  # fmt: skip
        columns["_merge" if indicator is True else indicator] = rows.define("_merge", mark)
    if left_index and right_index:
        key = _either(rows, first[_INDEX, 0], second[_INDEX, 1]) if how in ("outer", "right") else first[_INDEX, 0]
        return FrameSymbol(rows, columns, (IndexLevel(result.index.names[0], key),), False)
    if left_index or right_index:
        columns = {label: columns[label] for label in result.columns}
    return FrameSymbol(rows, columns, (), True)


def side_by_side(
    first: Mapping[Any, Value], second: Mapping[Any, Value], same: list[Any], suffixes: Any
) -> dict[Any, Value]:
    """Return the columns of two tables, the keys that are the `same` once, other labels of both with suffixes."""
    columns: dict[Any, Value] = {}
    for label, value in first.items():
        shared = label in second and label not in same
        columns[f"{label}{suffixes[0] or ''}" if shared else label] = value
    for label, value in second.items():
        if label not in same:
            columns[f"{label}{suffixes[1] or ''}" if label in first else label] = value
    return columns


_INDEX = "index"
_MARK = ("there",)


def _unindexed(frame: FrameSymbol, side: int) -> FrameSymbol:
    """Return the frame with its index as a column that can be a key."""
    if len(frame.index) > 1:
        raise NotTranslatable("merge by an index of several levels")
    return FrameSymbol(frame.rows, {(_INDEX, side): levels(frame)[0], **frame.columns}, (), True)


def _marked(frame: FrameSymbol, side: str) -> FrameSymbol:
    """Return the frame with a column that is true in its rows."""
    mark = frame.rows.define(f"in_{side}", Value("TRUE", "boolean", False))
    return frame.with_columns({**frame.columns, _MARK: mark})


def _either(rows: Rows, x: Value, y: Value) -> Value:
    return rows.define("key", made("coalesce(x, y)", x.family, x, nullable=x.nullable and y.nullable, x=x.sql, y=y.sql))


def _by_keys(
    first: dict[Any, Value], second: dict[Any, Value], rows: Rows, left_keys: list[Any], right_keys: list[Any]
) -> tuple[dict[Any, Value], dict[Any, Value], Rows]:
    """Return the rows of a join in the order of their keys."""
    keys = [first[a] if a == b else _either(rows, first[a], second[b])
            for a, b in zip(left_keys, right_keys, strict=True)]  # fmt: skip
    frame = FrameSymbol(rows, {**{(0, x): value for x, value in first.items()},
                               **{(1, x): value for x, value in second.items()}}, (), True)  # fmt: skip
    frame = settled(frame)
    ordered = moved(frame, after(rows, "sort", {"order_by": [{"expr": key.sql} for key in keys]}, wanted="by_key"))
    sides: tuple[dict[Any, Value], dict[Any, Value]] = {}, {}
    for (side, label), value in ordered.columns.items():
        sides[side][label] = value
    return sides[0], sides[1], ordered.rows


def _keys(
    labels: tuple[list[Any], list[Any]], on: Any, left_on: Any, right_on: Any, left_index: bool, right_index: bool,
    how: str,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    if how == "cross":
        return [], []
    if left_index or right_index:
        left = [(_INDEX, 0)] if left_index else listed(left_on if left_on is not None else on)
        right = [(_INDEX, 1)] if right_index else listed(right_on if right_on is not None else on)
        return left, right
    if on is None and left_on is None:
        shared = [label for label in labels[0] if label in labels[1]]
        return shared, shared
    if on is not None:
        return listed(on), listed(on)
    return listed(left_on), listed(right_on)


def listed(labels: Any) -> list[Any]:
    """Return labels as a list, one label too."""
    return list(labels) if isinstance(labels, list) else [labels]


def joined(
    one: FrameSymbol, other: FrameSymbol, left_keys: list[Any], right_keys: list[Any], how: str, validate: Any = None
) -> tuple[dict[Any, Value], dict[Any, Value], Rows]:
    """Return the values of both frames' labels over the rows of a join, and those rows."""
    one, other = settled(one), distinct(replace(other, index=()))
    _comparable(one, other, left_keys, right_keys)
    outer = how in ("right", "full")
    left_names = {label: one.rows.name(label, value) for label, value in one.columns.items()}
    taken = set(one.rows.columns)
    right_names: dict[Any, str] = {}
    renamed: dict[str, str] = {}
    for label, value in other.columns.items():
        name = other.rows.name(label, value)
        free = free_name(name, taken)
        taken.add(free)
        right_names[label] = free
        renamed[free] = name
    source = other.rows
    if any(free != name for free, name in renamed.items()):
        source = chosen(other.rows, renamed, "to_join")
    taken_right = None if source is not other.rows else list(renamed)
    params: dict[str, Any] = {
        "how": how,
        "left_on": [left_names[key] for key in left_keys] or None,
        "right_on": [right_names[key] for key in right_keys] or None,
        "null_equal": True if left_keys and any(one.column(k).nullable for k in left_keys) else None,
        "select_left": list(one.rows.columns),
        "select_right": taken_right,
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
                left[a] = _either(rows, left[a], right[b])
    return left, right, rows


def _maybe_null(value: Value, may: bool) -> Value:
    return replace(value, nullable=True) if may else value


def _comparable(one: FrameSymbol, other: FrameSymbol, left_keys: list[Any], right_keys: list[Any]) -> None:
    for a, b in zip(left_keys, right_keys, strict=True):
        common_family([known(one.column(a), "a key"), known(other.column(b), "a key")], "a key")


def join(
    hooks: Any, result: Any, left: FrameSymbol, other: Any, on: Any = None, how: str = "left", lsuffix: str = "",
    rsuffix: str = "", sort: bool = False, validate: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Rows by the index of the right table."""
    right = frame_of(hooks, other)
    if on is None and right.rows is left.rows and not (left.index or right.index) and left.fresh == right.fresh:
        clash = set(left.columns) & set(right.columns)
        if not clash:
            return left.with_columns({**left.columns, **right.columns})
    depth = max(1, len(right.index))
    if on is None and how in ("outer", "right") and depth == 1:
        return merge(hooks, result, left, other, how, left_index=True, right_index=True, suffixes=(lsuffix, rsuffix),
                     validate=validate)  # fmt: skip
    keys = listed(on) if on is not None else [(_INDEX, 0, at) for at in range(depth)]
    if how not in ("left", "inner") or sort or len(keys) != depth or (on is None and max(1, len(left.index)) != depth):
        raise NotTranslatable("join by several levels")
    if on is None and [one.name for one in left.index] != [one.name for one in right.index] and depth > 1:
        raise NotTranslatable("join by levels of other names")
    if left.index and on is not None:
        raise NotTranslatable("join on a column of a table with an index")
    one = left if on is not None else _levelled(left, 0)
    first, second, rows = joined(
        one, _levelled(right, 1), keys, [(_INDEX, 1, at) for at in range(depth)], how, validate
    )
    columns = {f"{x}{lsuffix}" if x in right.columns else x: first[x] for x in left.columns}
    columns |= {f"{x}{rsuffix}" if x in left.columns else x: second[x] for x in right.columns}
    if on is None and left.index:
        found = zip(left.index, keys, strict=True)
        return FrameSymbol(rows, columns, tuple(IndexLevel(level.name, first[key]) for level, key in found), False)
    if on is None and (how != "left" or not left.fresh):
        return FrameSymbol(rows, columns, (IndexLevel(None, first[keys[0]]),), False)
    return FrameSymbol(rows, columns, (), left.fresh)


def _levelled(frame: FrameSymbol, side: int) -> FrameSymbol:
    """Return the frame with the levels of its index as columns that can be keys."""
    own = {(_INDEX, side, at): value for at, value in enumerate(levels(frame))}
    return FrameSymbol(frame.rows, {**own, **frame.columns}, (), True)


def update(hooks: Any, result: Any, frame: FrameSymbol, other: Any) -> FrameSymbol:
    """Cells of another table, where they aren't null, instead of those under the same labels."""
    given = frame_of(hooks, other)
    for label in frame.columns:
        if label in given.columns:
            new = frame.rows.short(label, aligned(frame, given.series(label)))
            value = frame.rows.define(label, choose(not_na(new), new, frame.columns[label]))
            frame = frame.with_columns({**frame.columns, label: value})
    return frame


def concat(
    hooks: Any, result: Any, objs: Any, *, axis: Any = 0, ignore_index: bool = False, sort: bool = False,
    join: str = "outer", keys: Any = None, names: Any = None,
) -> Symbol:  # fmt: skip
    """Tables one below the other, or columns side by side."""
    from prepsql.translate.pandas.rules.group_loops import PiecesSymbol

    pieces = hooks.symbol(objs)
    if isinstance(pieces, PiecesSymbol) and len(objs) == pieces.length and keys is None and axis in (0, "index"):
        return pieces.below(ignore_index)
    if isinstance(objs, Mapping):
        keys, objs = list(objs) if keys is None else keys, list(objs.values())
    objs = list(objs)
    if axis in (1, "columns"):
        if join != "outer":
            raise NotTranslatable("tables side by side, of which only shared rows stay")
        return _beside(hooks, result, [frame_of(hooks, table) for table in objs if table is not None])
    tables = [frame_of(hooks, table) for table in objs if not (isinstance(table, pd.DataFrame) and table.empty)]
    if keys is not None:
        return _with_keys(hooks, result, objs, list(keys), ignore_index)
    if join == "inner" and isinstance(result, pd.DataFrame):
        tables = [table.with_columns({x: table.column(x) for x in result.columns}) for table in tables]
    if isinstance(result, pd.Series):
        tables = [FrameSymbol(t.rows, {"value": v}, t.index, t.fresh) for t in tables for v in t.columns.values()]
        frame = below(pd.DataFrame({"value": result}), tables, ignore_index)
        return frame.series("value", result.name)
    return below(result, tables, ignore_index)


def _with_keys(hooks: Any, result: Any, objs: list[Any], keys: list[Any], ignore_index: bool) -> FrameSymbol:
    """Return tables one below the other, the first level of the index saying which a row is of."""
    if not isinstance(result, pd.DataFrame) or ignore_index or any(one.empty for one in objs):
        raise NotTranslatable("concat with keys of this")
    tables = []
    for key, one in zip(keys, objs, strict=True):
        table = frame_of(hooks, one)
        source = constant_thing(key)
        assert isinstance(source, Value)
        level = table.rows.define("source", source)
        own = {("level", at): value for at, value in enumerate(levels(table))}
        tables.append(table.with_columns({("level", -1): level, **own, **table.columns}))
        count = len(own)
    shown = pd.DataFrame(columns=pd.Index([("level", -1), *(("level", at) for at in range(count)), *result.columns],
                                          tupleize_cols=False))  # fmt: skip
    frame = below(shown, tables, False)
    values = list(frame.columns.values())
    found = tuple(IndexLevel(name, value) for name, value in zip(result.index.names, values, strict=False))
    return FrameSymbol(frame.rows, dict(zip(result.columns, values[count + 1 :], strict=True)), found, False)


def _beside(hooks: Any, result: Any, tables: list[FrameSymbol]) -> FrameSymbol:
    """Return tables side by side; the rows are those of the one whose index the result has."""
    if len(set(result.columns)) < result.shape[1]:
        raise NotTranslatable("tables side by side with a label twice")
    base = next((t for t in tables if t.rows is tables[0].rows and same_index(t, tables[0])), tables[0])
    rest = [t for t in tables if t.rows is not base.rows or not same_index(t, base)]
    if rest:
        base = _longest(hooks, result, tables)
    columns = [aligned(base, table.series(label)) for table in tables for label in table.columns]
    found = dict(zip(result.columns, columns, strict=True))
    return FrameSymbol(base.rows, found, base.index, base.fresh)


def _longest(hooks: Any, result: Any, tables: list[FrameSymbol]) -> FrameSymbol:
    """Return the table whose index the result has."""
    for table in tables:
        for thing, symbol in hooks.symbols.values():
            if getattr(symbol, "rows", None) is not table.rows or not isinstance(thing, pd.DataFrame | pd.Series):
                continue
            if thing.index.equals(result.index) and symbol.index == table.index and symbol.fresh == table.fresh:
                note = "holds for inputs in which no other table has labels that this one lacks"
                table.rows.note = table.rows.note or note
                return table
    raise NotTranslatable("tables side by side, none of which has all labels")


def below(result: Any, tables: list[FrameSymbol], ignore_index: bool) -> FrameSymbol:
    """Return tables one below the other, columns by their labels."""
    if len(tables) == 1:
        return replace(tables[0], fresh=ignore_index or tables[0].fresh)
    labels = list(result.columns)
    names = {label: _named(label) for label in labels}
    if len({name.lower() for name in names.values()}) < len(names):
        raise NotTranslatable("labels that differ in case alone")
    tables = [*mixed(tables, labels)]
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


def mixed(tables: list[FrameSymbol], labels: list[Any]) -> list[FrameSymbol]:
    """Return tables with columns that mix texts and numbers as texts that say what they are."""
    for label in labels:
        found = [table.columns[label] for table in tables if label in table.columns]
        families = {value.family for value in found} - {"null"}
        if MIXED.family in families or ("text" in families and families & {"integer", "float"}):
            tables = [
                table.with_columns({**table.columns, label: tagged(table.columns[label])})
                if label in table.columns else table for table in tables
            ]  # fmt: skip
    return tables


def _named(label: Any) -> str:
    return " ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def _under_labels(table: FrameSymbol, names: Mapping[Any, str]) -> Rows:
    """Return the rows of a table with its columns alone, under their labels."""
    table = settled(table)
    have = {names[label]: table.rows.name(label, value) for label, value in table.columns.items()}
    if list(have.items()) == [(name, name) for name in table.rows.columns]:
        return table.rows
    if len(set(have.values())) < len(have):
        raise NotTranslatable("a column under two labels")
    return chosen(table.rows, have, "to_unite")


METHODS: dict[str, Callable[..., Symbol | None]] = {"merge": merge, "join": join, "update": update}
CALLS: dict[str, Callable[..., Symbol | None]] = {"pd.merge": merge, "pd.concat": concat}
