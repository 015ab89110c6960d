"""Operators: arithmetic, comparisons, masks and truth, with pandas' nulls."""

from __future__ import annotations

import ast
from collections.abc import Callable

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text.value import (
    NUMERIC,
    TIMES,
    Family,
    Items,
    NotConstant,
    Offset,
    Thing,
    Value,
    column,
    common_family,
    constant,
    describe,
    made,
    moment,
)

_COMPARES = {ast.Lt: "x < y", ast.LtE: "x <= y", ast.Gt: "x > y", ast.GtE: "x >= y", ast.Eq: "x = y"}


def number(value: Value, what: str) -> Value:
    """Return a value as a number: a boolean counts as 0 or 1."""
    value = value.exact()
    if value.family == "boolean":
        return made("x::BIGINT", "integer", value, x=value.sql)
    if value.family in NUMERIC or value.family == "null":
        return value
    if value.family == "unknown":
        return Value(value.sql, "number", value.nullable, value.constant, value.cell)
    raise NotTranslatable(f"{what} of {value.family}")


def add(left: Value, right: Value) -> Value:
    """Return the sum, or the texts joined: null where either is null."""
    if {left.family, right.family} & TIMES and "span" in (left.family, right.family):
        time, span = (right, left) if left.family == "span" else (left, right)
        return made("x + to_microseconds(y::BIGINT)", "timestamp", time, span, x=time.sql, y=span.sql)
    if "text" in (left.family, right.family):
        for side in (left, right):
            if side.family not in ("text", "unknown", "null"):
                raise NotTranslatable(f"+ of text and {side.family}")
        return made("x || y", "text", left, right, x=left.sql, y=right.sql)
    if left.family == right.family == "unknown":
        raise NotTranslatable("+ of two columns of unknown type: numbers or text")
    return _arithmetic("x + y", "+", left, right)


def subtract(left: Value, right: Value) -> Value:
    """Return the difference: of times, microseconds."""
    if left.family in TIMES and right.family in TIMES:
        return made("epoch_us(x) - epoch_us(y)", "span", left, right, x=left.sql, y=right.sql)
    if left.family in TIMES and right.family == "span":
        return made("x - to_microseconds(y::BIGINT)", "timestamp", left, right, x=left.sql, y=right.sql)
    return _arithmetic("x - y", "-", left, right)


def multiply(left: Value, right: Value) -> Value:
    """Return the product."""
    if {left.family, right.family} == {"text", "integer"}:
        text, count = (left, right) if left.family == "text" else (right, left)
        return made("repeat(x, greatest(y, 0))", "text", text, count, x=text.sql, y=count.sql)
    if "text" in (left.family, right.family):
        raise NotTranslatable("* repeats a text")
    if "span" in (left.family, right.family):
        span, factor = (left, right) if left.family == "span" else (right, left)
        if factor.family == "integer":
            return made("x * y", "span", span, factor, x=span.sql, y=factor.sql)
        raise NotTranslatable("a length of time times what is no whole number")
    return _arithmetic("x * y", "*", left, right)


def divide(left: Value, right: Value) -> Value:
    """Return the quotient as pandas has it: by zero infinite, 0 / 0 null."""
    if left.family == "span" and right.family == "span":
        return made("x / y", "float", left, right, x=left.sql, y=right.sql)
    x, y = number(left, "/"), number(right, "/")
    if _is_nonzero(y):
        return made("x / y", "float", x, y, x=x.sql, y=y.sql)
    _no_python_zero(x, y)
    return made("nullif(x / y, 'nan'::DOUBLE)", "float", x, y, nullable=True, x=x.sql, y=y.sql)


def floor_divide(left: Value, right: Value) -> Value:
    """Return the quotient rounded down."""
    x, y = number(left, "//"), number(right, "//")
    whole = x.family == y.family == "integer" and _is_nonzero(y)
    _no_python_zero(x, y)
    if whole:
        return made("python_floordiv(x, y)::BIGINT", "integer", x, y, x=x.sql, y=y.sql)
    return made("python_floordiv(x, y)", _joined(x, y), x, y, nullable=True, x=x.sql, y=y.sql)


def modulo(left: Value, right: Value) -> Value:
    """Return the rest, with the divisor's sign."""
    if left.family == "text":
        raise NotTranslatable("% formats a text")
    x, y = number(left, "%"), number(right, "%")
    whole = x.family == y.family == "integer" and _is_nonzero(y)
    _no_python_zero(x, y)
    if whole:
        return made("python_mod(x, y)::BIGINT", "integer", x, y, x=x.sql, y=y.sql)
    return made("python_mod(x, y)", _joined(x, y), x, y, nullable=True, x=x.sql, y=y.sql)


