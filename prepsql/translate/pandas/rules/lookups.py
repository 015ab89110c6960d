"""Dicts and sets that are made of columns: what is looked up in them is a join."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells, forks, tracked
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.rows import FrameSymbol, Rows, SeriesSymbol, after, moved, settled
from prepsql.translate.pandas.rules import series
from prepsql.translate.pandas.rules.loops import LoopSymbol, RowListSymbol, loop_of
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.values import method as value_method
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column, constant, made
from prepsql.workflow.reserved import column_name

_THERE = "__there"


@dataclass(frozen=True, eq=False)
class LookupSymbol:
    """A dict or set: rows with one row a key, and the values by label; a dict of plain values has the label None.

    `ordered`: the rows are in the order of the dict, as those are that `in_order` gives. Distinct values have the
    column that they are of as `source`, and are in the `order` in which they come first, or sorted.
    """

    rows: Rows
    key: Value
    values: Mapping[Any, Value]
    there: Value
    length: int
    ordered: bool = False
    source: SeriesSymbol | None = None
    order: str = ""
    in_order: Callable[[], LookupSymbol] | None = None

    def inside(self, rows: Rows, key: Value, nulls: bool = True) -> Value:
        """Return whether a key of other rows is among the keys."""
        found = rows.looked_up("found", [key], self.rows, [self.key], self.there, nulls)
        return Value(bind("x IS NOT NULL", x=found.sql), "boolean", False)

    def among(self, rows: Rows, piece: Value) -> Value:
        """Return whether a piece of a cell is among the keys, which stand beside the rows as a list."""
        if piece.nullable or piece.family != self.key.family:
            raise forks.refuse("a piece that may be none among keys, or of another type")
        name = self.rows.name("key", self.key)
        listed = {"as": "keys", "func": "list", "expr": self.rows.columns[name].sql}
        known = self.rows.reductions.get(("keys", name))
        if known is None:
            column = Value(column_name("keys"), "list", True)
            known = Rows("aggregate", {"aggs": [listed]}, {"in": self.rows}, {"keys": column}, wanted="keys")
            self.rows.reductions["keys", name] = known
        keys = rows.beside("keys", known, known.columns["keys"])
        return Value(bind("coalesce(list_contains(x, y), FALSE)", x=keys.sql, y=piece.sql), "boolean", False)

    def value(self, rows: Rows, key: Value, label: Any = None, nulls: bool = True) -> Value:
        """Return the value of a key of other rows, null where there is none."""
        wanted = "found" if label is None else label
        return rows.looked_up(wanted, [key], self.rows, [self.key], self.values[label], nulls)

    def cells(self) -> Any:
        """Return the value of a key as a cell, or as a dict of cells."""
        found = {label: cells.Cell(value) for label, value in self.values.items()}
        return found.get(None, found)

    def same_nulls(self, key: Value) -> bool:
        """Return whether Python finds a null among null keys: texts share one NaN, numbers have each their own."""
        return key.family == "text" and key.none == self.key.none


def keyed(frame: FrameSymbol, key: Any, length: int, keep: str = "last") -> LookupSymbol:
    """Return the dict whose keys a label of the frame has, and whose values the others."""
    frame = settled(frame)
    name = frame.rows.name("key", frame.columns[key])
    rows = after(frame.rows, "dedup", {"keys": [name], "keep": keep}, wanted="keyed")
    there = rows.define("there", Value("TRUE", "boolean", False))
    values = {label: rows.columns[frame.rows.name("value", value)]
              for label, value in frame.columns.items() if label is not key}  # fmt: skip
    return LookupSymbol(rows, rows.columns[name], values, there, length, in_order=lambda: _in_order(frame, key, length))


def _in_order(frame: FrameSymbol, key: Any, length: int) -> LookupSymbol:
    """Return the dict in the order in which its keys come first."""
    rows = frame.rows
    name = rows.name("key", frame.columns[key])
    sql = bind("min(x) OVER (PARTITION BY y)", x=rows.places().sql, y=frame.columns[key].sql)
    first = rows.define("first", Value(sql, "integer", False))
    last = after(rows, "dedup", {"keys": [name], "keep": "last"}, wanted="keyed")
    order = [{"expr": last.columns[rows.name("first", first)].sql}]
    found = after(last, "sort", {"order_by": order}, wanted="in_order")
    values = {label: found.columns[rows.name("value", value)]
              for label, value in frame.columns.items() if label is not key}  # fmt: skip
    there = found.define("there", Value("TRUE", "boolean", False))
    return LookupSymbol(found, found.columns[name], values, there, length, True)


def of_loop(loop: LoopSymbol, length: int) -> LookupSymbol:
    """Return the set of what a loop goes over, or the dict of its pairs."""
    element = loop.element()
    if isinstance(element, tuple) and len(element) == 2 and all(isinstance(one, cells.Cell) for one in element):
        return keyed(
            replace(loop.frame, columns={_THERE: column(element[0].thing), None: column(element[1].thing)}, index=()),
            _THERE,
            length,
        )
    if not isinstance(element, cells.Cell):
        raise NotTranslatable("a set of rows")
    return keyed(replace(loop.frame, columns={_THERE: column(element.thing)}, index=()), _THERE, length)


def of_rows(rows: RowListSymbol, length: int, pairs: bool) -> LookupSymbol:
    """Return the dict or set that a comprehension makes."""
    frame = rows.frame
    first = next(entry for _, entry in rows.entries if isinstance(entry, tuple) or not pairs)
    from prepsql.translate.pandas.rules.keyed_fields import packed

    columns: dict[Any, Value] = {_THERE: rows.value(lambda entry: packed(entry[0] if pairs else entry))}
    if pairs and isinstance(first[1], Mapping):
        columns |= {label: rows.value(_of_second(label)) for label in first[1]}
    elif pairs and isinstance(first[1], tuple | list):
        columns |= {at: rows.value(_of_second(at)) for at in range(len(first[1]))}
    elif pairs:
        columns[None] = rows.value(lambda entry: entry[1])
    columns = {
        label: frame.rows.define("key" if label is _THERE else label or "value", one) for label, one in columns.items()
    }
    found = FrameSymbol(frame.rows, columns)
    if not rows.whole:
        there = forks.one_value(
            [(conditions, constant(isinstance(entry, tuple) or not pairs)) for conditions, entry in rows.entries]
        )
        found = kept(found, frame.rows.define("appended", replace(there, nullable=False)))
    return keyed(found, _THERE, length)


def _of_second(place: Any) -> Callable[[Any], Any]:
    return lambda entry: entry[1][place]


def dict_of(hooks: Any, result: Any, *given: Any, **named: Any) -> Any:
    """dict(zip(a, b))."""
    loop = loop_of(hooks, given[0]) if len(given) == 1 and not named else None
    if loop is None:
        return hooks.symbol(given[0]) if len(given) == 1 and isinstance(hooks.symbol(given[0]), LookupSymbol) else None
    return of_loop(loop, len(result))


def sorted_of(hooks: Any, result: Any, given: Any, **named: Any) -> Any:
    """sorted(column) as what is looked up in; sorted(list of rows)."""
    from prepsql.translate.pandas.rules.sorting import in_order

    symbol = hooks.symbol(given)
    if hasattr(symbol, "by_keys"):
        return symbol.by_keys(given, **named)
    if isinstance(symbol, RowListSymbol) and len(given) == symbol.length:
        return in_order(hooks, symbol, given, **named)
    loop = loop_of(hooks, given)
    if loop is not None and (named or not isinstance(loop.element(), cells.Cell)):
        return in_order(hooks, loop, given, **named)
    found = set_of(hooks, result, given)
    if isinstance(symbol, LookupSymbol) and not named:
        return replace(found, order="sorted")
    return found


def set_of(hooks: Any, result: Any, *given: Any, **named: Any) -> Any:
    """set(column), sorted(column): as what is looked up in."""
    symbol = hooks.symbol(given[0]) if given else None
    if isinstance(symbol, LookupSymbol):
        return replace(symbol, order="") if isinstance(result, set | frozenset) else symbol
    loop = loop_of(hooks, given[0]) if given else None
    found = of_loop(loop, len(result)) if loop is not None else None
    source = hooks.symbol(given[0]) if given else None
    return replace(found, source=source) if found is not None and isinstance(source, SeriesSymbol) else found


def list_of(hooks: Any, result: Any, *given: Any) -> Any:
    """list(column)."""
    symbol = hooks.symbol(given[0]) if given else None
    return symbol if isinstance(symbol, LookupSymbol) else loop_of(hooks, given[0]) if given else None


def series_dict(hooks: Any, result: Any, symbol: SeriesSymbol, *given: Any, **named: Any) -> LookupSymbol | None:
    """Take a column by its index."""
    if len(symbol.index) != 1 or not isinstance(result, dict):
        raise NotTranslatable("a dict by rows' numbers")
    columns = {_THERE: symbol.index[0].value, None: symbol.value}
    return keyed(FrameSymbol(symbol.rows, columns), _THERE, len(result))


def frame_dict(hooks: Any, result: Any, frame: FrameSymbol, orient: str = "dict", *rest: Any, **more: Any) -> Any:
    """Rows as dicts, in a list or by the index."""
    if orient == "records":
        return LoopSymbol(
            frame, lambda: {label: cells.Cell(value) for label, value in frame.columns.items()}, len(result)
        )
    if orient != "index" or len(frame.index) != 1:
        raise NotTranslatable(f"to_dict({orient!r})")
    return keyed(FrameSymbol(frame.rows, {_THERE: frame.index[0].value, **frame.columns}), _THERE, len(result))


def unique(hooks: Any, result: Any, symbol: SeriesSymbol) -> LookupSymbol:
    """Take the values, once each."""
    found = keyed(FrameSymbol(symbol.rows, {_THERE: symbol.value}), _THERE, len(result), "first")
    return replace(found, source=symbol, order="first")


def isin(hooks: Any, result: Any, symbol: SeriesSymbol, values: Any) -> Any:
    """Whether values are among others."""
    other = hooks.symbol(values)
    if isinstance(other, LoopSymbol | RowListSymbol):
        loop = loop_of(hooks, values)
        other = of_loop(loop, len(values)) if loop is not None else None
    if isinstance(other, LookupSymbol):
        _unchanged(other, values)
        return replace(symbol, value=other.inside(symbol.rows, symbol.value, symbol.value.none == other.key.none))
    rule = series.METHODS.get("isin")
    if rule is not None:
        return rule(hooks, result, symbol, values)
    return value_method(hooks, symbol, "isin", (values,), {}, result)


def mapped(hooks: Any, result: Any, symbol: SeriesSymbol, arg: Any = None, *rest: Any, **named: Any) -> Any:
    """Give what a dict has for each value."""
    func = named.pop("func", arg)
    other = hooks.symbol(func)
    if isinstance(other, LookupSymbol) and None in other.values:
        _unchanged(other, func)
        if hasattr(func, "__missing__"):
            filled = _missing(func)
            found = other.value(symbol.rows, symbol.value)
            return replace(symbol, value=made("coalesce(x, y)", found.family, found, nullable=False, x=found.sql,
                                              y=constant(filled).sql))  # fmt: skip
        return replace(symbol, value=other.value(symbol.rows, symbol.value))
    return series.mapped(hooks, result, symbol, func, *rest, **named)


def _missing(base: Any) -> Any:
    """Return what a dict gives for a key that it doesn't have; KeyError for a failure."""
    if not hasattr(base, "__missing__"):
        return KeyError
    factory = getattr(base, "default_factory", int)
    if factory not in (int, float):
        raise NotTranslatable("a dict that makes what it lacks")
    return factory()


