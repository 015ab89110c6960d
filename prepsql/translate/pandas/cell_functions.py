"""Functions of Python, pandas and numpy on cells."""

from __future__ import annotations

import calendar
import datetime as clock
import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from prepsql.translate.pandas.cell_operators import binary, decided, text
from prepsql.translate.pandas.cell_operators import compare as compared
from prepsql.translate.pandas.forks import path, refuse
from prepsql.translate.pandas.symbols import (
    SCOPE,
    Cell,
    Fields,
    Match,
    Record,
    fails_unless,
    guarded,
    symbolic,
    thing,
    unpacked,
    value_thing,
)
from prepsql.translate.pandas.things import is_null
from prepsql.workflow.pandas_text import calls, columns
from prepsql.workflow.pandas_text.value import TIMES, Name, Value, constant, made

# numbers that Python's int() reads
_WHOLE = r"regexp_full_match(x, '\s*[+-]?[0-9]+(?:_[0-9]+)*\s*')"


def to_float(x: Any = 0.0) -> Any:
    """float()."""
    value = value_thing(x)
    if value.family != "text":
        if value.family not in ("integer", "float", "number", "boolean"):
            raise TypeError("float() of what is no number")
        return guarded(columns.to_float, value)
    number = made("python_float(x)", "float", value, nullable=True, x=value.sql)
    if value.nullable and not value.none:
        # float() of a NaN is one
        read = made("x IS NULL OR y IS NOT NULL", "boolean", value, nullable=False, x=value.sql, y=number.sql)
    else:
        read = made("x IS NOT NULL", "boolean", number, nullable=False, x=number.sql)
    fails_unless(read, ValueError)
    return Cell(made("nullif(x, 'nan'::DOUBLE)", "float", number, nullable=True, x=number.sql))


def to_integer(x: Any = 0) -> Any:
    """int()."""
    value = value_thing(x)
    if value.family == "text":
        fails_unless(made(f"coalesce({_WHOLE}, FALSE)", "boolean", value, nullable=False, x=value.sql), ValueError)
        template = "TRY_CAST(replace(strip_space(x), '_', '') AS BIGINT)"
        return Cell(made(template, "integer", value, nullable=False, x=value.sql))
    if value.family not in ("integer", "float", "number", "boolean"):
        raise TypeError("int() of what is no number")
    if value.nullable:
        fails_unless(made("x IS NOT NULL", "boolean", value, nullable=False, x=value.sql), ValueError)
    return guarded(columns.to_integer, value)


def is_na(x: Any) -> Any:
    """pd.isna()."""
    if isinstance(x, Match):
        return not x
    if isinstance(x, Record | Fields | list | tuple):
        raise refuse("isna of several cells")
    return guarded(columns.is_na, value_thing(x))


_KINDS: Mapping[str, tuple[type, ...]] = {
    "text": (str,), "integer": (int, np.int64), "float": (float, np.float64), "boolean": (bool, int),
    "timestamp": (pd.Timestamp, clock.datetime, clock.date), "date": (clock.date,), "list": (list,),
    "span": (pd.Timedelta, clock.timedelta),
}  # fmt: skip


def is_instance(x: Any, kinds: Any) -> Any:
    """isinstance(): a null of pandas is a float."""
    if isinstance(x, Record | Match | Fields):
        return any(one in (pd.Series, dict, object) for one in (kinds if isinstance(kinds, tuple) else (kinds,)))
    value = value_thing(x)
    asked = kinds if isinstance(kinds, tuple) else (kinds,)
    kind = _KINDS.get(value.family)
    if kind is None:
        raise refuse(f"the type of {value.family}")
    number = value.family in ("integer", "float")
    inside = any(one in kind or one is object or (number and one is numbers.Number) or (
        one is np.floating and value.family == "float") or (one is np.integer and False) for one in asked)  # fmt: skip
    if not value.nullable:
        return inside
    null = float if value.family not in TIMES else type(pd.NaT)
    missing = any(one is object or (not value.none and issubclass(null, one)) for one in asked)
    if inside == missing:
        return inside
    return guarded(columns.not_na if inside else columns.is_na, value)


