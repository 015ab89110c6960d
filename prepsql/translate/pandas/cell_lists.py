"""Lists in cells: the pieces of a text, what is made of each of them, and those that are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.sqltext import free_name
from prepsql.translate.pandas import forks
from prepsql.translate.pandas.cell_matches import Found
from prepsql.translate.pandas.cell_operators import compare
from prepsql.translate.pandas.forks import Failed, explore, one_value, path, refuse, rows
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import Cell, Match, Record, fails_unless, symbolic, thing, unpacking, value_thing
from prepsql.translate.pandas.things import constant_thing, is_null
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Family, Parts, Value, constant, made, whole_of


class Pieces(Symbolic):
    """A list in a cell: `sql` is a list, and `element` what an item of it is, in terms of a variable.

    A set has no order that is known. What a program appends is part of it from then on. It `fails` where making an item
    fails, which whoever takes one item after another may not come to.
    """

    fails = False

    def __init__(self, sql: str, variable: str, element: Any, unordered: bool = False) -> None:
        self.sql = sql
        self.variable = variable
        self.element = element
        self.unordered = unordered

    def __bool__(self) -> bool:
        return path().decide(made("x > 0", "boolean", self.length(), nullable=False, x=self.length().sql))

    def length(self) -> Value:
        """Return how many items there are."""
        return Value(bind("len(x)", x=self.sql), "integer", False, cell=True)

    def at(self, sql: str) -> Any:
        """Return what an item is whose SQL is given."""
        return put(self.element, self.variable, sql)

    def value(self) -> Value:
        """Return the list of what the items are, which must be plain values."""
        item = self.item_value()
        if item.sql == self.variable:
            return Value(self.sql, "list", False, cell=True)
        sql = bind(f"list_transform(x, lambda {self.variable}: y)", x=self.sql, y=item.sql)
        return Value(sql, "list", False, cell=True)

    def item_value(self) -> Value:
        """Return what an item is, which must be a plain value."""
        if isinstance(self.element, Pieces):
            raise refuse("lists in a list")
        return value_thing(self.element).exact()

    def family(self) -> Family:
        """Return the family of the items."""
        return self.item_value().family

    def ordered(self) -> Pieces:
        """Return the list; refuse a set, whose order isn't known."""
        if self.unordered:
            raise refuse("the order of a set")
        return self

    def of(self, sql: str) -> Pieces:
        """Return another list of the same items."""
        return Pieces(sql, self.variable, self.element, self.unordered)

    def each(self, function: Callable[[Any], Any], state: str = "") -> list[forks.Ending]:
        """Return how a function of an item ends; `state` is another variable that it may name."""
        try:
            return explore(lambda: function(self.element), f"{self.variable}|{state}" if state else self.variable)
        except NotTranslatable as reason:
            raise refuse(str(reason)) from None

    def kept(self, condition: Value) -> Pieces:
        """Return the items for which a condition holds."""
        if condition.constant is True:
            return self
        return self.of(bind(f"list_filter(x, lambda {self.variable}: y)", x=self.sql, y=condition.sql))

    def counted(self, condition: Value) -> Value:
        """Return for how many items a condition holds."""
        return self.kept(condition).length()

    def __iter__(self) -> Iterator[Any]:
        count = unpacking()
        if count is None:
            raise refuse("a list in a cell outside the program")
        length = self.ordered().length()
        fails_unless(made(f"x = {count}", "boolean", length, nullable=False, x=length.sql), ValueError)
        return iter([self.at(bind(f"x[{at}]", x=self.sql)) for at in range(1, count + 1)])

    # what a program does with it

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a method of a list."""
        from prepsql.translate.pandas.cell_list_methods import METHODS

        if name not in METHODS or named:
            raise refuse(f".{name}() of a list in a cell")
        return METHODS[name](self, *given)

    def item(self, key: Any) -> Any:
        """Take an item, or some in a row."""
        self.ordered()
        if isinstance(key, slice):
            return self._slice(key)
        index = whole_of(thing(key), "a place in a list") if not isinstance(key, Cell) else None
        if index is None:
            place = value_thing(key)
            if place.family != "integer":
                raise TypeError("list indices must be integers")
            at = bind("x + 1", x=place.sql)
            inside = made("x >= 0 AND x < n", "boolean", place, nullable=False, x=place.sql, n=self.length().sql)
            if not path().decide(inside):
                raise refuse("a place in a list that may be counted from its end") if not path().trying else IndexError
            return self.at(bind("x[i]", x=self.sql, i=at))
        size = index + 1 if index >= 0 else -index
        enough = made(f"x >= {size}", "boolean", self.length(), nullable=False, x=self.length().sql)
        fails_unless(enough, IndexError)
        return self.at(bind(f"x[{index + 1 if index >= 0 else index}]", x=self.sql))

    def _slice(self, key: slice) -> Pieces:
        if symbolic(key):
            raise refuse("a slice of a list at a place that depends on the data")
        if key.step == -1 and key.start is None and key.stop is None:
            return self.of(bind("list_reverse(x)", x=self.sql))
        if key.step not in (None, 1):
            raise refuse("a slice of a list with a step")
        low = "" if not key.start else str(key.start + 1 if key.start > 0 else key.start)
        if key.stop is None:
            return self.of(bind(f"x[{low}:]", x=self.sql)) if low else self
        start = key.start or 0
        if key.stop == 0 or ((start >= 0) == (key.stop > 0) and key.stop <= start and start):
            return self.of(bind("x[2:1]", x=self.sql))
        if start < 0 < key.stop:
            raise refuse("a slice from the end up to a place from the start")
        return self.of(bind(f"x[{low}:{key.stop if key.stop > 0 else key.stop - 1}]", x=self.sql))

    def operate(self, operator: str, *operands: Any) -> Any:
        """Compare, look inside, or put two lists together."""
        from prepsql.translate.pandas.cell_sets import SETS, inside, of_sets, together

        left, right = operands if len(operands) == 2 else (operands[0], None)
        if operator == "Not":
            return not self
        if operator in ("In", "NotIn") and right is self:
            return inside(self, left, operator == "NotIn")
        if operator == "Add":
            return together(left, right)
        if operator in SETS:
            return of_sets(operator, left, right)
        if operator in ("Is", "IsNot") and (left is None or right is None):
            return operator == "IsNot"
        if operator in ("Eq", "NotEq") and isinstance(left, Pieces) and right == [] and isinstance(right, list):
            return bool(left) == (operator == "NotEq")
        raise refuse(f"{operator} of a list in a cell")

    def called(self, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a function with the list among the arguments."""
        from prepsql.translate.pandas.cell_list_functions import RULES

        rule = RULES.get(id(function))
        if rule is None:
            raise refuse(f"the function {getattr(function, '__name__', function)} of a list in a cell")
        return rule(*given, **named)

    def joined(self, separator: str) -> Any:
        """Return the texts as one."""
        self.ordered()
        if self.family() != "text":
            raise TypeError("sequence item: expected str instance")
        if self.item_value().nullable:
            raise refuse("a join of texts that may be none")
        text = bind("array_to_string(x, y)", x=self.value().sql, y=constant(separator).sql)
        return Cell(Value(text, "text", False))


