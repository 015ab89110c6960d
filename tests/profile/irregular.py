"""Tables into which irregularities are put with known counts, and what the rules find in them."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

import duckdb

from prepsql.profile.columns import scan
from prepsql.profile.finding import Finding
from prepsql.profile.rules import RULES
from prepsql.profile.subject import Subject
from prepsql.tables import read

_numbers = count(1)
WORDS = ["Harbour", "Mill Road", "North Park", "Old Quarry", "Station Square", "Weir"]


@dataclass(frozen=True)
class Irregularity:
    """A kind put into a column: `good` and `bad` make a cell for a number from 0; bad cells are few, or all.

    `mended` says whether the kind has a mend.
    """

    kind: str
    good: Callable[[int], str] | None
    bad: Callable[[int], str]
    mended: bool = True


def column(irregularity: Irregularity, rows: int, random: Random) -> tuple[list[str], list[int]]:
    """Return the cells of a column and the rows of its bad ones, of which there are two at least."""
    if irregularity.good is None:
        return [irregularity.bad(row) for row in range(rows)], list(range(rows))
    bad = sorted(random.sample(range(rows), random.randint(2, rows // 12)))
    return [irregularity.bad(row) if row in bad else irregularity.good(row) for row in range(rows)], bad


def written(columns: dict[str, list[str]], folder: Path) -> Path:
    """Write columns to a CSV file of a name of its own."""
    path = folder / f"table_{next(_numbers)}.csv"
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    path.write_text(text.getvalue())
    return path


def findings(con: duckdb.DuckDBPyConnection, path: Path) -> dict[tuple[str, str | None], Finding]:
    """Return what the rules about one table find in a file, by kind and column; there is one of each at most."""
    table = read(path, con)
    subject = Subject(con, table.name, table.columns, table.columns, table.rows, (table,), (0,))
    one = scan(subject)
    found = [finding for rule in RULES for finding in rule(one)]
    by_kind = {(finding.kind, finding.column): finding for finding in found}
    assert len(by_kind) == len(found)
    return by_kind


def mended(con: duckdb.DuckDBPyConnection, finding: Finding) -> dict[str, list[str]]:
    """Return the columns of what a mend gives, as they are written to a file."""
    result = con.execute(finding.mend)
    names = [name for name, *_ in result.description]
    rows = result.fetchall()
    return {name: [_written(row[at]) for row in rows] for at, name in enumerate(names)}


def _written(cell: object) -> str:
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def check_gone(con: duckdb.DuckDBPyConnection, folder: Path, some: list[Finding]) -> None:
    """Check that each mend takes its own finding away, profiled again; mends that keep all rows together."""
    together: dict[str, list[str]] = {}
    wanted = {}
    for at, finding in enumerate(some):
        columns = mended(con, finding)
        kept = len(next(iter(columns.values())))
        if finding.column in columns and kept == finding.total:
            name = f"{at} {finding.kind}"
            together[name] = columns[finding.column]
            wanted[finding.kind, name] = finding
        else:
            assert (finding.kind, finding.column) not in findings(con, written(columns, folder)), finding
    # neither row of this table is blank, as none was before
    together["row"] = [f"row {row}" for row in range(some[0].total)]
    left = findings(con, written(together, folder)).keys() & wanted.keys()
    assert not left, [wanted[key] for key in left]