def rounded(x: Any, digits: Any = None) -> Any:
    """round(): halves to even, of the number as it is in binary."""
    value = value_thing(x)
    if digits is None:
        return Cell(made("numpy_round(x)::BIGINT", "integer", value, x=value.sql)) if value.family != "integer" else x
    if value.family == "integer" and digits >= 0:
        return x
    if value.family not in ("float", "number") or not isinstance(digits, int) or digits < 0:
        return guarded(columns.round_, value, constant(digits))
    return Cell(made(f"format('{{:.{digits}f}}', x)::DOUBLE", "float", value, x=value.sql))


def total(values: Any, start: Any = 0) -> Any:
    """sum()."""
    found = start
    if isinstance(values, Cell):
        raise refuse("sum of a cell")
    for one in values:
        found = one if isinstance(found, int) and found == 0 else binary(None, "Add", found, one)
    return found


def extreme(name: str) -> Callable[..., Any]:
    """Return the rule of max or min, of several things or a list of them."""

    def rule(*values: Any, **named: Any) -> Any:
        if named:
            raise refuse(f"{name} by a key")
        several = list(values[0]) if len(values) == 1 and not isinstance(values[0], Cell) else list(values)
        if len(several) == 1 and not isinstance(several[0], Cell):
            return several[0]
        if len(several) == 1:
            raise refuse(f"{name} of one cell") if len(values) == 1 and isinstance(values[0], Cell) else ValueError
        kinds = {value_thing(one).family for one in several}
        if kinds <= {"integer", "float", "number", "boolean"}:
            return guarded(calls.call, SCOPE, Name(name), "", [thing(one) for one in several], {})
        best = several[0]
        for other in several[1:]:
            if decided(compared(None, "Gt" if name == "max" else "Lt", other, best)):
                best = other
        return best

    return rule


def length(x: Any) -> Any:
    """len()."""
    if isinstance(x, list | tuple | dict | set):
        return len(x)
    if isinstance(x, Record):
        return len(x.labels())
    value = value_thing(x)
    if value.family == "list":
        return Cell(made("len(x)", "integer", value, nullable=False, x=value.sql))
    if value.family != "text":
        raise TypeError("object has no len()")
    return guarded(calls.call, SCOPE, Name("len"), "", [value], {})


def absolute(x: Any) -> Any:
    """abs()."""
    return guarded(columns.absolute, value_thing(x))


def truth_of(x: Any) -> Any:
    """bool()."""
    return bool(x)


def ceiling(name: str) -> Callable[..., Any]:
    """Return the rule of math.floor, math.ceil and math.trunc."""
    return lambda x: Cell(made(f"{name}(x)::BIGINT", "integer", value_thing(x), x=value_thing(x).sql))


def series(data: Any = None, index: Any = None, **named: Any) -> Any:
    """pd.Series of cells."""
    if named or not isinstance(data, list | tuple | dict):
        raise refuse("a series that a function makes of cells")
    values = tuple(data.values()) if isinstance(data, dict) else tuple(data)
    labels = tuple(data) if isinstance(data, dict) else tuple(index if index is not None else range(len(values)))
    return Fields(values, labels)


def mapped(function: Any, values: Any) -> Any:
    """map() over a list, or over the parts of a text."""
    if isinstance(values, Cell):
        return Mapped(values, function)
    return [_applied(function, one) for one in values]


def _applied(function: Any, one: Any) -> Any:
    from prepsql.translate.pandas import cells

    return cells.call(None, function, [one], {}) if symbolic(one) and not cells.is_own(function) else function(one)


class Mapped(Cell):
    """The parts of a text, each given to a function."""

    def __init__(self, cell: Cell, function: Any) -> None:
        super().__init__(cell.thing)
        self.function = function

    def __iter__(self) -> Any:
        return iter([_applied(self.function, one) for one in unpacked(self)])

    def pieces(self) -> Any:
        """Return the list of what the function gives."""
        from prepsql.translate.pandas.cell_lists import mapped, pieces_of

        return mapped(pieces_of(Cell(self.thing)), lambda one: [_applied(self.function, one)])


def divided(x: Any, y: Any) -> Any:
    """divmod()."""
    return binary(None, "FloorDiv", x, y), binary(None, "Mod", x, y)