def put(found: Any, variable: str, sql: str) -> Any:
    """Return a thing in terms of a variable with something in its place."""

    def text(template: str) -> str:
        return bind(template, **{variable: sql})

    if isinstance(found, Cell):
        inner = found.thing
        if isinstance(inner, Parts):
            part = inner.part
            return Cell(Parts(text(inner.sql), lambda index: text(part(index)), inner.cell))
        if isinstance(inner, Value):
            return Cell(replace(inner, sql=text(inner.sql)))
        raise refuse("a list of such things")
    if isinstance(found, Pieces):
        return Pieces(text(found.sql), found.variable, put(found.element, variable, sql), found.unordered)
    if isinstance(found, Match):
        return Match(replace(found.found, sql=text(found.found.sql)), replace(found.cell, sql=text(found.cell.sql)),
                     found.pattern)  # fmt: skip
    if isinstance(found, Record):
        return found
    if isinstance(found, Found):
        return replace(found, groups=tuple(put(one, variable, sql) for one in found.groups))
    if isinstance(found, tuple | list):
        return type(found)(put(one, variable, sql) for one in found)
    if isinstance(found, dict):
        return {key: put(one, variable, sql) for key, one in found.items()}
    if symbolic(found):
        raise refuse("a list of such things")
    return found


def fresh() -> str:
    """Return a variable that is no column's name, another one inside of another list's pieces."""
    known = rows()
    return free_name("piece" if not forks.depth() else f"piece_{forks.depth() + 1}", known.columns if known else ())


def over(sql: str, family: Family = "text") -> Pieces:
    """Return the list that an expression gives, of values of a family."""
    variable = fresh()
    return Pieces(sql, variable, Cell(Value(variable, family, False)))


