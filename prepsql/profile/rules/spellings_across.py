"""Values of one column that are likely values of another: equal after folding, or an edit apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prepsql.profile.alike import Alike, find_alike
from prepsql.profile.finding import Finding
from prepsql.profile.rules.spellings import counted, map_sql
from prepsql.profile.subject import Scan


def find(scans: Sequence[Scan]) -> Iterator[Finding]:
    """Yield a finding a kind and column; it counts the distinct values that other columns have in another form."""
    for (kind, at, place), alike in find_alike(scans).items():
        scan, column = scans[at], scans[at].columns[place]
        shown = "; ".join(_shown(scans, scan, one) for one in alike[:2])
        yield Finding(
            kind,
            scan.subject.table,
            column.name,
            len(alike),
            column.distinct,
            f"{shown}; …" if len(alike) > 2 else shown,
            scan.subject.examples((one.value.value, one.value.row) for one in alike),
            map_sql(scan.subject.table, column.name, [(one.value.value, one.meant.value) for one in alike]),
            "map_value",
            scan.subject.tables,
        )


def _shown(scans: Sequence[Scan], scan: Scan, alike: Alike) -> str:
    other = scans[alike.scan]
    name = other.columns[alike.place].name
    where = name if other is scan else f"{other.subject.table}.{name}"
    return f"{counted(alike.value.value, alike.value.cells)} → {counted(*alike.meant[:2])} in {where}"
