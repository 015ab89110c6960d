"""A join of two relations: how their rows match, and under which names their columns come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from prepsql.translate.sql.conditions import equality, names
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import column_in, mark, marked, written
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Column, Rows
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.translate.sql.used import Used
from prepsql.translate.sql.used import used as used_in
from prepsql.workflow.reserved import column_name

_WORDS = {"semi": "in", "anti": "not_in", "cross": "by"}
_LONG = 24
Pairs = tuple[tuple[str, str], ...]


def joined(
    ctx: Context, left: Rows, right: Rows, how: str, conditions: Sequence[Node], using: Sequence[str], used: Used
) -> Rows:  # fmt: skip
    """Add a join on conditions, or on columns that both sides have; return its rows, with the columns `used`."""
    tables = {c.table.lower() for c in left.columns if c.table} & {c.table.lower() for c in right.columns if c.table}
    if tables and how not in ("semi", "anti"):
        raise Unsayable("two tables of one name in FROM")
    pairs, null_equal = _pairs(ctx, left, right, conditions, using)
    if not pairs and conditions and left.step == right.step:
        right = _copied(ctx, right, used, conditions)
    side = Sides(ctx, left, right, how, pairs, frozenset(name.lower() for name in using), used)
    params: dict[str, Any] = {"how": how}
    if pairs:
        params |= side.keys()
        params |= {"null_equal": True} if null_equal else {}
    elif conditions:
        both = _both(left, right)
        params["condition"] = " AND ".join(
            _condition(ctx, both, left, right, part, len(conditions)) for part in conditions
        )
    elif how == "inner":
        params["how"] = "cross"
    else:
        params["condition"] = "1 = 1"
    params |= side.choice()
    word = _WORDS.get(params["how"], "with")
    one, other = ctx.steps.subject(left.step), ctx.steps.subject(right.step)
    wanted = f"{one}_{word}_{other}"
    subject = wanted if word in ("with", "by") and len(wanted) <= _LONG else one
    step = ctx.steps.add("join", params, {"left": left.step, "right": right.step}, wanted, subject)
    return side.rows(step)


def _both(left: Rows, right: Rows) -> Rows:
    """Return the columns of both sides, each marked with its side."""
    columns = [replace(c, at=f"<{c.at}") for c in left.columns] + [replace(c, at=f">{c.at}") for c in right.columns]
    numbers = {a: f"<{at}" for a, at in left.numbers.items()} | {a: f">{at}" for a, at in right.numbers.items()}
    return Rows("", tuple(columns), numbers)


def _condition(ctx: Context, both: Rows, left: Rows, right: Rows, part: Node, among: int) -> str:
    """Return a condition that names columns by their steps."""
    expr = ctx.lens(both).write(part)
    text = sided(expr, left.step, right.step)
    return f"({text})" if among > 1 and part.get("class") == "CONJUNCTION" else text


def sided(expr: str, left: str, right: str) -> str:
    """Return an expression whose marks begin with < or >, the side, with each column under its step."""
    for at in marked(expr):
        step = left if at.startswith("<") else right
        expr = expr.replace(mark(at), f"{column_name(step)}.{column_name(at[1:])}")
    return expr


def _pairs(
    ctx: Context, left: Rows, right: Rows, conditions: Sequence[Node], using: Sequence[str]
) -> tuple[Pairs, bool]:
    """Return pairs of columns whose equality is all of the match, and whether nulls are equal; none where it's more."""
    if using:
        return tuple((_only(left, name), _only(right, name)) for name in using), False
    found: list[tuple[str, str]] = []
    kinds: set[bool] = set()
    for part in conditions:
        sides = equality(part)
        if sides is None:
            return (), False
        one, other, null_equal = sides
        if names(other, left) and names(one, right):
            one, other = other, one
        elif not (names(one, left) and names(other, right)):
            return (), False
        a, b = column_in(ctx.lens(left).write(one)), column_in(ctx.lens(right).write(other))
        if a is None or b is None:
            return (), False
        found.append((a, b))
        kinds.add(null_equal)
    return (tuple(found), kinds == {True}) if len(kinds) == 1 else ((), False)


def _only(rows: Rows, name: str) -> str:
    expr = rows.find([name])
    if expr is None:
        raise Unsayable(f"USING ({name}), which a side doesn't have")
    return column_in(expr) or ""


def _copied(ctx: Context, rows: Rows, used: Used, conditions: Sequence[Node]) -> Rows:
    """Add a step of its own for the right side of a join of a step with itself, columns called by the alias."""
    own = used_in(*conditions)
    wanted = [c for c in rows.columns if used.needs(c) or own.needs(c)]
    ats = list(dict.fromkeys([*(c.at for c in wanted), *rows.numbers.values()]))
    alias = next((c.table for c in rows.columns if c.table), "other")
    items = [Item(f"{alias}_{at}", mark(at)) for at in ats]
    step, new, _ = project(ctx.steps, rows.step, items, f"{ctx.steps.subject(rows.step)}_{alias}", exactly=True)
    return Rows(step, tuple(wanted)).moved(step, dict(zip(ats, new, strict=True)))