def pieces(found: Any) -> Pieces | None:
    """Return a thing as the list that a loop over it goes over, None where it is no cell with pieces."""
    if isinstance(found, Pieces):
        return found
    if not isinstance(found, Cell):
        return None
    own = getattr(found, "pieces", None)
    if own is not None:
        listed: Pieces = own()
        return listed
    inner = found.thing
    if isinstance(inner, Parts):
        return over(inner.sql)
    if isinstance(inner, Value) and inner.family == "list":
        from prepsql.translate.pandas import cell_items

        return cell_items.pieces(inner)
    if isinstance(inner, Value) and inner.family == "text":
        if inner.nullable:
            fails_unless(made("x IS NOT NULL", "boolean", inner, nullable=False, x=inner.sql), TypeError)
        # a text's graphemes may be several characters of Python's
        return over(bind("regexp_extract_all(x, '(?s).')", x=inner.sql))
    return None


def pieces_of(found: Any) -> Pieces:
    """Return a thing as a list in a cell; a list of plain values or cells becomes one."""
    known = pieces(found)
    if known is not None:
        return known
    if isinstance(found, list | tuple):
        values = [value_thing(one).exact() for one in found]
        families = {value.family for value in values}
        if len(families) == 1:
            return over(f"[{', '.join(value.sql for value in values)}]", families.pop())
    raise refuse("a thing where a list must stand")


def mapped(found: Pieces, function: Callable[[Any], list[Any]], lazy: bool = False) -> Pieces:
    """Return what a function makes of the items, which gives a list of one thing, or of none."""
    endings = found.each(function)
    if any(ending.appended for ending in endings):
        raise refuse("a list that is filled in a comprehension")
    failing = [isinstance(ending.result, Failed) for ending in endings]
    if any(failing):
        fails = holds([(ending.conditions, failed) for ending, failed in zip(endings, failing, strict=True)])
        none = made("x = 0", "boolean", found.counted(fails), nullable=False, x=found.counted(fails).sql)
        if not path().decide(none):
            raise next(ending.result.error for ending in endings if isinstance(ending.result, Failed))
        endings = [ending for ending, failed in zip(endings, failing, strict=True) if not failed]
        if not endings:
            return found.kept(constant(False))
    taken = holds([(ending.conditions, bool(ending.result)) for ending in endings])
    those = [(ending.conditions, ending.result[0]) for ending in endings if ending.result]
    if not those:
        return found.kept(constant(False))
    made_of = Pieces(found.kept(taken).sql, found.variable, merged(those), found.unordered)
    made_of.fails = lazy and any(failing)
    return made_of


def holds(ways: Sequence[tuple[tuple[Value, ...], bool]]) -> Value:
    """Return the condition under which a way is taken for which the answer is True."""
    answers = {answer for _, answer in ways}
    if len(answers) == 1:
        return constant(answers.pop())
    found = one_value([(conditions, constant(answer)) for conditions, answer in ways])
    first = ways[0][0]
    if len(ways) == 2 and len(first) == 1 and ways[0][1] and not ways[1][0]:
        return first[0]
    return replace(found, nullable=False)


def merged(ways: Sequence[tuple[tuple[Value, ...], Any]]) -> Any:
    """Return what a thing is on every way: a CASE of cells, or a tuple, list or dict of such."""
    things = [found for _, found in ways]
    first = things[0]
    if len(things) == 1:
        return first
    if all(isinstance(one, tuple) and len(one) == len(first) for one in things):
        return tuple(merged([(way, one[at]) for way, one in ways]) for at in range(len(first)))
    if all(isinstance(one, dict) and list(one) == list(first) for one in things):
        return {key: merged([(way, one[key]) for way, one in ways]) for key in first}
    values = [(way, _plain(one)) for way, one in ways]
    kinds = [value for _, value in values if value.family != "null"]
    found = one_value(values)
    nones = any(value.family == "null" for _, value in values) or any(value.none for value in kinds)
    nans = any(value.nullable and not value.none and value.family != "null" for _, value in values)
    if nones and nans:
        raise refuse("a value that may be None or NaN")
    return Cell(replace(found, none=nones))


def _plain(found: Any) -> Value:
    value = found.thing if isinstance(found, Cell) else constant_thing(found) if not symbolic(found) else None
    if not isinstance(value, Value):
        raise refuse("a list now of one kind of things, now of another")
    return value


def equal(left: Any, right: Any) -> Value:
    """Return the condition that two things are equal."""
    if is_null(right) and isinstance(left, Cell):
        value = value_thing(left)
        if not (value.nullable and value.none and right is None):
            return constant(False)
        return made("x IS NULL", "boolean", value, nullable=False, x=value.sql)
    found = compare(None, "Eq", left, right)
    return value_thing(found) if isinstance(found, Cell) else constant(bool(found))


__all__ = ["Pieces", "equal", "fresh", "holds", "mapped", "merged", "over", "pieces", "pieces_of", "put"]
