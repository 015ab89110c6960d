"""Columns of two tables meet by the index."""

from __future__ import annotations

from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import Beside, FrameSymbol, Rows, SeriesSymbol, numbered_by
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

Aligned = FrameSymbol | SeriesSymbol


def aligned(base: Aligned, other: SeriesSymbol) -> Value:
    """Return a series beside the rows of another thing, null where its index has no such label.

    The same rows go cell by cell; rows that come of others by filters, sorts and the like take the columns of those
    along; else the index is a key, or where it has no level the place of a row is.
    """
    if other.rows is base.rows and same_index(base, other):
        return other.value
    wanted = "value" if other.name is None else other.name
    if base.index or other.index:
        if max(1, len(base.index)) != max(1, len(other.index)):
            raise NotTranslatable("columns whose indexes have different levels")
        if len(base.index) == len(other.index) and _levels_pass(base, other):
            found = pulled(wanted, other.value, other.rows, base.rows)
            if found is not None:
                return found
        return base.rows.looked_up(wanted, levels(base), other.rows, levels(other), other.value)
    mine, theirs = numbered_by(base), numbered_by(other)
    if mine is None or theirs is None:
        raise NotTranslatable("columns of two tables side by side, whose rows' numbers aren't known")
    if mine is theirs:
        found = pulled(wanted, other.value, other.rows, base.rows)
        if found is not None:
            return found
    return base.rows.looked_up(wanted, [place(base)], other.rows, [place(other)], other.value)


def levels(symbol: Aligned) -> list[Value]:
    """Return the values of the index."""
    return [level.value for level in symbol.index] or [place(symbol)]


def positional(base: Aligned, other: SeriesSymbol) -> Value:
    """Return the values of an array beside the rows of another thing: the first beside the first."""
    if other.rows is base.rows:
        return other.value
    wanted = "value" if other.name is None else other.name
    return base.rows.looked_up(wanted, [base.rows.places()], other.rows, [other.rows.places()], other.value)


def same_index(one: Aligned, other: Aligned) -> bool:
    """Return whether two things over the same rows have one index."""
    if one.index or other.index:
        return [level.value.sql for level in one.index] == [level.value.sql for level in other.index]
    return one.fresh == other.fresh or numbered_by(one) is numbered_by(other)


def _levels_pass(base: Aligned, other: SeriesSymbol) -> bool:
    """Return whether the levels are the same columns, further down."""
    pairs = zip(base.index, other.index, strict=True)
    names = [(base.rows.named(mine.value), other.rows.named(theirs.value)) for mine, theirs in pairs]
    return all(mine is not None and mine == theirs and mine not in base.rows.computed for mine, theirs in names)


def place(symbol: Aligned) -> Value:
    """Return the label of each row where the index has no level: the place, from 0, that it had once."""
    numbers = numbered_by(symbol)
    if numbers is None:
        raise NotTranslatable("the numbers of rows that aren't known")
    found = pulled("place", numbers.places(), numbers, symbol.rows)
    if found is None:
        raise NotTranslatable("the numbers of rows that were joined or grouped since")
    return found


def pulled(wanted: object, value: Value, source: Rows, target: Rows) -> Value | None:
    """Return a column of rows as later rows have it that keep their columns, None where they come of others."""
    chain: list[Rows] = []
    rows: Rows | None = target
    while rows is not None and rows is not source:
        chain.append(rows)
        rows = rows.passes
    if rows is None:
        return None
    name = source.name(wanted, value)
    if any(_owns(one, name) for one in chain):
        copy = source.copied(name, source.columns[name], [column for rows in chain for column in rows.columns])
        name = source.name(wanted, copy)
    if chain and not _reaches(chain[-1], source, name):
        return None
    found = source.columns[name]
    for one in reversed(chain):
        one.columns.setdefault(name, Value(column_name(name), found.family, found.nullable))
    return target.columns[name]


def _owns(rows: Rows, name: str) -> bool:
    """Return whether a column of this name comes up at these rows."""
    lowered = name.lower()
    beside = [column for layer in rows.layers if isinstance(layer, Beside) for column in layer.columns]
    return any(lowered == one.lower() for one in (*rows.computed, *beside))


def _reaches(rows: Rows, source: Rows, name: str) -> bool:
    """Let a step see a column of its input that came up later; return False where that column comes of the step."""
    needed = 0
    for layer in source.layers:
        if isinstance(layer, Beside):
            needed += 1
        if name == layer or (isinstance(layer, Beside) and name in layer.columns):
            break
    else:
        return True  # the step itself has it
    beside = [layer for layer in source.layers if isinstance(layer, Beside)]
    for layer in beside[rows.depths[id(source)] : needed]:
        if _depends(layer.rows, layer.depth, rows):
            return False
    rows.depths[id(source)] = max(rows.depths[id(source)], needed)
    return True


def _depends(rows: Rows, depth: int, on: Rows) -> bool:
    if rows is on:
        return True
    beside = [layer for layer in rows.layers if isinstance(layer, Beside)][:depth]
    return any(_depends(one, rows.depths[id(one)], on) for one in rows.given()) or any(
        _depends(layer.rows, layer.depth, on) for layer in beside
    )


def base_of(hooks: Any, operands: Any, result: Any) -> Aligned | None:
    """Return the operand whose index the result of an operator has, None where there is but one table."""
    known = [(one, hooks.symbol(one)) for one in operands if isinstance(hooks.symbol(one), SeriesSymbol)]
    if not known or all(one.rows is known[0][1].rows and same_index(one, known[0][1]) for _, one in known):
        return known[0][1] if known else None
    for real, symbol in known:
        if isinstance(result, pd.Series) and result.index.equals(real.index):
            rest = [one for _, one in known if one is not symbol]
            if not all(comes_of(one.rows, symbol.rows) for one in rest) and not symbol.rows.note:
                symbol.rows.note = "holds for inputs with the same keys on both sides of an operator"
            assert isinstance(symbol, SeriesSymbol)
            return symbol
    raise NotTranslatable("an operator on columns whose labels differ")


def comes_of(rows: Rows | None, source: Rows) -> bool:
    """Return whether rows are other rows further down."""
    while rows is not None and rows is not source:
        rows = rows.passes
    return rows is source
