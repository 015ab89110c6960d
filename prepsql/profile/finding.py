"""A finding: one irregularity of one column or table, with where it is and the SQL that mends it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from prepsql.profile.kinds import KINDS

# how many examples a finding keeps
EXAMPLES = 5


@dataclass(frozen=True)
class Example:
    """A value and where it stands first: the table, and the line of its file from 1."""

    value: str
    table: str
    line: int


@dataclass(frozen=True)
class Finding:
    """One irregularity.

    `kind` is a key of KINDS. `column` is None where rows or the whole header are concerned. `count` is how many there
    are, of `total`, in the unit of the kind; both are exact. `tables` are all tables that were stacked to be profiled
    as one, `table` the first of them. `examples` are at most EXAMPLES, the most telling first. `detail` says in a few
    words what was seen, without the table's and column's names. `mend` is a SELECT for DuckDB with the macros of the
    library over the text table `table`, which gives the table without the irregularity; '' where only a person can
    decide. `macro` is the macro or step that does it, for a list.
    """

    kind: str
    table: str
    column: str | None
    count: int
    total: int
    detail: str
    examples: tuple[Example, ...] = ()
    mend: str = ""
    macro: str = ""
    tables: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.tables:
            object.__setattr__(self, "tables", (self.table,))

    @property
    def pattern(self) -> str:
        """HI, RI, FV, SV or MV."""
        return KINDS[self.kind].pattern

    @property
    def severity(self) -> int:
        """From 1, the layout can't be read, to 5, good to know."""
        return KINDS[self.kind].severity

    @property
    def unit(self) -> str:
        """What `count` counts: cells, rows, columns or values (distinct ones)."""
        return KINDS[self.kind].unit

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain JSON values."""
        head = {"kind": self.kind, "pattern": self.pattern, "severity": self.severity, "unit": self.unit}
        return {**head, **asdict(self)}
