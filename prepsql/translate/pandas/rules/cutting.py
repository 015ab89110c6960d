"""Numbers cut at edges that the data say: pd.qcut, and pd.cut into so many pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import SeriesSymbol, Symbol
from prepsql.translate.pandas.rules import categories
from prepsql.translate.pandas.rules.values import series
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text.operators import number
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column


def _names(hooks: Any, labels: Any, count: int) -> list[Any]:
    if labels is False:
        return list(range(count))
    if not isinstance(labels, list | tuple | range) or hooks.derived.of_data(hooks, labels) or len(labels) != count:
        raise NotTranslatable("numbers cut at edges of the data, without labels that are written out")
    hooks.derived.categories.add(tuple(labels))
    return list(labels)


def _piece(x: Value, edges: Sequence[str], names: Sequence[Any], first: str = "") -> Value:
    """Return the name of the piece that each number lies in: the last edge isn't asked for."""
    values = [column(constant_thing(name)) for name in names]
    whens = [bind("WHEN x IS NULL THEN NULL", x=x.sql)]
    whens += [first] if first else []
    whens += [bind("WHEN x <= e THEN n", x=x.sql, e=e, n=one.sql) for e, one in zip(edges, values, strict=False)]
    return Value(f"CASE {' '.join(whens)} ELSE {values[-1].sql} END", values[0].family)


def _quantile(ordered: Value, share: float) -> Value:
    """Return a quantile to the last digit as numpy has it, since numbers lie on it."""
    share = share * 100 / 100
    place = f"((len(l) - 1) * {share!r}::DOUBLE)"
    low, high = f"l[floor({place})::BIGINT + 1]::DOUBLE", f"l[ceil({place})::BIGINT + 1]::DOUBLE"
    part = f"({place} - floor({place}))"
    near, far = f"{low} + ({high} - {low}) * {part}", f"{high} - ({high} - {low}) * (1 - {part})"
    sql = f"CASE WHEN {part} < 0.5 THEN {near} ELSE {far} END"
    return Value(bind(sql, l=ordered.sql), "float")


def qcut(
    hooks: Any, result: Any, x: Any, q: Any, labels: Any = None, retbins: bool = False, precision: int = 3,
    duplicates: str = "raise",
) -> Symbol | None:  # fmt: skip
    """Numbers cut into pieces of as many rows."""
    symbol = hooks.symbol(x)
    if not isinstance(symbol, SeriesSymbol):
        return None
    shares = [at / q for at in range(q + 1)] if isinstance(q, int) else list(q)
    if retbins or duplicates != "raise" or shares[0] != 0 or shares[-1] != 1:
        raise NotTranslatable("pd.qcut with these edges")
    names = _names(hooks, labels, len(shares) - 1)
    value = symbol.rows.define(symbol.name or "value", number(symbol.value.exact(), "qcut"))
    rows = symbol.rows
    ordered = rows.define(
        "in_order", Value(f"list_sort(list({value.sql}) FILTER ({value.sql} IS NOT NULL) OVER ())", "list")
    )
    edges = [rows.define(f"quantile_{at}", _quantile(ordered, share)).sql for at, share in enumerate(shares[1:-1], 1)]
    return series(hooks, symbol, result, _piece(value, edges, names))


def cut(hooks: Any, result: Any, x: Any, bins: Any, *given: Any, **named: Any) -> Symbol | None:
    """Numbers cut at edges that are written out, or into so many pieces of one width."""
    if not isinstance(bins, int) or isinstance(bins, bool):
        return categories.cut(hooks, result, x, bins, *given, **named)
    symbol = hooks.symbol(x)
    if not isinstance(symbol, SeriesSymbol):
        return None
    if given or set(named) - {"labels", "ordered"} or hooks.symbol(bins) is not None or bins < 2:
        raise NotTranslatable("pd.cut into so many pieces with options")
    names = _names(hooks, named.get("labels"), bins)
    value = symbol.rows.define(symbol.name or "value", number(symbol.value.exact(), "cut"))
    low, high = (
        symbol.rows.define(f"{which}_value", Value(f"{which}({value.sql}) OVER ()", value.family)).sql
        for which in ("min", "max")
    )
    edges = [f"{at} * (({high} - {low}) / {bins}::DOUBLE) + {low}" for at in range(1, bins)]
    middle = column(constant_thing(names[(bins - 1) // 2])).sql
    return series(hooks, symbol, result, _piece(value, edges, names, f"WHEN {low} = {high} THEN {middle}"))


CALLS: Mapping[str, Callable[..., Symbol | None]] = {"pd.qcut": qcut, "pd.cut": cut}
