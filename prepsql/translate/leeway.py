"""Whether a workflow gives what the code gives in one of several runs that its language takes for one."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from math import isclose
from pathlib import Path

from prepsql.errors import PrepsqlError
from prepsql.scratch import scratch_folder
from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.own import Case
from prepsql.translate.terms import Terms

Rows = list[list[str]]


def one_of(draft: Draft, case: Case, answers: Sequence[Path], roundings: Sequence[Path], terms: Terms) -> bool:
    """Return whether the workflow writes one of the code's answers, or each of its cells stands in one of them.

    For the cells rows are matched by the columns that all answers and the workflow have alike, which must tell rows
    apart. In a column in which the answers themselves differ, a cell may also be one of the `roundings`.
    """
    with scratch_folder("prepsql-leeway-") as out:
        try:
            draft.workflow.run(case.inputs, out, **terms.options)
        except PrepsqlError:
            return False
        paths = [path for path, _ in graph.outputs(draft.document["nodes"])]
        if {path.name for path in case.own.glob("output_*.csv")} != set(paths):
            return False
        return all(
            _among(_read(out / path), *([_read(one / path) for one in found] for found in (answers, roundings)))
            for path in paths
        )


def _read(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file) if row]


def _among(made: Rows, answers: Sequence[Rows], roundings: Sequence[Rows]) -> bool:
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
    try:
        return one == other or isclose(float(one), float(other), rel_tol=1e-9, abs_tol=1e-9)
    except ValueError:
        return False