def _unchanged(symbol: LookupSymbol, thing: Any) -> None:
    if len(thing) != symbol.length:
        raise NotTranslatable("a dict that was changed after it was made")


def looked_up(hooks: Any, base: Any, key: Any, otherwise: Any) -> Any:
    """Return what a dict made of columns has for a cell while a function is traced; KeyError stands for a failure."""
    if otherwise is KeyError:
        try:
            otherwise = _missing(base)
        except NotTranslatable as reason:
            raise forks.refuse(str(reason)) from None
    symbol, rows = _known(hooks, base)
    value = _column(rows, key)
    nulls = symbol.same_nulls(value)
    found: Any = {label: cells.Cell(symbol.value(rows, value, label, nulls)) for label in symbol.values}
    found = found.get(None, found)
    strict = otherwise is KeyError and not forks.path().trying
    if not strict and not forks.path().decide(symbol.inside(rows, value, nulls)):
        if otherwise is KeyError:
            raise KeyError
        return otherwise
    if isinstance(found, cells.Cell) and not symbol.values[None].nullable:
        return cells.Cell(replace(column(found.thing), nullable=False))
    return found


def base_of(hooks: Any, function: Any) -> Any:
    """Return the dict made of columns whose `get` a function is, None for another function."""
    base = getattr(function, "__self__", None)
    if not isinstance(base, dict) or getattr(function, "__name__", "") not in ("get", "__getitem__"):
        return None
    if tracked.is_marked(base):
        raise NotTranslatable("a lookup in what a loop over rows made")
    return base if hooks.symbol(base) is not None else None


