"""What a reader of one format hands back."""

from __future__ import annotations

from dataclasses import dataclass

from prepsql.tables.ledger import Ledger
from prepsql.tables.lines import LineMap


@dataclass(frozen=True)
class Loaded:
    """A table that was loaded: its columns, row count, ledger and line numbers."""

    columns: tuple[str, ...]
    rows: int
    ledger: Ledger
    lines: LineMap
