"""Operators, comparisons and formats of cells."""

from __future__ import annotations

import operator as operators
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from string import Formatter
from typing import Any

from prepsql.translate.pandas.forks import path, refuse
from prepsql.translate.pandas.symbolic import Symbolic, among_groups, asked
from prepsql.translate.pandas.symbols import (
    Cell,
    Match,
    Record,
    fails_unless,
    grounded,
    guarded,
    symbolic,
    thing,
    value_thing,
)
from prepsql.translate.pandas.things import OPERATORS, is_null
from prepsql.workflow.pandas_text import columns
from prepsql.workflow.pandas_text import operators as rules
from prepsql.workflow.pandas_text.fstrings import format_spec
from prepsql.workflow.pandas_text.value import NUMERIC, Offset, Value, constant, made

BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "Add": operators.add, "Sub": operators.sub, "Mult": operators.mul, "Div": operators.truediv,
    "FloorDiv": operators.floordiv, "Mod": operators.mod, "Pow": operators.pow, "BitAnd": operators.and_,
    "BitOr": operators.or_, "BitXor": operators.xor, "LShift": operators.lshift, "RShift": operators.rshift,
    "MatMult": operators.matmul,
}  # fmt: skip
AUGMENTED: Mapping[str, Callable[[Any, Any], Any]] = {
    "Add": operators.iadd, "BitOr": operators.ior, "Sub": operators.isub, "BitAnd": operators.iand,
    "Mult": operators.imul,
}  # fmt: skip
UNARY: Mapping[str, Callable[[Any], Any]] = {
    "Invert": operators.invert, "USub": operators.neg, "UAdd": operators.pos, "Not": operators.not_,
}  # fmt: skip
COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "Eq": operators.eq, "NotEq": operators.ne, "Lt": operators.lt, "LtE": operators.le, "Gt": operators.gt,
    "GtE": operators.ge, "Is": operators.is_, "IsNot": operators.is_not, "In": lambda x, y: x in y,
    "NotIn": lambda x, y: x not in y,
}  # fmt: skip
_PERCENT = re.compile(r"%(?:\((\w+)\))?([-+ 0#]*)(\d*)(?:\.(\d+))?([sdifFegrx%])")


def binary(hooks: Any, operator: str, left: Any, right: Any) -> Any:
    """Do left operator right."""
    group = among_groups(left, right)
    if group is not None:
        return asked(group.operate, operator, left, right)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple | int):
        return BINARY[operator](left, right)
    if operator == "Mod" and isinstance(left, str):
        return percent(left, right)
    if operator not in OPERATORS:
        raise refuse(f"the operator {operator}")
    x, y = thing(left), thing(right)
    if operator in ("Div", "FloorDiv", "Mod") and isinstance(x, Value) and isinstance(y, Value) and y.cell:
        found = _divided(operator, x, y)
        if found is not None:
            return found
    result = guarded(rules.binary, OPERATORS[operator], x, y)
    if isinstance(x, Value) and x.family == "date" and isinstance(y, Offset) and isinstance(result.thing, Value):
        return Cell(made("x::DATE", "date", result.thing, x=result.thing.sql))
    return result


def _divided(operator: str, x: Value, y: Value) -> Cell | None:
    """Return the quotient or rest of Python's numbers, which fail by zero."""
    if not {x.family, y.family} <= {"integer", "float", "number", "boolean"}:
        return None
    x, y = rules.number(x, operator), rules.number(y, operator)
    if isinstance(y.constant, int | float):
        if not y.constant:
            raise ZeroDivisionError
    else:
        fails_unless(made("x <> 0", "boolean", y, nullable=False, x=y.sql), ZeroDivisionError)
    whole = x.family == y.family == "integer"
    if operator == "Div":
        return Cell(made("x / y", "float", x, y, x=x.sql, y=y.sql))
    function = "python_floordiv" if operator == "FloorDiv" else "python_mod"
    cast = "::BIGINT" if whole else "::DOUBLE"
    return Cell(made(f"{function}(x, y){cast}", "integer" if whole else "float", x, y, x=x.sql, y=y.sql))


def unary(hooks: Any, operator: str, value: Any) -> Any:
    """Do operator value."""
    if isinstance(value, Symbolic):
        return asked(value.operate, operator, value)
    if operator == "Not":
        return not value
    return guarded(rules.unary, OPERATORS[operator], thing(value))


def of_data(hooks: Any, thing: Any) -> None:
    """Refuse a list or dict that was made of a table: its values aren't the program's."""
    if hooks is not None and isinstance(thing, list | dict | set) and hooks.symbol(thing) is not None:
        raise refuse("a lookup in what was made of a table")


