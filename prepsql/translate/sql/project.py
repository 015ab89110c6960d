"""A select list as one project step: columns chosen, renamed and computed, each after what it needs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prepsql.sqltext import free_name
from prepsql.translate.sql.lens import column_in, mark, marked, renamed, wrapped, written
from prepsql.translate.sql.steps import Params, Steps
from prepsql.translate.sql.unsayable import Unsayable

_ALIAS = "\x02"
_ALIASED = re.compile(f"{_ALIAS}(\\d+){_ALIAS}")


@dataclass(frozen=True)
class Item:
    """One column to be: its name and its expression over the step's columns; it may name items before it."""

    name: str
    expr: str


def alias_mark(position: int) -> str:
    """Return the mark of an item in the expression of a later one."""
    return f"{_ALIAS}{position}{_ALIAS}"


def inlined(expr: str, items: Sequence[Item]) -> str:
    """Return an expression with the items that it names in their places."""
    while _ALIASED.search(expr):
        expr = _ALIASED.sub(lambda found: wrapped(items[int(found[1])].expr), expr)
    return expr


def project(
    steps: Steps, step: str, items: Sequence[Item], wanted: str, *, carry: Sequence[str] = (), exactly: bool = False,
    more: Params | None = None,
) -> tuple[str, list[str], dict[str, str]]:  # fmt: skip
    """Add the project step that gives the items; return it, the column of each item, and where carried columns are.

    Columns that no item names may still be there, unless `exactly`. No step is added where nothing changes. `more` are
    parameters that come after compute.
    """
    return _Projection(steps, step, items, carry, exactly).add(wanted, more or {})


class _Projection:
    def __init__(self, steps: Steps, step: str, items: Sequence[Item], carry: Sequence[str], exactly: bool) -> None:
        self.steps, self.step, self.items, self.carry, self.exactly = steps, step, items, carry, exactly
        self.there = steps.columns(step)
        self.targets = self._targets()
        self.plain: dict[int, str] = {i: at for i, item in enumerate(items) if (at := column_in(item.expr))}

    def _targets(self) -> list[str]:
        """Return a name for each item; the second of one name gets another."""
        taken: set[str] = set()
        names = []
        for item in self.items:
            name = free_name(item.name or "column", taken)
            taken.add(name)
            names.append(name)
        return names

    def add(self, wanted: str, more: Params) -> tuple[str, list[str], dict[str, str]]:
        keeps = self._kept_as()
        computed = [i for i in range(len(self.items)) if i not in keeps]
        # columns that are needed at all, by their names before
        needed = {self.plain[i] for i in keeps} | set(self.carry)
        needed |= {at for i in computed for at in marked(self.items[i].expr)}
        names = {self.plain[i]: self.targets[i] for i in keeps}
        plain = names
        names = self._apart(plain, needed, computed, all_of_them=False)
        order = self._ordered(computed, names)
        if order is None:
            names = self._apart(plain, needed, computed, all_of_them=True)
            order = self._ordered(computed, names)
        if order is None:
            raise Unsayable("columns that need one another")
        params: Params = {}
        drops = [at for at in self.there if at not in needed]
        rename = {at: new for at, new in names.items() if at != new}
        chosen = self._in_order(keeps, needed)
        if drops and (rename or computed or self.exactly or more):
            params |= {"select": chosen} if chosen else {"drop": drops}
        if rename:
            params["rename"] = rename
        if order:
            params["compute"] = [{"as": self.targets[i], "expr": self._text(i, names)} for i in order]
        leftover = {names.get(at, at) for at in needed} - set(self.targets) - {names.get(c, c) for c in self.carry}
        carried = {at: names.get(at, at) for at in self.carry}
        if not params and not more:
            return self.step, list(self.targets), carried
        made = self.steps.add("project", params | more, {"in": self.step}, wanted)
        if self.exactly and leftover:
            select = [*self.targets, *(c for c in carried.values() if c not in self.targets)]
            if len(self.steps.columns(made)) > len(select):
                made = self.steps.add("project", {"select": select}, {"in": made}, f"{wanted}_columns")
        return made, list(self.targets), carried

    def _in_order(self, keeps: Sequence[int], needed: set[str]) -> list[str]:
        """Return the needed columns in the order of the items that they are or whose place they hold."""
        by_name = {at.lower(): at for at in self.there if at in needed}
        first = [
            self.plain[i] if i in keeps else by_name.get(target.lower(), "") for i, target in enumerate(self.targets)
        ]
        rest = [at for at in self.there if at in needed]
        return list(dict.fromkeys(at for at in [*first, *rest] if at))

    def _kept_as(self) -> list[int]:
        """Return the items that are a column which needs no computing: the first of each column, by its own name."""
        chosen: dict[str, int] = {}
        for i, at in self.plain.items():
            if at not in chosen or (self.targets[i] == at and self.targets[chosen[at]] != at):
                chosen[at] = i
        return sorted(chosen.values())

    def _apart(
        self, names: dict[str, str], needed: set[str], computed: list[int], *, all_of_them: bool
    ) -> dict[str, str]:
        """Return names for needed columns such that none is another's, nor carried under a computed one's.

        With `all_of_them` none of those that are only read has a computed one's name.
        """
        made = dict(names)
        taken = {name.lower() for name in self.targets} | {name.lower() for name in self.there}
        given = {name.lower(): at for at, name in names.items()}
        over = {self.targets[i].lower() for i in computed}
        for at in [at for at in self.there if at in needed and at not in names]:
            clash = given.get(at.lower(), at) != at
            if clash or (at.lower() in over and (all_of_them or at in self.carry)):
                made[at] = free_name(f"{at}_before", taken)
                taken.add(made[at].lower())
            elif at.lower() in over:
                made[at] = next(self.targets[i] for i in computed if self.targets[i].lower() == at.lower())
        return made

    def _ordered(self, computed: Sequence[int], names: Mapping[str, str]) -> list[int] | None:
        """Return the computed items so that each comes after those it names and before what it reads is overwritten.

        None where no order does.
        """
        left, order = list(computed), []
        while left:
            for i in left:
                others = [j for j in left if j != i]
                reads = {names.get(at, at).lower() for j in others for at in marked(self.items[j].expr)}
                waits = any(j in _wants(self.items[i].expr) for j in others)
                if not waits and self.targets[i].lower() not in reads:
                    break
            else:
                return None
            left.remove(i)
            order.append(i)
        return order

    def _text(self, i: int, names: Mapping[str, str]) -> str:
        expr = _ALIASED.sub(lambda found: mark(self.targets[int(found[1])]), renamed(self.items[i].expr, names))
        return written(expr)


def _wants(expr: str) -> set[int]:
    return {int(found) for found in _ALIASED.findall(expr)}
