"""Pairs of rows that itertools gives: combinations, permutations, product."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.translate.pandas.rules.lookups import elements
from prepsql.translate.pandas.rules.loops import LoopSymbol
from prepsql.translate.pandas.rules.meetings import Meeting
from prepsql.translate.pandas.rules.row_pairs import beside, fresh
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, constant


def several(kind: str) -> Callable[..., LoopSymbol | None]:
    """Return the rule of itertools' pairs of rows: those of a table with its later ones, all others, or another's."""

    def rule(hooks: Any, result: Any, *given: Any, r: Any = None, repeat: int = 1) -> LoopSymbol | None:
        if kind == "product":
            given = given * repeat
        elif len(given) == 2:
            r = given[1]
            given = given[:1]
        loops = [elements(hooks, one) for one in given]
        known = [one for one in loops if one is not None and not one.start]
        if not any(loops):
            return None
        if kind != "product":
            known = known * 2 if r == 2 else []
        if len(known) != 2 or len(known) % len(loops):
            raise NotTranslatable(f"{kind} of these")
        first, second = known
        meeting = Meeting(hooks, first.frame.rows, second.frame.rows)
        x, y = meeting.place.sql, meeting.order.sql
        test = {"combinations": "x < y", "permutations": "x <> y"}.get(kind)
        other = beside(second.element(), meeting)
        condition = constant(True) if test is None else Value(bind(test, x=x, y=y), "boolean", False)
        rows = meeting.where(condition).frame.rows
        return LoopSymbol(FrameSymbol(rows, {}, (), True), lambda: (first.element(), fresh(other)))

    return rule


CALLS: dict[str, Callable[..., Any]] = {name: several(name) for name in ("combinations", "permutations", "product")}