def compare(hooks: Any, operator: str, left: Any, right: Any) -> Any:
    """Compare."""
    group = among_groups(left, right)
    if group is not None:
        return asked(group.operate, operator, left, right)
    if isinstance(left, Match) or isinstance(right, Match):
        truth_of = bool(left if isinstance(left, Match) else right)
        return truth_of if operator in ("IsNot", "NotEq") else not truth_of
    if operator in ("In", "NotIn"):
        of_data(hooks, right)
        return _within(operator, left, right)
    if isinstance(left, tuple | list) and isinstance(right, tuple | list) and operator in ("Eq", "NotEq"):
        equal = len(left) == len(right) and all(
            bool(compare(None, "Eq", a, b)) for a, b in zip(left, right, strict=True)
        )
        return equal if operator == "Eq" else not equal
    if isinstance(left, tuple) and isinstance(right, tuple) and operator in ("Lt", "LtE", "Gt", "GtE"):
        return _ordered(operator, left, right)
    if operator in ("Is", "IsNot"):
        return _same(operator, left, right)
    x, y = thing(left), thing(right)
    if isinstance(x, Value) and isinstance(y, Value) and _differ(x, y) and operator in ("Eq", "NotEq"):
        return operator == "NotEq"
    return guarded(rules.compare, OPERATORS[operator], x, y)


def _ordered(operator: str, left: tuple[Any, ...], right: tuple[Any, ...]) -> Any:
    """Return a comparison of tuples: by the first place where they differ."""
    if len(left) != len(right) or not left:
        raise refuse("a comparison of tuples of different length")
    if len(left) == 1:
        return compare(None, operator, left[0], right[0])
    first = condition(compare(None, operator.removesuffix("E"), left[0], right[0]))
    equal = condition(compare(None, "Eq", left[0], right[0]))
    rest = condition(_ordered(operator, left[1:], right[1:]))
    return guarded(rules.both, "x OR y", [first, rules.both("x AND y", [equal, rest])])


def _within(operator: str, left: Any, right: Any) -> Any:
    if isinstance(right, Record):
        inside: Any = left in right.labels()
        return inside if operator == "In" else not inside
    if isinstance(right, Mapping):
        right = list(right)
    if isinstance(right, Cell) and value_thing(right).family == "list":
        from prepsql.translate.pandas import cell_lists

        found = cell_lists.pieces_of(right)
        return asked(found.operate, operator, left, found)
    plain = not isinstance(left, Cell) or symbolic(right)
    if isinstance(right, list | tuple | set | frozenset) and (plain or isinstance(left, tuple)):
        inside = any(bool(compare(None, "Eq", one, left)) for one in right)
        return inside if operator == "In" else not inside
    if isinstance(right, range) and right.step == 1 and isinstance(left, Cell):
        value = value_thing(left)
        if value.family == "integer":
            test = made(f"x >= {right.start} AND x < {right.stop}", "boolean", value, nullable=False, x=value.sql)
            return Cell(test) if operator == "In" else not Cell(test)
    if isinstance(left, Cell) and isinstance(right, list | tuple | set | frozenset | range):
        kind = value_thing(left)
        right = [one for one in right if is_null(one) or not _differ(kind, value_thing(one))]
        right = [one for one in right if not is_null(one) or kind.none]
    return guarded(rules.compare, OPERATORS[operator], thing(left), thing(right))


def _same(operator: str, left: Any, right: Any) -> Any:
    if right is None and isinstance(left, tuple | list | dict):
        return operator == "IsNot"
    if isinstance(left, Cell) and right is None:
        value = value_thing(left)
        if not (value.nullable and value.none):
            return operator == "IsNot"
        return guarded(columns.is_na if operator == "Is" else columns.not_na, value)
    if isinstance(left, Cell) and is_null(right):
        return guarded(columns.is_na if operator == "Is" else columns.not_na, value_thing(left))
    if isinstance(right, bool):
        return compare(None, "Eq" if operator == "Is" else "NotEq", left, right)
    raise refuse("is with another thing than None")


def _differ(x: Value, y: Value) -> bool:
    """Return whether two values are of kinds that are never equal in Python."""
    kinds = [
        "number" if family in (*NUMERIC, "boolean") else family
        for family in (x.family, y.family) if family in (*NUMERIC, "text", "boolean")
    ]  # fmt: skip
    return len(kinds) == 2 and kinds[0] != kinds[1]


def formatted(value: Any, conversion: int, spec: str) -> str:
    """Return one part of an f-string of plain values."""
    conversions: dict[int, Callable[[Any], Any]] = {ord("s"): str, ord("r"): repr, ord("a"): ascii}
    value = conversions[conversion](value) if conversion in conversions else value
    return format(value, spec)


