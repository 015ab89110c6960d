"""Whether a workflow gives what the code gives in one of several runs that its language takes for one."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isclose
from pathlib import Path

from prepsql.translate.front_ends import FrontEnd
from prepsql.translate.own import Case, other_cases
from prepsql.translate.terms import Terms

Rows = list[list[str]]
_FIRST = 2
"""How many other answers are run before roundings are; the rest where these don't cover it."""


@dataclass
class Leeway:
    """What else some code may answer: run on a case as far as it is asked for, and kept for the next attempt."""

    code: str
    front: FrontEnd
    scratch: Path
    terms: Terms
    _ran: dict[tuple[str, int], list[Path]] = field(default_factory=dict)

    def covers(self, case: Case, made: Path) -> bool:
        """Return whether the tables in `made` are one of the code's answers on a case, or each cell is in one of them.

        For the cells rows are matched by the columns that all answers and `made` have alike, which must tell rows
        apart. In a column in which the answers themselves differ, a cell may also be one of the roundings.
        """
        names = sorted(path.name for path in made.glob("output_*.csv"))
        if not self._rounds or {path.name for path in case.own.glob("output_*.csv")} != set(names):
            return False
        return any(
            all(among(_read(made / name), *([_read(one / name) for one in found] for found in told)) for name in names)
            for told in self._told(case)
        )

    @cached_property
    def _rounds(self) -> Sequence[tuple[bool, Sequence[str]]]:
        """Code that may answer otherwise, the likeliest first, and whether it only rounds otherwise."""
        answers = self.front.leeway(self.code) if self.front.leeway else ()
        roundings = self.front.roundings(self.code) if self.front.roundings and answers else ()
        rounds = (False, answers[:_FIRST]), (True, roundings), (False, answers[_FIRST:])
        return [(rounding, codes) for rounding, codes in rounds if codes]

    def _told(self, case: Case) -> Iterator[tuple[Sequence[Path], Sequence[Path]]]:
        """Yield the code's answers, its own first, and its roundings, more of them each time."""
        answers: list[Path] = [case.own]
        roundings: list[Path] = []
        for number, (rounding, codes) in enumerate(self._rounds):
            key = case.name, number
            if key not in self._ran:
                out = self.scratch / f"others {len(self._ran)}"
                self._ran[key] = [o.own for o in other_cases(codes, self.front.language, case, out, self.terms)]
            (roundings if rounding else answers).extend(self._ran[key])
            if len(answers) > 1:
                yield answers, roundings


def _read(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file) if row]


def among(made: Rows, answers: Sequence[Rows], roundings: Sequence[Rows]) -> bool:
    """Return whether a table is among the answers, as a whole or cell by cell."""
    if any(_same(made, answer) for answer in answers):
        return True
    if any(answer[:1] != made[:1] or len(answer) != len(made) for answer in answers):
        return False
    return _cell_by_cell(made, answers, roundings) or _cell_by_cell(made, answers, ())


def _cell_by_cell(made: Rows, answers: Sequence[Rows], roundings: Sequence[Rows]) -> bool:
    tables = made, *answers, *roundings
    alike = [
        place for place in range(len(made[0]))
        if len({frozenset(Counter(row[place] for row in rows[1:]).items()) for rows in tables}) == 1
    ]  # fmt: skip
    ours, *others = ({tuple(row[place] for place in alike): row for row in rows[1:]} for rows in tables)
    if any(len(rows) < len(made) - 1 or rows.keys() != ours.keys() for rows in (ours, *others)):
        return False
    theirs, rounded = others[: len(answers)], others[len(answers) :]
    for place in range(len(made[0])):
        shaky = any(len({rows[key][place] for rows in theirs}) > 1 for key in ours)
        told = [*theirs, *rounded] if shaky else theirs
        if not all(any(_agree(row[place], rows[key][place]) for rows in told) for key, row in ours.items()):
            return False
    return True


def _same(made: Rows, answer: Rows) -> bool:
    """Return whether two tables agree row by row, as they stand or once sorted."""
    if made[:1] != answer[:1] or len(made) != len(answer):
        return False
    orders = ((made, answer), (sorted(made[1:]), sorted(answer[1:])))
    return any(
        all(_agree(a, b) for one, other in zip(*order, strict=True) for a, b in zip(one, other, strict=True))
        for order in orders
    )


def _agree(one: str, other: str) -> bool:
    if one == other or not {".", "e"} & {*one, *other}:  # whole numbers aren't rounded
        return one == other
    try:
        return isclose(float(one), float(other), rel_tol=1e-9, abs_tol=1e-9)
    except ValueError:
        return False