def gets(hooks: Any, base: Any, key: Any) -> list[forks.Ending]:
    """Return how `get` of a dict made of columns ends for a cell."""
    symbol = hooks.symbol(base)
    own = isinstance(symbol, LookupSymbol) and symbol.rows is forks.rows() and len(base) == symbol.length
    if own and isinstance(key, cells.Cell) and isinstance(key.thing, Value) and key.thing.sql == symbol.key.sql:
        return [forks.Ending(Way.of(()), symbol.cells())]
    return forks.explore(lambda: looked_up(hooks, base, key, None))


def inside(hooks: Any, operator: str, key: Any, base: Any) -> Any:
    """Return whether a cell is among what was made of columns while a function is traced."""
    symbol, rows = _known(hooks, base)
    value = _piece(key)
    if value is not None:
        found = symbol.among(rows, value)
    else:
        value = _column(rows, key)
        found = symbol.inside(rows, value, symbol.same_nulls(value))
    return cells.Cell(found if operator == "In" else Value(bind("NOT x", x=found.sql), "boolean", False))


def _known(hooks: Any, base: Any) -> tuple[LookupSymbol, Rows]:
    symbol = hooks.symbol(base)
    if isinstance(symbol, LoopSymbol | RowListSymbol | SeriesSymbol):
        loop = loop_of(hooks, base)
        symbol = of_loop(loop, len(base)) if loop is not None else None
    rows = forks.rows()
    if not isinstance(symbol, LookupSymbol) or rows is None:
        raise forks.refuse("a lookup in what was made of a table")
    if len(base) != symbol.length:
        raise forks.refuse("a lookup in what was changed after it was made")
    return symbol, rows


