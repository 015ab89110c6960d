"""What differs from gold, example by example, as a verdict's record keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from prepsql.compare import Comparison, FileComparison
from prepsql.compare.words import cut, key_shown

MOST = 100
"""How many examples a verdict keeps; the comparator gives up to five a column."""

_LONGEST = 500


@dataclass(frozen=True)
class Difference:
    """One example of what differs in the file `file`, as `policy` reads it.

    `what` is `cell`, `missing row`, `extra row`, `shared key` (of several rows) or `missing column`; `total` counts
    all of the kind: the cells of the column that differ, the rows, the keys. A cell has both cells as they stand in the
    files, cut after 500 characters; a row its key. Rows are numbered from 1, the header apart.
    """

    policy: str
    file: str
    what: str
    total: int
    column: str | None = None
    key: str | None = None
    gold_row: int | None = None
    candidate_row: int | None = None
    gold: str | None = None
    candidate: str | None = None


def differences(comparisons: Mapping[str, Comparison]) -> tuple[Difference, ...]:
    """Return the first `MOST` examples of the first policy that doesn't pass; none where all do."""
    failed = next((comparison for comparison in comparisons.values() if not comparison.passed), None)
    if failed is None:
        return ()
    return tuple(one for file in failed.files for one in _of_file(failed.policy, file))[:MOST]


def _of_file(policy: str, file: FileComparison) -> Iterator[Difference]:
    for name in file.missing_columns:
        yield Difference(policy, file.name, "missing column", len(file.missing_columns), cut(name, _LONGEST))
    duplicates = file.gold_duplicates or file.candidate_duplicates
    for what, total, examples in (
        ("shared key", duplicates, file.duplicate_examples),
        ("missing row", file.missing or 0, file.missing_examples),
        ("extra row", file.extra or 0, file.extra_examples),
    ):
        for row in examples:
            of_gold = what == "missing row" or (what == "shared key" and file.gold_duplicates > 0)
            rows = (row.row, None) if of_gold else (None, row.row)
            yield Difference(policy, file.name, what, total, None, cut(key_shown(row.key), _LONGEST), *rows)
    for column in file.columns:
        for one in column.examples:
            yield Difference(
                policy, file.name, "cell", column.differing, cut(column.name, _LONGEST),
                cut(key_shown(one.key), _LONGEST), one.gold_row, one.candidate_row, cut(one.gold, _LONGEST),
                cut(one.candidate, _LONGEST),
            )  # fmt: skip