def power(left: Value, right: Value) -> Value:
    """Return the power; the exponent must be a constant."""
    x, y = number(left, "**"), number(right, "**")
    if isinstance(y.constant, NotConstant) and y.family == "integer" and not y.nullable and x.family == "float":
        return made("CASE WHEN y = 0 THEN 1 ELSE pow(x, y) END", "float", x, y, x=x.sql, y=y.sql)
    if isinstance(y.constant, NotConstant) or not y.constant:
        raise NotTranslatable("** with an exponent that isn't a number written out, or is 0")
    if x.family == y.family == "integer" and int(str(y.constant)) > 0:
        return made("pow(x, y)::BIGINT", "integer", x, y, x=x.sql, y=y.sql)
    if x.family != "integer" and y.family == "integer" and int(str(y.constant)) > 0:
        return made("pow(x, y)", "float", x, y, x=x.sql, y=y.sql)
    if y.constant == 0.5:
        return made("CASE WHEN x >= 0 THEN sqrt(x) END", "float", x, y, nullable=True, x=x.sql)
    raise NotTranslatable(f"** with the exponent {y.constant}")


BINARY: dict[type[ast.operator], Callable[[Value, Value], Value]] = {
    ast.Add: add,
    ast.Sub: subtract,
    ast.Mult: multiply,
    ast.Div: divide,
    ast.FloorDiv: floor_divide,
    ast.Mod: modulo,
    ast.Pow: power,
}


def binary(operator: ast.operator, left: Thing, right: Thing) -> Value:
    """Return `left operator right`."""
    if isinstance(operator, ast.BitAnd | ast.BitOr):
        return both("x AND y" if isinstance(operator, ast.BitAnd) else "x OR y", [column(left), column(right)])
    if isinstance(left, Offset) or isinstance(right, Offset):
        return _shift_time(operator, left, right)
    if isinstance(operator, ast.BitXor):
        x, y = column(left).exact(), column(right).exact()
        if x.family == y.family == "boolean" and not (x.nullable or y.nullable):
            return made("x <> y", "boolean", x, y, x=x.sql, y=y.sql)
    rule = BINARY.get(type(operator))
    if rule is None:
        raise NotTranslatable(f"the operator {type(operator).__name__}")
    return rule(column(left).exact(), column(right).exact())


def unary(operator: ast.unaryop, value: Value) -> Value:
    """Return `operator value`."""
    if isinstance(operator, ast.USub | ast.UAdd):
        if isinstance(operator, ast.USub) and isinstance(value.constant, int | float):
            return constant(-value.constant)
        x = number(value, "-")
        return made("-x" if isinstance(operator, ast.USub) else "x", x.family, x, x=x.sql)
    if value.family not in ("boolean", "unknown") or (isinstance(operator, ast.Not) and not value.cell):
        raise NotTranslatable(f"not of {value.family}" if value.family != "boolean" else "not of a column: use ~")
    if value.loose:
        return made("x IS NOT TRUE", "boolean", value, nullable=False, x=value.sql)
    return made("NOT x", "boolean", value, x=value.sql)


def both(template: str, values: list[Value]) -> Value:
    """Return conditions joined by AND or OR; a null counts as false, as in a mask."""
    for value in values:
        if value.family not in ("boolean", "unknown"):
            raise NotTranslatable(f"a condition of {value.family}")
    joined = values[0]
    for value in values[1:]:
        loose = joined.nullable or value.nullable
        made_of = made(template, "boolean", joined, value, x=joined.sql, y=value.sql)
        joined = Value(made_of.sql, "boolean", loose, cell=made_of.cell, loose=loose)
    return joined


def compare(operator: ast.cmpop, left: Thing, right: Thing) -> Value:
    """Return a comparison: with a null `!=` is true, any other false."""
    left, right = _as_span(left, right), _as_span(right, left)
    if isinstance(operator, ast.In | ast.NotIn):
        return _within(operator, left, right)
    x, y = _as_comparable(column(left).exact(), column(right).exact())
    if isinstance(operator, ast.Is | ast.IsNot):
        if y.family != "null":
            raise NotTranslatable(f"is with {describe(right)}")
        return made("x IS NULL" if isinstance(operator, ast.Is) else "x IS NOT NULL", "boolean", x, x=x.sql)
    if "null" in (x.family, y.family):
        return constant(isinstance(operator, ast.NotEq))
    common_family([x, y], "a comparison")
    if isinstance(operator, ast.NotEq):
        if not (x.nullable and y.nullable):
            template = "x IS DISTINCT FROM y" if x.nullable or y.nullable else "x <> y"
            return made(template, "boolean", x, y, nullable=False, x=x.sql, y=y.sql)
        return made("(x = y) IS NOT TRUE", "boolean", x, y, nullable=False, x=x.sql, y=y.sql)
    nullable = x.nullable or y.nullable
    result = made(_COMPARES[type(operator)], "boolean", x, y, x=x.sql, y=y.sql)
    return Value(result.sql, "boolean", nullable, cell=result.cell, loose=nullable)


def _as_span(thing: Thing, other: Thing) -> Thing:
    """Return a length of time beside a column of lengths as its microseconds."""
    if (
        isinstance(thing, Offset)
        and thing.microseconds is not None
        and isinstance(other, Value)
        and other.family == "span"
    ):
        return Value(str(thing.microseconds), "span", False)
    return thing


