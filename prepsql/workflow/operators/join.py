"""join: two tables side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from prepsql.workflow import shape
from prepsql.workflow.families import family
from prepsql.workflow.operators.base import (
    Cells,
    Demand,
    Lowered,
    Named,
    Operator,
    Ports,
    Scope,
    Text,
    carried,
    duplicates,
    hidden_of,
    moved,
    problem,
)
from prepsql.workflow.problem import Problem, listing
from prepsql.workflow.relation import UNKNOWN, OrderKey, Relation
from prepsql.workflow.reserved import column_name

Pairs = list[tuple[str, str]]


class Join(Operator):
    """Put rows of `left` and `right` that belong together side by side.

    Those are rows whose keys are equal, or for which `condition` holds; it names columns by step: `orders.day >=
    rates.first_day`. `on` names keys that both sides have; the result has them once. `left_on` and `right_on` pair
    keys of different names; the result has both. Null keys match nothing, or one another with `null_equal`. `semi` and
    `anti` keep the left rows that have, or don't have, a match. Columns that both sides have besides are an error
    unless `suffixes` settle them; `select_left` and `select_right` take only these columns. `validate` ends the run
    where a side that says 1 has a key twice. Rows come in the left's order, matches of one row in the right's; right
    rows without a match come last.
    """

    kind: ClassVar[str] = "join"
    purpose: ClassVar[str] = "puts rows of two tables that belong together side by side"
    ports: ClassVar[Ports] = "left right"

    how: Literal["inner", "left", "right", "full", "semi", "anti", "cross"]
    on: list[str] | None = Field(default=None, min_length=1)
    left_on: list[str] | None = Field(default=None, min_length=1)
    right_on: list[str] | None = Field(default=None, min_length=1)
    condition: str | None = None
    null_equal: bool = False
    suffixes: tuple[str, str] | None = Field(default=None, strict=False)
    select_left: list[str] | None = None
    select_right: list[str] | None = None
    validate_: Literal["1:1", "1:m", "m:1", "m:m"] | None = Field(default=None, alias="validate")

    def columns_named(self, scope: Scope) -> Iterator[Named]:
        """Yield keys and chosen columns."""
        sides = (
            ("on", self.on, "left"), ("on", self.on, "right"), ("left_on", self.left_on, "left"),
            ("right_on", self.right_on, "right"), ("select_left", self.select_left, "left"),
            ("select_right", self.select_right, "right"),
        )  # fmt: skip
        for parameter, names, port in sides:
            for position, name in enumerate(names or ()):
                yield Named(f"{parameter}[{position}]", name, port)

    def expressions(self, scope: Scope) -> Iterator[Text]:
        """Yield the condition; its columns are checked by `faults`."""
        if self.condition:
            left, right = scope.inputs["left"], scope.inputs["right"]
            both = {**left.columns, **right.columns, **{left.name: UNKNOWN, right.name: UNKNOWN}}
            yield Text("condition", self.condition, "predicate", both)

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield ways to match that are missing, doubled or of unequal length or type, and columns that collide."""
        ways = [self.on is not None, self.left_on is not None or self.right_on is not None, bool(self.condition)]
        if self.how == "cross" and any(ways):
            yield problem(scope, "how", "bad_value", "a cross join has no keys", "leave them out, or use inner")
        if self.how != "cross" and not any(ways):
            yield problem(
                scope, "on", "missing_parameter", "a join needs one of: on; left_on with right_on; condition",
                "give the key columns, such as on: [\"id\"]",
            )  # fmt: skip
            return
        if self.how != "cross" and sum(ways) > 1:
            yield problem(
                scope, "on", "bad_value", "on, left_on with right_on, and condition are ways to match; give one",
                "leave the others out",
            )  # fmt: skip
        if len(self.left_on or ()) != len(self.right_on or ()):
            yield problem(
                scope, "right_on", "bad_value", "left_on and right_on are of different length",
                "pair each left key with a right one",
            )  # fmt: skip
        if self.validate_ and not (self.on or self.left_on):
            yield problem(scope, "validate", "bad_value", "validate needs keys", "give on, or left_on and right_on")
        chosen = [name.lower() for name in self.select_left] if self.select_left is not None else None
        for position, name in enumerate(self.select_right or ()):
            if name.lower() in map(str.lower, self.on or ()) and chosen is not None and name.lower() not in chosen:
                yield problem(
                    scope, f"select_right[{position}]", "bad_value", f"'{name}' is a key of both sides, which the left "
                    "gives", "name it in select_left",
                )  # fmt: skip
        left, right = scope.inputs["left"], scope.inputs["right"]
        if left.name == right.name and self.condition:
            yield problem(
                scope, "condition", "ambiguous_column", f"both sides are '{left.name}'",
                "put a project step between that renames the columns of one side",
            )  # fmt: skip
        for a, b in self._pairs(left, right):
            kinds = left.columns.get(a, UNKNOWN), right.columns.get(b, UNKNOWN)
            if UNKNOWN not in kinds and family(kinds[0]) != family(kinds[1]):
                yield problem(
                    scope, "on" if self.on else "left_on", "wrong_type",
                    f"'{a}' is {kinds[0]} in '{left.name}', '{b}' is {kinds[1]} in '{right.name}'",
                    f"cast one of them in a project step before, such as "
                    f"{{\"col\": \"{a if kinds[0] != 'VARCHAR' else b}\", \"type\": \"VARCHAR\"}}",
                )  # fmt: skip
        for parameter, chosen in (("select_left", self.select_left), ("select_right", self.select_right)):
            for a, _ in duplicates(chosen or ()):
                yield problem(scope, parameter, "duplicate_column", f"'{a}' is there twice", "leave one out")
                return
        clashes = duplicates(new for _, new in (*self._left(scope), *self._right(scope)))
        if clashes:
            yield problem(
                scope, "suffixes", "duplicate_column",
                f"both sides have {listing([repr(b) for _, b in clashes])}",
                'give suffixes such as ["", "_right"], or choose columns by select_right',
            )  # fmt: skip

    def outline(self, scope: Scope) -> list[tuple[str, str]] | None:
        """Return the left columns, then the right ones."""
        left, right = scope.inputs["left"], scope.inputs["right"]
        columns = [(new, left.columns.get(old, UNKNOWN)) for old, new in self._left(scope)]
        return columns + [(new, right.columns.get(old, UNKNOWN)) for old, new in self._right(scope)]

    def _pairs(self, left: Relation, right: Relation) -> Pairs:
        """Return the key columns of both sides."""
        mine, theirs = (self.on, self.on) if self.on else (self.left_on or [], self.right_on or [])
        pairs = zip(mine or (), theirs or (), strict=False)
        return [(left.named(a) or a, right.named(b) or b) for a, b in pairs]

    def _left(self, scope: Scope) -> Pairs:
        """Return the left columns of the result, each with its new name."""
        left = scope.inputs["left"]
        names = [left.named(n) or n for n in self.select_left] if self.select_left is not None else list(left.columns)
        if self.how in ("semi", "anti"):
            return [(name, name) for name in names]
        theirs = {name.lower() for name in self._right_names(scope)}
        end = self.suffixes[0] if self.suffixes else ""
        return [(name, name + end if name.lower() in theirs else name) for name in names]

    def _right(self, scope: Scope) -> Pairs:
        if self.how in ("semi", "anti"):
            return []
        left = scope.inputs["left"]
        chosen = self.select_left if self.select_left is not None else left.columns
        mine = {name.lower() for name in chosen}
        end = self.suffixes[1] if self.suffixes else ""
        return [(name, name + end if name.lower() in mine else name) for name in self._right_names(scope)]

    def _right_names(self, scope: Scope) -> list[str]:
        """Return the right columns that the result has: the keys of `on` come from the left."""
        right = scope.inputs["right"]
        shared = {name.lower() for name in self.on or ()}
        if self.select_right is not None:
            return [right.named(n) or n for n in self.select_right if n.lower() not in shared]
        return [name for name in right.columns if name.lower() not in shared]

    def lower(self, scope: Scope) -> Lowered:
        """Return SELECT … JOIN."""
        left, right = scope.inputs["left"], scope.inputs["right"]
        names = (left.name, right.name if right.name != left.name else f"{right.name}_2")
        equal = "IS NOT DISTINCT FROM" if self.null_equal else "="
        pairs = self._pairs(left, right)
        on = self.condition or " AND ".join(
            f"{column_name(names[0])}.{column_name(a)} {equal} {column_name(names[1])}.{column_name(b)}"
            for a, b in pairs
        )
        shared = dict(pairs) if self.on and self.how in ("right", "full") else {}
        order, copies, hidden = self._order(scope, names)
        whole = not self._there(scope)
        items = self._items(names[0], left, self._left(scope), hidden, shared, names[1], whole=whole)
        items += self._items(names[1], right, self._right(scope))
        items += copies
        hidden = (*hidden, *(name for name, _ in copies))
        rows = shape.table(left.name)
        if self._there(scope):
            rows = shape.project(rows, [shape.keep((), star=True), (self._there(scope), "true")])
        return Lowered(shape.join(rows, shape.table(right.name), self.how, on, items), order, hidden)

    def _there(self, scope: Scope) -> str:
        """Return the hidden column that tells left rows, whose keys may be null, from none; '' where none is needed."""
        needed = self.how in ("right", "full") and carried(scope.inputs["left"], scope.demand)
        return f"{scope.hidden}_there" if needed else ""

    def _items(
        self, table: str, side: Relation, pairs: Pairs, hidden: Sequence[str] = (),
        shared: Mapping[str, str] | None = None, other: str = "", *, whole: bool = True,
    ) -> list[shape.SqlColumns | tuple[str, str]]:  # fmt: skip
        """Return the part of the select list that one side gives; keys in `shared` come from either side."""
        pairs = [*pairs, *((name, name) for name in hidden)]
        if not pairs:
            return []
        if not shared:
            star = whole and pairs == [(name, name) for name in side.all_columns]
            return [shape.keep(pairs, star=star, of=table)]
        items: list[shape.SqlColumns | tuple[str, str]] = []
        for old, new in pairs:
            if old in shared:
                mine, theirs = (
                    f"{column_name(table)}.{column_name(old)}",
                    f"{column_name(other)}.{column_name(shared[old])}",
                )
                items.append((new, f"coalesce({mine}, {theirs})"))
            else:
                items.append(shape.keep([(old, new)], of=table))
        return items

    def _order(self, scope: Scope, names: tuple[str, str]) -> tuple[tuple[OrderKey, ...], Cells, tuple[str, ...]]:
        """Return the order of the result: the left's, then the right's; copies that it needs; left columns it takes.

        Hidden columns of the left keep their names, all others get new ones: both sides may rest on one step.
        """
        left, right = scope.inputs["left"], scope.inputs["right"]
        kept = hidden_of(left, carried(left, scope.demand))
        order, cells = moved(carried(left, scope.demand), kept, f"{scope.hidden}_left")
        copies = [(name, f"{column_name(names[0])}.{cell}") for name, cell in cells]
        if self.how not in ("semi", "anti"):
            more, cells = moved(carried(right, scope.demand), (), f"{scope.hidden}_right")
            order += more
            copies += [(name, f"{column_name(names[1])}.{cell}") for name, cell in cells]
        there = self._there(scope)
        if there:
            copies.append((there, f"{column_name(names[0])}.{there}"))
            order = (OrderKey(there), *order)
        return order, copies, kept

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Rows keep the order of both sides."""
        return wanted