def listed(kind: type) -> Callable[..., Any]:
    """Return the rule of list, tuple, dict or set of a container of cells."""

    def rule(*given: Any, **named: Any) -> Any:
        if len(given) == 1 and isinstance(given[0], Cell):
            raise refuse(f"{kind.__name__} of a cell")
        return kind(*given, **named)

    return rule


def any_of(values: Any) -> bool:
    """any()."""
    if isinstance(values, Cell):
        raise refuse("any of a cell")
    return any(bool(one) for one in values)


def all_of(values: Any) -> bool:
    """all()."""
    if isinstance(values, Cell):
        raise refuse("all of a cell")
    return all(bool(one) for one in values)


def character_code(x: Any) -> Any:
    """ord()."""
    value = value_thing(x)
    return Cell(made("unicode(x)", "integer", value, x=value.sql))


def character_of(x: Any) -> Any:
    """chr()."""
    value = value_thing(x)
    return Cell(made("chr(x::INTEGER)", "text", value, x=value.sql))


def month_range(year: Any, month: Any) -> Any:
    """calendar.monthrange: the weekday of the first and the number of days."""
    y, m = value_thing(year), value_thing(month)
    first = made("make_date(y, m, 1)", "date", y, m, y=y.sql, m=m.sql)
    weekday = made("isodow(x) - 1", "integer", first, x=first.sql)
    return Cell(weekday), Cell(made("day(last_day(x))", "integer", first, x=first.sql))


def lookup(base: Mapping[Any, Any], key: Any, otherwise: Any) -> Any:
    """Return what a dict has for a cell; KeyError stands for a failure."""
    if not symbolic(key):
        return base.get(key, otherwise) if otherwise is not KeyError else base[key]
    several = isinstance(key, tuple) or any(
        symbolic(value) or isinstance(value, list | dict | tuple) or is_null(value) for value in base.values()
    )
    if several:
        for known, value in base.items():
            if decided(compared(None, "Eq", key, known)):
                return value
        if otherwise is KeyError:
            raise KeyError
        return otherwise
    inside = compared(None, "In", key, list(base))
    if not base or inside is False:
        if otherwise is KeyError:
            raise KeyError
        return otherwise
    found = guarded(columns.map_values, thing(key), thing(dict(base)))
    if otherwise is None:
        return Cell(replace(found.thing, none=True))
    if otherwise is KeyError:
        if path().trying and not decided(inside):
            raise KeyError
        return Cell(replace(found.thing, nullable=False))
    if not symbolic(otherwise):
        same = _filled(found.thing, otherwise)
        if same is not None:
            return same
    return Cell(replace(found.thing, nullable=False)) if decided(inside) else otherwise


def _filled(found: Value, otherwise: Any) -> Any:
    """Return the lookup with another value where there is none, None where their kinds differ."""
    value = value_thing(otherwise)
    if value.family != found.family:
        return None
    if found.sql.startswith("CASE ") and found.sql.endswith(" END") and found.sql.count("CASE ") == 1:
        return Cell(Value(f"{found.sql.removesuffix(' END')} ELSE {value.sql} END", found.family, False))
    return guarded(columns.fill_na, found, value)


RULES: Mapping[int, Callable[..., Any]] = {
    id(float): to_float, id(int): to_integer, id(str): text, id(bool): truth_of, id(round): rounded,
    id(isinstance): is_instance, id(sum): total, id(max): extreme("max"), id(min): extreme("min"), id(len): length,
    id(abs): absolute, id(math.floor): ceiling("floor"), id(math.ceil): ceiling("ceil"),
    id(math.trunc): ceiling("trunc"), id(math.fabs): absolute, id(pd.Series): series,
    id(map): mapped, id(divmod): divided, id(any): any_of, id(all): all_of, id(ord): character_code,
    id(chr): character_of, id(calendar.monthrange): month_range, id(math.fsum): total, id(np.nansum): total,
    **{id(kind): listed(kind) for kind in (list, tuple, dict, set)},
    **{id(function): is_na for function in (pd.isna, pd.isnull, math.isnan, np.isnan)},
    **{id(function): lambda x: not is_na(x) for function in (pd.notna, pd.notnull)},
}  # fmt: skip
