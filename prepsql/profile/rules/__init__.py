"""The rules: one file each, which looks at the facts of one subject, or of all of them, and yields findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from prepsql.profile.finding import Finding
from prepsql.profile.rules import padded, padded_headers, spellings, spellings_across
from prepsql.profile.subject import Scan

# rules about one table, or tables of one shape
RULES: tuple[Callable[[Scan], Iterator[Finding]], ...] = (
    spellings.find,
    padded.find,
    padded_headers.find,
)

# rules that need the other tables
RULES_ACROSS: tuple[Callable[[Sequence[Scan]], Iterator[Finding]], ...] = (spellings_across.find,)
