"""What a comparison says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Example:
    """One cell that differs: the key and both cells as they stand in the files, both values as compared.

    Rows are numbered from 1, the header and blank lines apart. A value is None where the cell says nothing.
    """

    key: Mapping[str, str]
    gold_row: int
    candidate_row: int
    gold: str
    candidate: str
    gold_value: str | None
    candidate_value: str | None


@dataclass(frozen=True)
class ColumnComparison:
    """One compared column over the `rows` that were matched; `largest_error` is relative, of numbers that differ.

    `forgiven` cells agree under the policy though more than rounding parts their numbers. An infinite or undefined
    error (a number against infinity) is left out of `largest_error`. `type` is None where no type was needed: of two
    files, a column whose cells are equal as text in all matched rows.
    """

    name: str
    type: str | None
    is_key: bool
    rows: int
    differing: int
    forgiven: int
    largest_error: float | None
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class RowExample:
    """One row that has no partner, or the first of `count` rows that share a key."""

    key: Mapping[str, str]
    row: int
    count: int = 1


@dataclass(frozen=True)
class FileComparison:
    """All differences of one table; counts are of rows, None where rows couldn't be aligned.

    `near` of the `matched` rows were paired though their keys aren't equal, by numbers within the tolerance.
    `duplicates_*` counts the keys that several rows share; such rows are matched in file order. `extra_columns`
    holds the first 20 of the candidate's `extra_column_count` columns that aren't compared. `notes` says what reading
    had to do.
    """

    name: str
    passed: bool
    error_type: str = ""
    reason: str = ""
    message: str = ""
    gold_rows: int | None = None
    candidate_rows: int | None = None
    matched: int | None = None
    near: int = 0
    missing: int | None = None
    extra: int | None = None
    gold_duplicates: int = 0
    candidate_duplicates: int = 0
    missing_columns: tuple[str, ...] = ()
    extra_columns: tuple[str, ...] = ()
    extra_column_count: int = 0
    columns: tuple[ColumnComparison, ...] = ()
    missing_examples: tuple[RowExample, ...] = ()
    extra_examples: tuple[RowExample, ...] = ()
    duplicate_examples: tuple[RowExample, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """The verdict of one policy, with its first error in the order of gold's file names, and the whole account.

    `forgiven` says what the policy let pass that is more than rounding, of all files; empty where that is nothing.
    """

    policy: str
    passed: bool
    error_type: str
    reason: str
    message: str
    files: tuple[FileComparison, ...]
    forgiven: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data, ready for JSON."""
        return asdict(self)