def text(value: Any) -> Any:
    """Return str() of a cell."""
    found = value_thing(value)
    if found.family == "timestamp":
        written = made("strftime(x, '%Y-%m-%d %H:%M:%S')", "text", found, x=found.sql)
        return Cell(
            made("coalesce(x, 'NaT')", "text", found, nullable=False, x=written.sql) if found.nullable else written
        )
    if found.nullable and found.none:
        written = guarded(columns.to_text, replace(found.exact(), nullable=False)).thing
        return Cell(made("coalesce(x, 'None')", "text", found, nullable=False, x=written.sql))
    return guarded(columns.to_text, found.exact())


def format_parts(hooks: Any, parts: Sequence[Any]) -> Any:
    """Return an f-string with cells in it."""
    pieces: list[Any] = []
    for part in parts:
        part = part if isinstance(part, str) else (grounded(part[0]), *part[1:])
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part[0], Symbolic) and not part[2]:
            pieces.append(asked(part[0].called, str, [part[0]], {}))
        elif not symbolic(part[0]):
            pieces.append(formatted(*part))
        elif part[1] == ord("r") and value_thing(part[0]).family not in ("integer", "float", "boolean"):
            raise refuse("!r in an f-string")
        elif symbolic(part[2]):
            raise refuse("a format that depends on the data")
        elif part[2]:
            pieces.append(guarded(format_spec, value_thing(part[0]), part[2]))
        else:
            pieces.append(text(part[0]))
    return joined(pieces)


def joined(pieces: Sequence[Any]) -> Any:
    """Return texts one after another."""
    found: Any = ""
    for piece in pieces:
        if not isinstance(piece, str) and value_thing(piece).family != "text":
            raise TypeError("sequence item: expected str instance")
        found = piece if isinstance(found, str) and not found else (
            found if isinstance(piece, str) and not piece else binary(None, "Add", found, piece))  # fmt: skip
    return found


def format_text(pattern: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Return pattern.format(…)."""
    parts: list[Any] = []
    count = 0
    for literal, name, spec, conversion in Formatter().parse(pattern):
        parts += [literal] if literal else []
        if name is None:
            continue
        if name and not name.isidentifier() and not name.isdigit():
            raise refuse("format with a part of a thing")
        value = named[name] if name and not name.isdigit() else given[int(name) if name else count]
        count += 1
        parts.append((value, ord(conversion) if conversion else -1, spec or ""))
    return format_parts(None, parts)


def percent(pattern: str, given: Any) -> Any:
    """Return pattern % given."""
    values = list(given) if isinstance(given, tuple) else [given]
    parts: list[Any] = []
    at = 0
    for found in _PERCENT.finditer(pattern):
        parts.append(pattern[at : found.start()])
        at = found.end()
        name, flags, width, digits, kind = found.groups()
        if kind == "%":
            parts.append("%")
            continue
        value = given[name] if name else values.pop(0)
        if kind in ("d", "i") and symbolic(value) and value_thing(value).family == "float":
            value = guarded(columns.to_integer, value_thing(value))
        spec = {"i": "d", "s": "", "r": ""}.get(kind, kind)
        fill = "0" if "0" in flags and "-" not in flags and kind != "s" else ""
        side = "<" if "-" in flags else (">" if kind == "s" and width else "")
        sign = "+" if "+" in flags else ""
        if kind == "s" and width:
            value = text(value)
        parts.append((value, -1, f"{side}{sign}{fill}{width}{f'.{digits}' if digits else ''}{spec}" if (
            width or digits or spec in (*"fFegx",) or flags) else (spec if spec == "d" else "")))  # fmt: skip
    parts.append(pattern[at:])
    return format_parts(None, [part for part in parts if part != ""])


def condition(value: Any) -> Value:
    """Return a comparison's result as a condition."""
    if isinstance(value, Cell) and isinstance(value.thing, Value):
        return value.thing
    return constant(bool(value))


def decided(value: Any) -> bool:
    """Return the truth of a comparison on this path."""
    return path().decide(condition(value))


def _operator(name: str, swapped: bool = False) -> Callable[[Any, Any], Any]:
    def operate(self: Any, other: Any) -> Any:
        return binary(None, name, *((other, self) if swapped else (self, other)))

    return operate


def _comparison(name: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: compare(None, name, self, other)


# code that isn't the program's own, such as sum(), uses the operators themselves
for _name, _word in (("Add", "add"), ("Sub", "sub"), ("Mult", "mul"), ("Div", "truediv"), ("FloorDiv", "floordiv"),
                     ("Mod", "mod"), ("Pow", "pow"), ("BitAnd", "and"), ("BitOr", "or")):  # fmt: skip
    setattr(Cell, f"__{_word}__", _operator(_name))
    setattr(Cell, f"__r{_word}__", _operator(_name, True))
for _name, _word in (("Eq", "eq"), ("NotEq", "ne"), ("Lt", "lt"), ("LtE", "le"), ("Gt", "gt"), ("GtE", "ge")):
    setattr(Cell, f"__{_word}__", _comparison(_name))
