"""The rules: one file each, which looks at the facts of one subject, or of all of them, and yields findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from prepsql.profile.finding import Finding
from prepsql.profile.rules import (
    booleans,
    characters,
    codes,
    composite_header,
    compounds,
    dates,
    dates_and_numbers,
    duplicate_header,
    empties,
    header_drift,
    markup,
    misplaced_data,
    null_words,
    numbers,
    odd_rows,
    padded,
    padded_headers,
    records_in_cells,
    repeated_header,
    repeated_rows,
    row_width,
    sentinels,
    sparse_rows,
    spellings,
    spellings_across,
    tables_apart,
    times,
    total_rows,
    typed_columns,
    unix_times,
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
    repeated_rows.find,
    sparse_rows.find,
    total_rows.find,
    odd_rows.find,
    row_width.find,
    records_in_cells.find,
    markup.find,
    dates.find,
    dates_and_numbers.find,
    times.find,
    unix_times.find,
    numbers.find,
    booleans.find,
    characters.find,
    typed_columns.find,
    null_words.find,
    sentinels.find,
    empties.find,
    codes.find,
    compounds.find,
    spellings.find,
    padded.find,
    padded_headers.find,
)

# rules that need the other tables
RULES_ACROSS: tuple[Callable[[Sequence[Scan]], Iterator[Finding]], ...] = (
    header_drift.find,
    tables_apart.find,
    spellings_across.find,
)
