"""The rules: one file each, which looks at the facts of one subject, or of all of them, and yields findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from prepsql.profile.finding import Finding
from prepsql.profile.rules import (
    composite_header,
    duplicate_header,
    markup,
    misplaced_data,
    odd_rows,
    records_in_cells,
    repeated_header,
    row_width,
    sparse_rows,
    total_rows,
    unnamed,
    values_as_header,
)
from prepsql.profile.subject import Scan

# rules about one table, or tables of one shape
RULES: tuple[Callable[[Scan], Iterator[Finding]], ...] = (
    unnamed.find,
    duplicate_header.find,
    composite_header.find,
    values_as_header.find,
    misplaced_data.find,
    repeated_header.find,
    sparse_rows.find,
    total_rows.find,
    odd_rows.find,
    row_width.find,
    records_in_cells.find,
    markup.find,
)

# rules that need the other tables
RULES_ACROSS: tuple[Callable[[Sequence[Scan]], Iterator[Finding]], ...] = ()
