"""Symbolic cells and rows: what a traced function is given, and what its operations give."""

from __future__ import annotations

import math
import operator as operators
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.forks import Ending, explore, one_value, path, refuse, tracing
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.translate.pandas.things import OPERATORS, constant_thing, is_null, path_of
from prepsql.workflow.pandas_text import calls, columns, strings
from prepsql.workflow.pandas_text import operators as rules
from prepsql.workflow.pandas_text.fstrings import format_spec
from prepsql.workflow.pandas_text.scope import Scope, Table
from prepsql.workflow.pandas_text.value import (
    NUMERIC,
    Accessor,
    Items,
    Name,
    Pairs,
    Parts,
    Thing,
    Value,
    constant,
    made,
    text_of,
)

PROGRAM = "<program>"
"""The file name of the program's own code."""
SCOPE = Scope(Table({}))
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
# numbers that Python's int() reads
_WHOLE = r"regexp_full_match(x, '\s*[+-]?[0-9]+(?:_[0-9]+)*\s*')"


class Cell:
    """One cell of a column: its truth forks, and whatever isn't an operation of the program's own is refused."""

    def __init__(self, thing: Thing) -> None:
        self.thing = replace(thing, cell=True) if isinstance(thing, Value | Parts) else thing

    def __bool__(self) -> bool:
        return path().decide(truth(self))

    def __eq__(self, other: object) -> Any:
        return compare(None, "Eq", self, other)

    def __hash__(self) -> int:
        raise refuse("a cell as a key")

    def __iter__(self) -> Any:
        raise refuse("a loop over the pieces of a cell")

    def __len__(self) -> int:
        raise refuse("the length of a cell as a number")

    def __str__(self) -> str:
        raise refuse("the text of a cell outside the program")

    def __format__(self, spec: str) -> str:
        raise refuse("the text of a cell outside the program")

    def __float__(self) -> float:
        raise refuse("a cell as a number outside the program")

    def __index__(self) -> int:
        raise refuse("a cell as a place")


@dataclass(frozen=True, eq=False)
class Match:
    """What re gives for a pattern in a cell: nothing where it doesn't match."""

    found: Value
    cell: Value
    pattern: str

    def __bool__(self) -> bool:
        return path().decide(self.found)


@dataclass(frozen=True, eq=False)
class Record:
    """One row of a frame: its cells by label."""

    frame: FrameSymbol

    def cell(self, label: Any) -> Cell:
        """Return the cell under a label."""
        if label not in self.frame.columns:
            raise KeyError(label)
        return Cell(self.frame.columns[label])


class Symbolic:
    """A symbol of another kind, which says itself what is done to it."""

    def _refused(self, *rest: Any) -> Any:
        raise refuse(f"a {type(self).__name__} used as a value")

    __bool__ = __iter__ = __len__ = __str__ = __float__ = __index__ = _refused

    def attribute(self, name: str) -> Any:
        """Get an attribute."""
        raise refuse(f".{name} of a group")

    def item(self, key: Any) -> Any:
        """Get self[key]."""
        raise refuse("a place in a group")

    def set_item(self, key: Any, value: Any) -> None:
        """Do self[key] = value."""
        raise refuse("a store in a group")

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a method."""
        raise refuse(f".{name}() of a group")

    def operate(self, operator: str, *operands: Any) -> Any:
        """Do an operator with this among the operands."""
        raise refuse("an operator on a group")

    def called(self, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a function with this among the arguments."""
        raise refuse(f"the function {getattr(function, '__name__', function)} of a group")

    def joined(self, separator: str) -> Any:
        """Return the texts as one."""
        raise refuse("a join of a group")


def other(*things: Any) -> Any:
    """Return the first symbol of another kind among things, None where there is none."""
    return next((thing for thing in things if isinstance(thing, Symbolic)), None)