@dataclass
class Sides:
    """Which columns of both sides a join takes, and what they are called in it."""

    ctx: Context
    left: Rows
    right: Rows
    how: str
    pairs: Pairs
    using: frozenset[str]
    used: Used

    def __post_init__(self) -> None:
        self.shared = bool(self.pairs) and all(self._once(a, b) for a, b in self.pairs)
        self.suffix = ""
        alone = self.how in ("semi", "anti")
        self.mine = self.ctx.steps.columns(self.left.step)
        keys = {b for _, b in self.pairs} if self.shared else set()
        self.theirs = [] if alone else [c for c in self.ctx.steps.columns(self.right.step) if c not in keys]

    def keys(self) -> dict[str, Any]:
        """Return the parameters that pair the keys."""
        if self.shared or (self.how in ("semi", "anti") and all(a == b for a, b in self.pairs)):
            return {"on": [a for a, _ in self.pairs]}
        return {"left_on": [a for a, _ in self.pairs], "right_on": [b for _, b in self.pairs]}

    def _once(self, a: str, b: str) -> bool:
        """Return whether a pair of keys may come out as one column."""
        if a != b:
            return False
        one = self.ctx.steps.types(self.left.step)[a] == self.ctx.steps.types(self.right.step)[b]
        mine = any(self._apart(c) for c in self.left.columns if c.at == a)
        theirs = any(self._apart(c) for c in self.right.columns if c.at == b)
        return {
            "inner": one or not theirs, "left": not theirs, "right": not mine, "full": not mine and not theirs,
        }.get(self.how, False)  # fmt: skip

    def _apart(self, column: Column) -> bool:
        """Return whether a key is asked for as its own side has it."""
        if column.name.lower() in self.using:
            return self.used.names_fully(column)
        return self.used.needs(column)

    def choice(self) -> dict[str, Any]:
        """Return the parameters that settle which columns are taken where both sides have some of one name."""
        params: dict[str, Any] = {}
        if not self._clashes():
            return params
        need_left, need_right = self._needed(self.left, self.mine), self._needed(self.right, self.theirs)
        keys = [a for a, _ in self.pairs] if self.shared else []
        need_left = [c for c in self.mine if c in need_left or c in keys]
        if len(need_right) < len(self.theirs):
            self.theirs = need_right
            params["select_right"] = need_right
        if self._clashes() and len(need_left) < len(self.mine):
            self.mine = need_left
            params["select_left"] = need_left
        if self._clashes():
            self.suffix = self._free_suffix()
            params["suffixes"] = ["", self.suffix]
        return params

    def _clashes(self) -> list[str]:
        mine = {c.lower() for c in self.mine}
        return [c for c in self.theirs if c.lower() in mine]

    def _needed(self, rows: Rows, there: Sequence[str]) -> list[str]:
        wanted = {c.at for c in rows.columns if self.used.needs(c)} | set(rows.numbers.values())
        wanted |= {c.at for c in rows.columns if c.name.lower() in self.using and self.how in ("right", "full")}
        return [c for c in there if c in wanted]

    def _free_suffix(self) -> str:
        alias = next((c.table for c in self.right.columns if c.table.isidentifier()), "")
        alias = alias or self.ctx.steps.subject(self.right.step)
        clashes = self._clashes()
        taken = {c.lower() for c in [*self.mine, *self.theirs]}
        for suffix in (f"_{alias}" if len(alias) <= _LONG else "_right", "_right", "_2", "_3", "_4", "_5"):
            if not any(f"{c}{suffix}".lower() in taken for c in clashes):
                return suffix
        raise Unsayable("columns of one name on both sides")

    def rows(self, step: str) -> Rows:
        """Return the rows of the join."""
        mine = [c for c in self.left.columns if c.at in self.mine]
        if self.how in ("semi", "anti"):
            return Rows(step, tuple(mine), dict(self.left.numbers))
        clashes = set(self._clashes())
        new = {c: f"{c}{self.suffix}" if c in clashes else c for c in self.theirs}
        if self.shared and self.how in ("inner", "right"):
            new |= {b: a for a, b in self.pairs}
        theirs = [replace(c, at=new[c.at]) for c in self.right.columns if c.at in new]
        numbers = {alias: at for alias, at in self.left.numbers.items() if at in self.mine}
        numbers |= {alias: new[at] for alias, at in self.right.numbers.items() if at in new}
        rows = Rows(step, (*mine, *theirs), numbers)
        return self._merged(rows, new) if self.using else rows

    def _merged(self, rows: Rows, new: dict[str, str]) -> Rows:
        """Return the rows of USING: one column for both keys, which stand aside."""
        left = sum(c.at in self.mine for c in self.left.columns)
        columns: list[Column] = []
        compute = []
        there = {c.lower() for c in self.ctx.steps.columns(rows.step)}
        either = not self.shared and self.how in ("right", "full")
        for position, c in enumerate(rows.columns):
            pair = next((p for p in self.pairs if p[0] == c.at), None)
            key = c.name.lower() in self.using and not c.aside
            if key and position < left and pair and either:
                name = next(n for n in (f"{c.name}_of_both", f"{c.name}_of_both_2") if n.lower() not in there)
                compute.append({"as": name, "expr": written(f"coalesce({mark(pair[0])}, {mark(new[pair[1]])})")})
                columns += [Column(c.name, "", name), replace(c, aside=True)]
            else:
                columns.append(replace(c, aside=c.aside or (key and position >= left)))
        if not compute:
            return replace(rows, columns=tuple(columns))
        step = self.ctx.steps.add("project", {"compute": compute}, {"in": rows.step}, f"{rows.step}_keys")
        return Rows(step, tuple(columns), rows.numbers)