def is_in(value: Value, items: list[Value]) -> Value:
    """Return whether a value is one of a list; a null is in a list that holds a null."""
    kept = [_as_comparable(value, item)[1] for item in items if item.family != "null"]
    common_family([value, *kept], "a list")
    value = value.exact()
    if not kept:
        inside = constant(False)
    else:
        listed = ", ".join(item.sql for item in kept)
        template = made("x IN", "boolean", value, x=value.sql)
        inside = Value(f"{template.sql} ({listed})", "boolean", value.nullable, cell=value.cell, loose=value.nullable)
    if len(kept) == len(items) or not value.nullable:
        return inside
    null = made("x IS NULL", "boolean", value, nullable=False, x=value.sql)
    return both("x OR y", [inside, null]) if kept else null


def _within(operator: ast.cmpop, left: Thing, right: Thing) -> Value:
    value = column(left)
    if isinstance(right, Items):
        inside = is_in(value, [column(item) for item in right.values])
    elif isinstance(right, Value) and right.cell and "text" in (value.family, right.family):
        inside = made("contains(y, x)", "boolean", value, right, x=value.sql, y=right.sql)
    else:
        raise NotTranslatable(f"in {describe(right)}")
    return inside if isinstance(operator, ast.In) else unary(ast.Invert(), inside)


def _arithmetic(template: str, what: str, left: Value, right: Value) -> Value:
    if left.family == right.family == "span":
        return made(template, "span", left, right, x=left.sql, y=right.sql)
    x, y = number(left, what), number(right, what)
    return made(template, _joined(x, y), x, y, x=x.sql, y=y.sql)


def _joined(x: Value, y: Value) -> Family:
    if x.family == y.family == "integer":
        return "integer"
    return "float" if "float" in (x.family, y.family) else "number"


def _is_nonzero(value: Value) -> bool:
    return not isinstance(value.constant, NotConstant) and bool(value.constant)


def _no_python_zero(x: Value, y: Value) -> None:
    if x.cell and y.cell:
        raise NotTranslatable("division of one cell by another: zero stops Python and not pandas")


def _shift_time(operator: ast.operator, left: Thing, right: Thing) -> Value:
    offset, other = (right, left) if isinstance(right, Offset) else (left, right)
    value = column(other)
    template = {ast.Add: "x + y", ast.Sub: "x - y", ast.Div: "x / y"}.get(type(operator))
    steps = right.microseconds if isinstance(right, Offset) and isinstance(operator, ast.FloorDiv) else None
    if value.family == "span" and steps:
        return made("floor(x / y)::BIGINT", "integer", value, x=value.sql, y=str(steps))
    if isinstance(offset, Offset) and (offset.added or offset.subtracted):
        place = offset.added if template == "x + y" else offset.subtracted
        if value.family in TIMES and place and template != "x / y":
            return made(place, "timestamp", value, x=value.sql)
        raise NotTranslatable("this step to a place in the calendar")
    if isinstance(offset, Offset) and template and not (isinstance(left, Offset) and template != "x + y"):
        if value.family == "span" and offset.microseconds:
            micro = str(offset.microseconds)
            family: Family = "float" if template == "x / y" else "span"
            return made(template, family, value, x=value.sql, y=micro)
        if value.family in TIMES and template != "x / y":
            return made(template, "timestamp", value, x=value.sql, y=offset.sql)
    raise NotTranslatable(f"{type(operator).__name__} of {value.family} and a length of time")


def _as_comparable(x: Value, y: Value) -> tuple[Value, Value]:
    """Read a constant text as a time where it stands beside one, a boolean as a number beside a number."""
    if x.family in TIMES and isinstance(y.constant, str):
        return x, moment(y)
    if y.family in TIMES and isinstance(x.constant, str):
        return moment(x), y
    if "boolean" in (x.family, y.family) and x.family != y.family and {x.family, y.family} & NUMERIC:
        return number(x, "a comparison"), number(y, "a comparison")
    return x, y


_NAMED: dict[str, ast.operator | ast.cmpop] = {
    "add": ast.Add(), "sub": ast.Sub(), "subtract": ast.Sub(), "mul": ast.Mult(), "multiply": ast.Mult(),
    "div": ast.Div(), "divide": ast.Div(), "truediv": ast.Div(), "floordiv": ast.FloorDiv(), "mod": ast.Mod(),
    "pow": ast.Pow(), "eq": ast.Eq(), "ne": ast.NotEq(), "lt": ast.Lt(), "le": ast.LtE(), "gt": ast.Gt(),
    "ge": ast.GtE(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(),
}  # fmt: skip


def named(name: str, left: Value, right: Value) -> Value:
    """Return the operator that a method's name or a sign stands for."""
    operator = _NAMED[name]
    return compare(operator, left, right) if isinstance(operator, ast.cmpop) else binary(operator, left, right)
