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


def one_of(draft: Draft, case: Case, answers: Sequence[Path], terms: Terms) -> bool:
    """Return whether each cell that the workflow writes on the inputs of a case stands in one of the code's answers.

    Rows are matched by the columns that all answers and the workflow have alike; these must tell rows apart.
    """
    with scratch_folder("prepsql-leeway-") as out:
        try:
            draft.workflow.run(case.inputs, out, **terms.options)
        except PrepsqlError:
            return False
        paths = [path for path, _ in graph.outputs(draft.document["nodes"])]
        if {path.name for path in case.own.glob("output_*.csv")} != set(paths):
            return False
        return all(_among(_read(out / path), [_read(answer / path) for answer in answers]) for path in paths)


def _read(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file) if row]


def _among(made: Rows, answers: Sequence[Rows]) -> bool:
    if any(answer[:1] != made[:1] or len(answer) != len(made) for answer in answers):
        return False
    tables = [made[1:], *(answer[1:] for answer in answers)]
    alike = [
        place for place in range(len(made[0]))
        if len({frozenset(Counter(row[place] for row in rows).items()) for rows in tables}) == 1
    ]  # fmt: skip
    keyed = [{tuple(row[place] for place in alike): row for row in rows} for rows in tables]
    if any(len(rows) < len(made) - 1 or rows.keys() != keyed[0].keys() for rows in keyed):
        return False
    return all(
        any(_agree(cell, other[key][place]) for other in keyed[1:])
        for key, row in keyed[0].items()
        for place, cell in enumerate(row)
    )


def _agree(one: str, other: str) -> bool:
    try:
        return one == other or isclose(float(one), float(other), rel_tol=1e-9, abs_tol=1e-9)
    except ValueError:
        return False
