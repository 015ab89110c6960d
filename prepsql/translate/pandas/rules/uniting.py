"""Tables one below the other, and columns side by side: pd.concat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.carried import MIXED, tagged
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows, Symbol, chosen, settled
from prepsql.translate.pandas.rules.aligning import aligned, levels, same_index
from prepsql.translate.pandas.rules.joining import frame_of
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text.value import Value, common_family, constant
from prepsql.workflow.reserved import column_name


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
        sides = [frame_of(hooks, table) for table in objs if table is not None]
        if join != "outer":
            from prepsql.translate.pandas.rules import beside

            return beside.inner(result, sides)
        return _beside(hooks, result, sides)
    tables = [frame_of(hooks, table) for table in objs if not _is_nothing(hooks, table)]
    if keys is not None:
        return _with_keys(hooks, result, objs, list(keys), ignore_index)
    if join == "inner" and isinstance(result, pd.DataFrame):
        tables = [table.with_columns({x: table.column(x) for x in result.columns}) for table in tables]
    if isinstance(result, pd.Series):
        tables = [FrameSymbol(t.rows, {"value": v}, t.index, t.fresh) for t in tables for v in t.columns.values()]
        frame = below(pd.DataFrame({"value": result}), tables, ignore_index)
        return frame.series("value", result.name)
    return below(result, tables, ignore_index)


def _is_nothing(hooks: Any, table: Any) -> bool:
    """Return whether a table has no rows and comes of none."""
    return isinstance(table, pd.DataFrame) and table.empty and hooks.symbol(table) is None


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
        longest = _longest(hooks, result, tables)
        if longest is None:
            from prepsql.translate.pandas.rules import beside

            return beside.outer(result, tables)
        base = longest
    columns = [aligned(base, table.series(label)) for table in tables for label in table.columns]
    found = dict(zip(result.columns, columns, strict=True))
    return FrameSymbol(base.rows, found, base.index, base.fresh)


def _longest(hooks: Any, result: Any, tables: list[FrameSymbol]) -> FrameSymbol | None:
    """Return the table whose index the result has."""
    for table in tables:
        for thing, symbol in hooks.symbols.values():
            if getattr(symbol, "rows", None) is not table.rows or not isinstance(thing, pd.DataFrame | pd.Series):
                continue
            if thing.index.equals(result.index) and symbol.index == table.index and symbol.fresh == table.fresh:
                note = "holds for inputs in which no other table has labels that this one lacks"
                table.rows.note = table.rows.note or note
                return table
    return None


def below(result: Any, tables: list[FrameSymbol], ignore_index: bool) -> FrameSymbol:
    """Return tables one below the other, columns by their labels."""
    labels = list(result.columns)
    if len(tables) == 1:
        [table] = tables
        none = constant(None)
        own = {x: table.columns[x] if x in table.columns else table.rows.define(x, none) for x in labels}
        return FrameSymbol(table.rows, own, () if ignore_index else table.index, ignore_index or table.fresh)
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
        have, taken = {}, set()
        for label, value in table.columns.items():
            if table.rows.name(label, value) in taken:
                value = table.rows.copied(table.rows.name_for(names[label]), value)
            name = have[names[label]] = table.rows.name(label, value)
            taken.add(name)
    return chosen(table.rows, have, "to_unite")


CALLS: dict[str, Callable[..., Symbol | None]] = {"pd.concat": concat}
