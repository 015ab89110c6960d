"""Files into which irregularities are put with known counts, what is found in them, and what mends make of them."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

import duckdb

from prepsql.profile.finding import Finding
from prepsql.profile.kinds import KINDS
from prepsql.profile.run import profile_tables, read_files
from prepsql.tables import read

_numbers = count(1)
WORDS = ["Harbour", "Mill Road", "North Park", "Old Quarry", "Station Square", "Weir"]
CITIES = ["London", "Manchester", "Birmingham", "Liverpool", "York"]
# their mends are over the table as it was read first
ABOVE = ("preamble", "header on a later row", "two-row header")
# the last examples of these show what the other cells are
BESIDE = ("mixed date formats", "mixed time formats", "dates and numbers", "mixed decimal signs", "mixed units")
Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Irregularity:
    """A kind put into a column: `good` and `bad` make a cell for a number from 0; without `good` all cells are bad.

    Of the rows but the first, `least` to `most` have bad cells, two at least. A mend makes `times` rows of the row of
    a bad cell.
    """

    kind: str
    good: Callable[[int], str] | None
    bad: Callable[[int], str]
    least: float = 0
    most: float = 1 / 12
    times: Callable[[str], int] = lambda cell: 1


@dataclass(frozen=True)
class Put:
    """Files (their texts by name, in the order in which they are read) into which one irregularity was put.

    The finding is about `column`, or None, of `table`, the first file where it is ''; it is there `count` times, and
    its examples stand on `lines` of that file, or of `shown`. The mend gives the rows `mended`, their names first, of
    `all` files where it puts those together.
    """

    files: Mapping[str, str]
    column: str | None
    count: int
    lines: Sequence[int]
    mended: Rows
    table: str = ""
    shown: str = ""
    all: bool = False


def column(irregularity: Irregularity, rows: int, random: Random) -> tuple[list[str], list[int]]:
    """Return the cells of a column and the rows of its bad ones, of which there are two at least."""
    if irregularity.good is None:
        return [irregularity.bad(row) for row in range(rows)], list(range(rows))
    fewest, most = (int(share * rows) for share in (irregularity.least, irregularity.most))
    bad = sorted(random.sample(range(1, rows), random.randint(max(2, fewest), max(2, most))))
    return [irregularity.bad(row) if row in bad else irregularity.good(row) for row in range(rows)], bad


def text(rows: Rows, quoting: int = csv.QUOTE_MINIMAL) -> str:
    """Return rows, the names first, as the text of a CSV file."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n", quoting=quoting).writerows(rows)
    return file.getvalue()


def written(columns: Mapping[str, Sequence[str]], folder: Path) -> Path:
    """Write columns to a CSV file of a name of its own."""
    path = folder / f"table_{next(_numbers)}.csv"
    path.write_text(text([list(columns), *zip(*columns.values(), strict=True)], csv.QUOTE_ALL))
    return path


def findings(con: duckdb.DuckDBPyConnection, *paths: Path) -> dict[tuple[str, str, str | None], Finding]:
    """Return what is found in files by kind, table and column; there is one of each at most."""
    found = profile_tables(con, read_files(con, paths))
    assert not found.failures
    by_kind = {(finding.kind, finding.table, finding.column): finding for finding in found.findings}
    assert len(by_kind) == len(found.findings)
    return by_kind


def of_columns(con: duckdb.DuckDBPyConnection, path: Path) -> dict[tuple[str, str | None], Finding]:
    """Return what is found in one file by kind and column."""
    return {(kind, name): finding for (kind, _, name), finding in findings(con, path).items()}


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


def check_columns(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    irregularities: Mapping[str, Irregularity],
    rows: int,
    random: Random,
    regular: Mapping[str, Callable[[int], str]],
) -> None:
    """Check what is found in a table of columns with an irregularity each and regular ones, and what mends do."""
    cells, bad = {name: [make(row) for row in range(rows)] for name, make in regular.items()}, {}
    for name, one in irregularities.items():
        cells[name], bad[name] = column(one, rows, random)
    found = of_columns(con, written(cells, folder))
    assert not [key for key in found if key[1] in regular]
    for name, one in irregularities.items():
        _check_found(one, found[one.kind, name], cells[name], bad[name])
    together, wanted = dict(cells), set()
    for name, one in irregularities.items():
        times = [one.times(cell) if row in bad[name] else 1 for row, cell in enumerate(cells[name])]
        columns = mended(con, found[one.kind, name])
        for other in cells.keys() - {name}:
            assert columns[other] == [cell for cell, n in zip(cells[other], times, strict=True) for _ in range(n)], name
        if set(times) == {1}:
            wanted.add((one.kind, name))
            del together[name]
            together |= {new: columns[new] for new in columns.keys() - cells.keys() | columns.keys() & {name}}
        else:
            # the rows are others: as a table beside a regular column
            kept = {new: columns[new] for new in columns if new in (name, *regular) or new not in cells}
            assert (one.kind, name) not in of_columns(con, written(kept, folder)), name
    assert not of_columns(con, written(together, folder)).keys() & wanted


def _check_found(one: Irregularity, finding: Finding, cells: Sequence[str], bad: Sequence[int]) -> None:
    """Check that a finding counts the bad cells, or their values, and shows some of them where they are."""
    name, unit = finding.column, KINDS[one.kind].unit
    assert finding.count == (len({cells[row] for row in bad}) if unit == "values" else len(bad)), name
    assert finding.total == (len(set(cells)) if unit == "values" else len(cells)), name
    assert finding.mend, name
    if one.kind == "empty column":
        return
    assert all(cells[example.line - 2] == example.value for example in finding.examples), name
    shown = [example.line - 2 for example in finding.examples]
    here = [row for row in shown if row in bad]
    assert bad[0] in here, name
    assert shown[: len(here)] == here, name
    assert one.kind in BESIDE or here == shown, name


def check_put(con: duckdb.DuckDBPyConnection, folder: Path, kind: str, put: Put) -> None:
    """Check what is found where an irregularity was put into files, and that its mend takes it away."""
    paths, table = _paths(folder, put), put.table or next(iter(put.files))
    finding = findings(con, *paths.values())[kind, table, put.column]
    lines = [example.line for example in finding.examples if example.table == (put.shown or table)]
    assert (finding.count, lines) == (put.count, list(put.lines))
    if kind in ABOVE:
        read(paths[table], con)
    columns = mended(con, finding)
    assert [list(columns), *map(list, zip(*columns.values(), strict=True))] == list(map(list, put.mended))
    paths[table].write_text(text(put.mended, csv.QUOTE_ALL))
    left = findings(con, *([paths[table]] if put.all else paths.values()))
    # what is about rows and names must be gone from the table, what is about cells from the column
    assert not [key for key in left if key[:2] == (kind, table) and put.column in (None, key[2])]


def check_unmended(con: duckdb.DuckDBPyConnection, folder: Path, kind: str, put: Put) -> None:
    """Check that what was put into files is found, and has no mend."""
    found = findings(con, *_paths(folder, put).values())
    finding = found[kind, put.table or next(iter(put.files)), put.column]
    assert (finding.count, finding.mend) == (put.count, "")


def _paths(folder: Path, put: Put) -> dict[str, Path]:
    """Write the files of an irregularity, and return where they are by name."""
    paths = {name: folder / f"{name}.csv" for name in put.files}
    for name, path in paths.items():
        path.write_bytes(put.files[name].encode())
    return paths
