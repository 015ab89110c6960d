"""Decimals of Python in cells: exact numbers that are rounded as they are written."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from prepsql.translate.pandas.forks import refuse
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import Cell, fails_unless, value_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, made

# as many places as a float has in its text, for numbers below 10^18
_PLACES = 20
_MOST = 26
_ROUNDINGS: Mapping[str, str] = {
    decimal.ROUND_HALF_UP: "round(x, n)", decimal.ROUND_DOWN: "trunc(x, n)",
    decimal.ROUND_HALF_EVEN: "round_even(x, n)",
}  # fmt: skip
_COMPARE = {"Eq": "=", "NotEq": "<>", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">="}


class Number(Symbolic):
    """A decimal: SQL of a DECIMAL of so many places; `written` says that its text shows all of them.

    `before` is what it was rounded from, whose sign Python writes before a zero too.
    """

    def __init__(self, sql: str, places: int, nullable: bool, written: bool = False, before: str = "") -> None:
        self.before = before
        self.sql = sql
        self.places = places
        self.nullable = nullable
        self.written = written

    def value(self, template: str, family: Any) -> Any:
        """Return a cell that is made of it."""
        return Cell(Value(bind(template, x=self.sql), family, self.nullable, cell=True))

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Round it."""
        if name == "quantize" and given and isinstance(given[0], Decimal):
            places = -int(given[0].as_tuple().exponent)
            rounding = given[1] if len(given) > 1 else named.get("rounding")
            return self._rounded(places, rounding)
        if name in ("to_integral_value", "to_integral") and not given:
            return self._rounded(0, named.get("rounding"))
        raise refuse(f".{name}() of a decimal")

    def _rounded(self, places: int, rounding: Any) -> Number:
        template = _ROUNDINGS.get(rounding or decimal.ROUND_HALF_EVEN)
        if template is None or not 0 <= places < self.places:
            raise refuse("a decimal that is rounded in another way")
        return Number(bind(template, x=self.sql, n=str(places)), places, self.nullable, True, self.sql)

    def operate(self, operator: str, *operands: Any) -> Any:
        """Do an operator with exact numbers."""
        if operator in ("USub", "UAdd"):
            return Number(bind("-x", x=self.sql), self.places, self.nullable, self.written)
        left, right = (_number(one) for one in operands)
        nullable = left.nullable or right.nullable
        if operator in _COMPARE:
            if nullable:
                raise refuse("a comparison of decimals that may be none")
            return Cell(Value(bind(f"x {_COMPARE[operator]} y", x=left.sql, y=right.sql), "boolean", False))
        places = left.places + right.places if operator == "Mult" else max(left.places, right.places)
        sign = {"Add": "+", "Sub": "-", "Mult": "*"}.get(operator)
        if sign is None or places > _MOST:
            raise refuse(f"{operator} of decimals")
        written = left.written and right.written and operator != "Mult"
        return Number(bind(f"x {sign} y", x=left.sql, y=right.sql), places, nullable, written)

    def called(self, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a function of one number."""
        if function is float:
            return self.value("x::DOUBLE", "float")
        if function in (int, math.trunc):
            return self.value("trunc(x)::BIGINT", "integer")
        if function is str and self.written:
            if not self.before and not self.nullable:
                return self.value("x::VARCHAR", "text")
            if not self.before:
                raise refuse("the text of a decimal")
            sign = bind("CASE WHEN x = 0 AND y < 0 THEN '-' ELSE '' END", x=self.sql, y=self.before)
            text = f"{sign} || x::VARCHAR"
            written = bind(f"coalesce({text}, 'NaN')" if self.nullable else text, x=self.sql)
            return Cell(Value(written, "text", False, cell=True))
        if function is abs:
            return Number(bind("abs(x)", x=self.sql), self.places, self.nullable, self.written)
        if function is Decimal:
            return self
        if function is isinstance:
            return any(issubclass(Decimal, one) for one in (given[1] if isinstance(given[1], tuple) else (given[1],)))
        raise refuse(f"the function {getattr(function, '__name__', function)} of a decimal")


def _number(found: Any) -> Number:
    if isinstance(found, Number):
        return found
    if isinstance(found, Decimal | int) and not isinstance(found, bool):
        places = max(0, -int(Decimal(found).as_tuple().exponent))
        return Number(f"{Decimal(found):f}::DECIMAL(38, {places})", places, False, True)
    value = value_thing(found)
    if value.family != "integer":
        raise TypeError("a decimal with another kind of number")
    return Number(bind("x::DECIMAL(38, 0)", x=value.sql), 0, value.nullable, True)


def of(x: Any = "0", *rest: Any) -> Any:
    """Decimal() of the text of a number, or of a whole one."""
    if isinstance(x, Number):
        return x
    value = value_thing(x)
    if value.family == "integer":
        return _number(x)
    if value.family == "float" and not rest:
        # the number as it is in binary
        return Number(bind(f"format('{{:.{_PLACES}f}}', x)::DECIMAL(38, {_PLACES})", x=value.sql), _PLACES,
                      value.nullable)  # fmt: skip
    if value.family != "text":
        raise TypeError("conversion to Decimal is not supported")
    sql = bind(f"try_cast(strip_space(x) AS DECIMAL(38, {_PLACES}))", x=value.sql)
    read = made("x IS NOT NULL OR lower(y) = 'nan'", "boolean", value, nullable=False, x=sql, y=value.sql)
    fails_unless(read, decimal.InvalidOperation)
    return Number(sql, _PLACES, True)


RULES: Mapping[int, Callable[..., Any]] = {id(Decimal): of}
