"""The rules: one file each, which looks at the facts of one subject, or of all of them, and yields findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from prepsql.profile.finding import Finding
from prepsql.profile.rules import (
    booleans,
    characters,
    codes,
    compounds,
    dates,
    dates_and_numbers,
    empties,
    null_words,
    numbers,
    padded,
    padded_headers,
    sentinels,
    spellings,
    spellings_across,
    times,
    typed_columns,
)
from prepsql.profile.subject import Scan

# rules about one table, or tables of one shape
RULES: tuple[Callable[[Scan], Iterator[Finding]], ...] = (
    dates.find,
    dates_and_numbers.find,
    times.find,
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
RULES_ACROSS: tuple[Callable[[Sequence[Scan]], Iterator[Finding]], ...] = (spellings_across.find,)