def _piece(key: Any) -> Value | None:
    """Return a key that is one of a cell's pieces, None for another thing."""
    if not isinstance(key, cells.Cell) or not isinstance(key.thing, Value):
        return None
    return key.thing if forks.inside_of_pieces(key.thing.sql) else None


def _column(rows: Rows, key: Any) -> Value:
    """Return a key as a column."""
    from prepsql.translate.pandas.rules.keyed_fields import packed

    key = packed(key)
    if not isinstance(key, cells.Cell) or not isinstance(key.thing, Value):
        raise forks.refuse("a lookup in what was made of a table")
    try:
        return replace(rows.define("key", replace(key.thing, cell=False)), cell=True)
    except NotTranslatable as reason:
        raise forks.refuse(str(reason)) from None


def elements(hooks: Any, given: Any) -> LoopSymbol | None:
    """Return a list of rows or of distinct values as what goes over it, None for another thing."""
    symbol = hooks.symbol(given)
    if not isinstance(symbol, LookupSymbol):
        return loop_of(hooks, given)
    if symbol.order not in ("first", "sorted") or len(given) != symbol.length:
        raise NotTranslatable("values in an order that isn't known")
    frame = settled(FrameSymbol(symbol.rows, {"key": symbol.key}))
    if symbol.order == "sorted":
        if symbol.key.nullable and symbol.key.family != "text":
            raise NotTranslatable("sorted values that may be null")
        order = [{"expr": frame.columns["key"].sql}]
        frame = moved(frame, after(frame.rows, "sort", {"order_by": order}, wanted="in_order"))
    return LoopSymbol(frame, lambda: cells.Cell(frame.columns["key"]), symbol.length)