def guarded(rule: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Call a rule; what it doesn't understand can't be traced."""
    try:
        return rule(*given, **named)
    except NotTranslatable as reason:
        raise refuse(str(reason)) from None
    except (TypeError, AttributeError, AssertionError) as wrong:
        raise refuse(f"a group: {wrong}") from None


_SYMBOLIC = (Cell, Match, Record, Symbolic)


def among(*things: Any) -> bool:
    """Return whether a symbol is among things, or in a list, tuple or dict of them."""
    return tracing() and any(_symbolic(thing) for thing in things)


def _symbolic(thing: Any) -> bool:
    if isinstance(thing, _SYMBOLIC):
        return True
    if isinstance(thing, list | tuple) and len(thing) < 50:
        return any(_symbolic(one) for one in thing)
    return isinstance(thing, dict) and len(thing) < 50 and any(_symbolic(one) for one in thing.values())


def is_own(function: Any) -> bool:
    """Return whether a function is the program's own."""
    code = getattr(function, "__code__", None)
    return code is not None and code.co_filename == PROGRAM


def thing(value: Any) -> Thing:
    """Return a symbol or a plain object as a thing."""
    if isinstance(value, Cell):
        return value.thing
    if isinstance(value, list | tuple) and _symbolic(value):
        return Items(tuple(thing(one) for one in value))
    if isinstance(value, Record | Match | dict) and _symbolic(value):
        raise refuse("a whole row where a value must stand")
    made_of = constant_thing(value)
    return replace(made_of, cell=True) if isinstance(made_of, Value) else made_of


def _guarded(rule: Callable[..., Any], *given: Any, **named: Any) -> Any:
    try:
        result = rule(*given, **named)
    except NotTranslatable as reason:
        raise refuse(str(reason)) from None
    return Cell(result) if isinstance(result, Value | Parts | Accessor) else result


def truth(value: Any) -> Value:
    """Return the condition under which a value counts as true in Python."""
    found = value.thing
    if isinstance(found, Parts):
        raise refuse("the truth of the parts of a text")
    if not isinstance(found, Value):
        raise refuse("the truth of a thing")
    if found.family == "boolean":
        return found
    if found.family == "text":
        return made("x <> ''", "boolean", found, nullable=False, x=found.sql)
    if found.family in NUMERIC:
        return made("x <> 0", "boolean", found, nullable=False, x=found.sql)
    if found.family == "null":
        return constant(False)
    raise refuse(f"the truth of {found.family}")


def call(hooks: Any, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Call a function with symbols among its arguments."""
    if is_own(function):
        return function(*given, **named)
    group = other(*given, *named.values())
    if group is not None:
        return guarded(group.called, function, given, named)
    if is_own(function):
        return function(*given, **named)
    special = _CALLS.get(id(function))
    if special is not None:
        return special(*given, **named)
    name = path_of(function)
    if name is None:
        if isinstance(function, type) and issubclass(function, list | tuple | dict | set) and len(given) == 1:
            if isinstance(given[0], list | tuple | dict):
                return function(*given, **named)
        raise refuse(f"the function {getattr(function, '__name__', function)} of a cell")
    arguments = [thing(one) for one in given]
    return _guarded(calls.call, SCOPE, Name(name), "", arguments, {key: thing(one) for key, one in named.items()})


def method(hooks: Any, base: Any, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Call a method of a symbol, or of something with symbols among the arguments."""
    if isinstance(base, Symbolic):
        return guarded(base.method, name, given, named)
    group = other(*given, *named.values())
    if group is not None:
        if isinstance(base, str) and name == "join":
            return guarded(group.joined, base)
        if is_own(getattr(base, name, None)):
            return getattr(base, name)(*given, **named)
        return guarded(group.called, getattr(base, name, None), given, named)
    if isinstance(base, Record):
        return _of_record(base, name, given)
    if isinstance(base, Match):
        return _of_match(base, name, given)
    if isinstance(base, Cell):
        failing_on_null(base)
        arguments = [thing(one) for one in given]
        options = {key: thing(one) for key, one in named.items()}
        return _guarded(calls.call, SCOPE, base.thing, name, arguments, options)
    if isinstance(base, dict) and name == "get":
        return lookup(base, given[0], given[1] if len(given) > 1 else None)
    if isinstance(base, re.Pattern):
        return _CALLS[id(getattr(re, name))](base, *given, **named)
    if isinstance(base, str) and name == "join" and isinstance(given[0], list | tuple):
        parts = [piece for one in given[0] for piece in (base, one)][1:]
        return _joined(parts)
    if isinstance(base, list | dict | set):
        return getattr(base, name)(*given, **named)
    if is_own(getattr(base, name, None)):
        return getattr(base, name)(*given, **named)
    module_function = getattr(base, name, None)
    if module_function is not None and (id(module_function) in _CALLS or path_of(module_function)):
        return call(hooks, module_function, given, named)
    if isinstance(base, str | int | float):
        return _guarded(calls.call, SCOPE, thing(base), name, [thing(one) for one in given], {})
    raise refuse(f".{name}() with a cell")


def failing_on_null(cell: Cell) -> None:
    """Fail as Python does where a method is called on a null, if the program minds."""
    value = cell.thing
    if isinstance(value, Value) and value.nullable and value.family == "text" and path().trying:
        if path().decide(columns.is_na(value)):
            raise AttributeError("a null has no such method")


def _of_record(record: Record, name: str, given: Sequence[Any]) -> Any:
    if name == "get":
        return record.cell(given[0]) if given[0] in record.frame.columns else (given[1] if len(given) > 1 else None)
    raise refuse(f".{name}() of a row")


def _of_match(match: Match, name: str, given: Sequence[Any]) -> Any:
    if name == "groups":
        return tuple(_group(match, at) for at in range(1, re.compile(match.pattern).groups + 1))
    if name != "group":
        raise refuse(f".{name}() of a match")
    if len(given) > 1:
        return tuple(_group(match, at) for at in given)
    return _group(match, given[0] if given else 0)


def _group(match: Match, group: Any) -> Any:
    if group == 0:
        return _guarded(strings.extract, match.cell, constant(f"({_uncaptured(match.pattern)})"))
    compiled = re.compile(match.pattern)
    place = compiled.groupindex[group] if isinstance(group, str) else group
    return _guarded(strings.extract_group, match.cell, constant(match.pattern), place)


def _uncaptured(pattern: str) -> str:
    return re.sub(r"(?<!\\)\((?!\?)|\(\?P<\w+>", "(?:", pattern)


def attribute(hooks: Any, base: Any, name: str) -> Any:
    """Get an attribute of a symbol."""
    if isinstance(base, Symbolic):
        return guarded(base.attribute, name)
    if isinstance(base, Record):
        if name == "name":
            raise refuse("the label of a row")
        return base.cell(name)
    if isinstance(base, Cell):
        return _guarded(calls.attribute, SCOPE, base.thing, name)
    return getattr(base, name)


def item(hooks: Any, base: Any, key: Any) -> Any:
    """Get base[key]."""
    if isinstance(base, Symbolic):
        return guarded(base.item, key)
    if isinstance(base, Record):
        if isinstance(key, list):
            return Record(base.frame.with_columns({label: base.frame.column(label) for label in key}))
        return base.cell(key)
    if isinstance(base, Match):
        return _group(base, key)
    if isinstance(base, Cell):
        if isinstance(key, slice):
            bounds = tuple(None if bound is None else thing(bound) for bound in (key.start, key.stop, key.step))
            return _guarded(calls.subscript, SCOPE, base.thing, bounds)
        return _guarded(calls.subscript, SCOPE, base.thing, thing(key))
    if isinstance(base, Mapping) and isinstance(key, Cell):
        return lookup(base, key, KeyError)
    if isinstance(key, Cell):
        raise refuse("a place that depends on the data")
    return base[key]


def set_item(hooks: Any, base: Any, key: Any, value: Any) -> None:
    """Do base[key] = value for a row: rows of a trace aren't changed."""
    if isinstance(base, Symbolic):
        guarded(base.set_item, key, value)
        return
    raise refuse("a row that is changed")


def lookup(base: Mapping[Any, Any], key: Any, otherwise: Any) -> Any:
    """Return what a dict has for a cell."""
    if not isinstance(key, Cell):
        return base.get(key, otherwise) if otherwise is not KeyError else base[key]
    if any(_symbolic(value) or isinstance(value, list | dict | tuple) for value in base.values()):
        for known, value in base.items():
            if path().decide(_condition(compare(None, "Eq", key, known))):
                return value
        if otherwise is KeyError:
            raise KeyError
        return otherwise
    inside = compare(None, "In", key, list(base))
    found = _guarded(columns.map_values, key.thing, thing(dict(base)))
    if otherwise is None or not base:
        return found if base else otherwise
    if otherwise is KeyError:
        if path().trying and not path().decide(_condition(inside)):
            raise KeyError
        return Cell(replace(found.thing, nullable=False)) if not any(map(is_null, base.values())) else found
    return found if path().decide(_condition(inside)) else otherwise


def _condition(value: Any) -> Value:
    if isinstance(value, Cell) and isinstance(value.thing, Value):
        return value.thing
    return constant(bool(value))


def binary(hooks: Any, operator: str, left: Any, right: Any) -> Any:
    """Do left operator right."""
    group = other(left, right)
    if group is not None:
        return guarded(group.operate, operator, left, right)
    if isinstance(left, list | tuple) and not isinstance(right, Cell):
        return BINARY[operator](left, right)
    if operator == "Mod" and isinstance(left, str):
        raise refuse("a format with %")
    if operator not in OPERATORS:
        raise refuse(f"the operator {operator}")
    return _guarded(rules.binary, OPERATORS[operator], thing(left), thing(right))


def unary(hooks: Any, operator: str, value: Any) -> Any:
    """Do operator value."""
    if isinstance(value, Symbolic):
        return guarded(value.operate, operator, value)
    if operator == "Not":
        return not value
    return _guarded(rules.unary, OPERATORS[operator], thing(value))


def compare(hooks: Any, operator: str, left: Any, right: Any) -> Any:
    """Compare."""
    group = other(left, right)
    if group is not None:
        return guarded(group.operate, operator, left, right)
    if isinstance(left, Match) or isinstance(right, Match):
        match = left if isinstance(left, Match) else right
        truth_of = bool(match)
        return truth_of if operator in ("IsNot", "NotEq") else not truth_of
    if operator in ("In", "NotIn") and isinstance(right, Mapping):
        right = list(right)
    if operator in ("In", "NotIn") and not isinstance(left, Cell) and isinstance(right, list | tuple):
        inside = any(bool(compare(hooks, "Eq", one, left)) for one in right)
        return inside if operator == "In" else not inside
    if operator in ("Is", "IsNot") and isinstance(right, bool):
        operator = "Eq" if operator == "Is" else "NotEq"
    x, y = thing(left), thing(right)
    if isinstance(x, Value) and isinstance(y, Value) and _differ(x, y) and operator in ("Eq", "NotEq"):
        return operator == "NotEq"
    return _guarded(rules.compare, OPERATORS[operator], x, y)


def _differ(x: Value, y: Value) -> bool:
    """Whether two values are of kinds that are never equal in Python."""
    kinds = [("text", "number")[family in NUMERIC] for family in (x.family, y.family) if family in (*NUMERIC, "text")]
    return len(kinds) == 2 and kinds[0] != kinds[1]


def formatted(value: Any, conversion: int, spec: str) -> str:
    """Return one part of an f-string of plain values."""
    value = {ord("s"): str, ord("r"): repr, ord("a"): ascii}.get(conversion, lambda x: x)(value)
    return format(value, spec)


def format_parts(hooks: Any, parts: Sequence[Any]) -> Any:
    """Return an f-string with cells in it."""
    pieces = []
    for part in parts:
        if isinstance(part, str):
            pieces.append(part)
        elif not _symbolic(part[0]):
            pieces.append(formatted(*part))
        elif part[2]:
            pieces.append(_guarded(format_spec, thing(part[0]), part[2]))
        else:
            pieces.append(_guarded(columns.to_text, thing(part[0])))
    return _joined(pieces)


def _joined(pieces: Sequence[Any]) -> Any:
    joined: Any = ""
    for piece in pieces:
        joined = piece if isinstance(joined, str) and not joined else binary(None, "Add", joined, piece)
    return joined


def _text_of(value: Any) -> Value:
    found = thing(value)
    if not isinstance(found, Value):
        raise refuse("a thing where a text must stand")
    return found


def _pattern(pattern: Any) -> str:
    return text_of(thing(pattern), "a pattern") if not isinstance(pattern, str) else pattern


def _matched(prefix: str, suffix: str) -> Callable[..., Any]:
    def rule(pattern: Any, text: Any, flags: Any = 0) -> Any:
        written = _pattern(pattern)
        written = f"(?i){written}" if flags == re.IGNORECASE else written
        cell = _text_of(text)
        if flags not in (0, re.IGNORECASE):
            raise refuse("re with other flags")
        whole = f"{prefix}(?:{written}){suffix}" if prefix or suffix else written
        found = _guarded(strings.contains, cell, constant(whole))
        return Match(found.thing, cell, whole)

    return rule


def _sub(pattern: Any, repl: Any, text: Any, count: int = 0, flags: Any = 0) -> Any:
    if count or not isinstance(repl, str):
        raise refuse("re.sub with a count or a function")
    return _guarded(strings.replace_text, _text_of(text), constant(_pattern(pattern)), constant(repl),
                    flags=constant(int(flags)), regex=constant(True))  # fmt: skip


def _findall(pattern: Any, text: Any, flags: Any = 0) -> Any:
    return _guarded(strings.find_all, _text_of(text), constant(_pattern(pattern)), constant(int(flags)))


def _to_float(x: Any = 0.0) -> Any:
    value = _text_of(x)
    if value.family != "text":
        return _guarded(columns.to_float, value)
    number = made("python_float(x)", "float", value, nullable=True, x=value.sql)
    _fails_unless(made("x IS NOT NULL", "boolean", number, nullable=False, x=number.sql), ValueError)
    return Cell(replace(number, nullable=False))


def _to_integer(x: Any = 0) -> Any:
    value = _text_of(x)
    if value.family != "text":
        return _guarded(columns.to_integer, value)
    _fails_unless(made(f"coalesce({_WHOLE}, FALSE)", "boolean", value, nullable=False, x=value.sql), ValueError)
    template = "TRY_CAST(replace(strip_space(x), '_', '') AS BIGINT)"
    return Cell(made(template, "integer", value, nullable=False, x=value.sql))


def _fails_unless(condition: Value, error: type[Exception]) -> None:
    """Raise the error on the path where a condition doesn't hold, if the program takes errors here."""
    if path().trying and not path().decide(condition):
        raise error


def _isna(x: Any) -> Any:
    return _guarded(columns.is_na, _text_of(x)) if not isinstance(x, Match | Record) else not x


def _isinstance(x: Any, kinds: Any) -> Any:
    value = _text_of(x)
    asked = kinds if isinstance(kinds, tuple) else (kinds,)
    families = {"text": str, "integer": int, "float": float, "boolean": bool, "timestamp": pd.Timestamp}
    kind = families.get(value.family)
    if kind is None:
        raise refuse(f"the type of {value.family}")
    inside = any(issubclass(kind, one) for one in asked)
    if not value.nullable:
        return inside
    # a null of pandas is a float
    missing = any(issubclass(float, one) for one in asked)
    if inside == missing:
        return inside
    return _guarded(columns.not_na if inside else columns.is_na, value)


def _strptime(text: Any, pattern: Any) -> Any:
    value, written = _text_of(text), _pattern(pattern)
    moment = _guarded(calls.call, SCOPE, Name("pd.to_datetime"), "", [value],
                      {"format": constant(written), "errors": constant("coerce")}).thing  # fmt: skip
    _fails_unless(made("x IS NOT NULL", "boolean", moment, nullable=False, x=moment.sql), ValueError)
    return Cell(replace(moment, nullable=False))


def _rounded(x: Any, digits: Any = None) -> Any:
    value = _text_of(x)
    if digits is None or value.family == "integer":
        return _guarded(columns.round_, value, constant(0))
    return _guarded(columns.round_, value, constant(digits))


def _text(x: Any = "") -> Any:
    return _guarded(columns.to_text, _text_of(x))


def _as_series(data: Any = None, index: Any = None, **more: Any) -> Any:
    """A series of cells is the dict of them."""
    return dict(zip(index, data, strict=True)) if index is not None and not isinstance(data, Mapping) else data


_CALLS: Mapping[int, Callable[..., Any]] = {
    id(pd.Series): _as_series,
    id(re.search): _matched("", ""), id(re.match): _matched("^", ""), id(re.fullmatch): _matched("^", "$"),
    id(re.sub): _sub, id(re.findall): _findall, id(float): _to_float, id(int): _to_integer, id(str): _text,
    id(bool): bool, id(round): _rounded, id(isinstance): _isinstance,
    **{id(function): _isna for function in (pd.isna, pd.isnull, math.isnan)},
    **{id(function): lambda x: not _isna(x) for function in (pd.notna, pd.notnull)},
}  # fmt: skip


def traced(function: Callable[..., Any], *given: Any, **named: Any) -> list[Ending]:
    """Return the endings of a function of the program run on symbols."""
    if not is_own(function):
        raise NotTranslatable("a function that isn't the program's own")
    return explore(lambda: function(*given, **named))


def value_of(endings: Sequence[Ending], part: Callable[[Any], Any] = lambda result: result) -> Value:
    """Return the value of what a function returns, or of a part of it."""
    pairs: list[tuple[tuple[Value, ...], Value]] = []
    for ending in endings:
        found = part(ending.result)
        if isinstance(found, Match | Record):
            raise NotTranslatable("a function that returns a row or a match")
        kept = found.thing if isinstance(found, Cell) else constant_thing(found)
        if isinstance(kept, Pairs | Items | Name) or not isinstance(kept, Value):
            raise NotTranslatable("a function that returns more than a value")
        pairs.append((ending.conditions, kept))
    return one_value(pairs)
