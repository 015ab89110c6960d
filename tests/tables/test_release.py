"""Every CSV file of the public release loads with the records and cells that Python's csv module gives."""

import csv
import io

import duckdb

from prepsql.tables import read

# what the ledger may say while the cells are still those of the csv module, filled with NULL to one width
_HARMLESS = {
    "encoding",
    "empty header",
    "duplicate header",
    "short rows",
    "long rows",
    "footer",
    "blank lines",
    "line ends",
}


def test_every_file_has_the_cells_of_the_csv_module(prepbench):
    paths = sorted((prepbench / "data").rglob("*.csv"))
    assert len(paths) >= 536
    with duckdb.connect() as con:
        for path in paths:
            table = read(path, con, "t")
            data = path.read_bytes()[3 * path.read_bytes().startswith(b"\xef\xbb\xbf") :]
            text = data.decode(table.ledger.encoding)
            header, *expected = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
            kinds = {entry.kind for entry in table.ledger.entries}
            assert kinds <= _HARMLESS, (path, str(table.ledger))
            assert table.ledger.header_line == 1, path
            assert table.rows == len(expected), path
            width = len(table.columns)
            while len(header) > max(map(len, expected)) and not header[-1].strip():
                header.pop()
            assert max(map(len, [header, *expected])) == width, (path, str(table.ledger))
            if not kinds & {"empty header", "duplicate header", "long rows"}:
                assert list(table.columns) == header, path
            cells = [tuple(row) + ("",) * (width - len(row)) for row in expected]
            assert table.relation.fetchall() == cells, path