def items(what: str) -> Callable[..., LoopSymbol]:
    """Return the rule of what a dict gives: its items, keys or values."""

    def rule(hooks: Any, result: Any, symbol: LookupSymbol) -> LoopSymbol:
        if not symbol.ordered and symbol.in_order is not None:
            symbol = symbol.in_order()
        if not symbol.ordered:
            raise NotTranslatable("a dict whose order isn't known")
        from prepsql.translate.pandas.rules.keyed_fields import unpacked

        frame = FrameSymbol(symbol.rows, {"key": symbol.key, **symbol.values})
        one = {"items": lambda: (unpacked(symbol.key), symbol.cells()), "keys": lambda: unpacked(symbol.key),
               "values": symbol.cells}[what]  # fmt: skip
        return LoopSymbol(frame, one, symbol.length)

    return rule


def keys_of(hooks: Any, symbol: LookupSymbol, by_order: bool) -> LoopSymbol | None:
    """Return the keys of a dict in its order, or sorted; None for distinct values."""
    from prepsql.translate.pandas.rules.sorting import moved_by

    if symbol.source is not None or (not by_order and symbol.order != "sorted"):
        return None
    if not symbol.ordered and symbol.in_order is None:
        return None
    loop = items("keys")(hooks, None, symbol)
    if by_order:
        return loop
    if symbol.key.family.startswith("tuple") or (symbol.key.nullable and symbol.key.family != "text"):
        raise NotTranslatable("sorted keys that aren't plain")
    key = loop.element()
    return moved_by(loop, [{"expr": key.thing.sql}])


def most_common(hooks: Any, result: Any, symbol: LookupSymbol) -> LoopSymbol:
    """Give a counter's items, the most frequent first."""
    from prepsql.translate.pandas.rules.sorting import moved_by

    loop = items("items")(hooks, result, symbol)
    return moved_by(loop, [{"expr": symbol.values[None].sql, "asc": False}])


def counter(hooks: Any, result: Any, given: Any = None) -> LookupSymbol | None:
    """Counter(column)."""
    from prepsql.translate.pandas.rules.keyed import counted

    loop = loop_of(hooks, given) if given is not None else None
    if loop is None:
        return None
    element = loop.element()
    if not isinstance(element, cells.Cell):
        raise NotTranslatable("a count of rows")
    value = replace(column(element.thing), cell=False)
    if value.nullable and value.family == "float":
        raise NotTranslatable("null numbers as keys")
    rows = loop.frame.rows
    return counted(FrameSymbol(rows, {"key": rows.define("key", value), "place": rows.places()}), len(result))


FRAME_METHODS: dict[str, Callable[..., Any]] = {"to_dict": frame_dict}
SERIES_METHODS: dict[str, Callable[..., Any]] = {
    "to_dict": series_dict, "unique": unique, "isin": isin, "map": mapped,
}  # fmt: skip
METHODS: dict[str, Callable[..., Any]] = {
    **{name: lambda hooks, result, symbol: symbol for name in ("tolist", "copy")},
    **{name: items(name) for name in ("items", "values")}, "keys": lambda hooks, result, symbol: (
        items("keys")(hooks, result, symbol) if symbol.ordered else symbol), "most_common": most_common,
}  # fmt: skip
CALLS: dict[str, Callable[..., Any]] = {
    "dict": dict_of, "set": set_of, "frozenset": set_of, "sorted": sorted_of, "list": list_of, "Counter": counter,
}  # fmt: skip
