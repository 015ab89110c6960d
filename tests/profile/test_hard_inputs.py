"""Files that break profilers: names that collide, odd sizes, odd cells, and queries that fail."""

import io
import json

import duckdb
import pytest
from rich.console import Console

from prepsql.page.profile_page import profile_page
from prepsql.profile import profile
from prepsql.profile.report import print_report
from prepsql.profile.run import profile_tables, read_files
from prepsql.profile.session import workspace


@pytest.fixture
def written(tmp_path):
    """Write texts to files of the given names; return their paths."""

    def write(**texts):
        paths = []
        for name, text in texts.items():
            paths.append(tmp_path / f"{name}.csv")
            paths[-1].write_bytes(text if isinstance(text, bytes) else text.encode())
        return paths

    return write


def faces(found):
    """Return the profile in all its faces: terminal, page, JSON, text for a model."""
    file = io.StringIO()
    print_report(found, Console(file=file, width=80))
    return [
        file.getvalue(), profile_page(found), json.dumps(found.to_dict(), allow_nan=False), found.prompt(),
    ]  # fmt: skip


MADE = ("values", "cells", "shapes", "numbers", "distinct", "categories", "categories words", "stacked")


def test_no_table_of_the_profile_is_called_as_a_file(written):
    """Every table that the profile makes for itself once had the name that a file may have."""
    texts = {"x": "id,city\n1,Rome\n2,Rome\n3,rome\n4,Oslo\n", "X": "id,city\n5,Bern\n"}
    names = [f"x {what}" for what in MADE] + ["join keys", "alike keys", "alike pairs", "pairs", "words", "cells"]
    others = {name: f"a{at},b{at},c{at}\nred,{at},x y\nblue,{at},z\nred,{at},x  y\n" for at, name in enumerate(names)}
    found = profile(written(**texts, **others))
    assert found.failures == ()
    assert found.tables[0].tables == ("x", "X_2")
    for at, table in enumerate(found.tables[1:]):
        facts = [(column.name, column.kinds, column.distinct) for column in table.columns]
        assert facts == [(f"a{at}", {"text": 3}, 2), (f"b{at}", {"integer": 3}, 1), (f"c{at}", {"text": 3}, 3)]


ODD_CELLS = [
    "$cells", "$table ${x} $$", "it's", "\\", "%s {0}", "</script><b>", "👩‍👩‍👧‍👦", "שלום", "a\0b",
    "\x1b[31mred", "a\u202eb", "[bold]x[/bold]", "{{7*7}}", "'; DROP TABLE x; --", '"', "''",
    "a\nb\r\nc", "2024-02-31", "0000-01-01", "9999-12-31", "31/02/2024", "1e308", "inf", "NaN", "1e999",
    "-9223372036854775808", "12345678901234567890123456789012345", "x" * 300_000, "(" * 50_000,
    "1" * 300_000,
]  # fmt: skip
ODD_NAMES = [
    "rowid", "position", "value", "n", "first", "kind", "select", 'a "b"', 'A "B"', "$cells", "it's",
    "100%", "line\nbreak", "tidy", "form", "mask", "plain", "cells", "filled", "row", "text", "l", "r",
    "pair", "key", "id", "words", "part", "cell", "nothing", "section", "side", "x", "s", "w", "t", "*",
    "", "É", "é", "ß", "İ", "word", "item", "null", "true", "lambda",
]  # fmt: skip


def table_of(*rows):
    """Return a file of rows, each cell in quotes."""
    return "".join(",".join('"' + str(cell).replace('"', '""') + '"' for cell in row) + "\n" for row in rows)


MIXED = ["alpha beta", "Alpha Beta", "x; y; z", "", "12,5", "03/04/2024", "$5", "n/a", "2024-01-01 10:00"]


@pytest.mark.parametrize(
    "text",
    [
        "a,b,c\n",
        "a\n1\n",
        "a,b\n1,2\n",
        ",\n,\n,\n",
        "a\n" + "v\n" * 400,
        "k,t,n\n" + "7,2024-01-01 00:00:00,\n" * 50,
        "l,r,n\n" + "".join(f"c{i % 4},d{i % 4},{i}\n" for i in range(80)),
        "w,k\n" + "word,1\n" * 5000 + "werd,1\n",
        "a\n-1e300\n1e300\n1.7976931348623157e308\n-1.7976931348623157e308\n1e-300\n",
        ",".join(f"c{i}" for i in range(1000)) + "\n" + (",".join("1" * 1000) + "\n") * 2,
        table_of(["a", "b"], *([cell, at] for at, cell in enumerate(ODD_CELLS)), *([cell, 1] for cell in ODD_CELLS)),
        table_of(["a$b", "$b"], ["$1", "$$"], ["$1", "$$"]),
        table_of(ODD_NAMES, *([MIXED[at * row % 9] for at in range(len(ODD_NAMES))] for row in range(40))),
    ],
    ids=[
        "header alone", "one cell", "one row", "nothing filled", "one value", "constant", "pairs", "one word but one",
        "far apart", "1000 columns", "odd cells", "dollars", "odd names",
    ],
)  # fmt: skip
def test_odd_tables_are_profiled_whole(con, written, text):
    (path,) = written(pairs=text)
    found = profile_tables(con, read_files(con, path))
    assert found.failures == ()
    assert [column.error for column in found.columns if column.error] == []
    for finding in found.findings:
        if finding.mend:
            con.execute(finding.mend).fetchall()
    faces(found)
    assert [len(found.prompt(most)) <= most for most in (0, 1, 159, 160, 200)] == [True] * 5


def test_a_small_memory_limit_is_enough_for_a_larger_file(written):
    """DuckDB's reader alone wanted more than the smallest limit."""
    rows = 60_000
    (path,) = written(big="id,note\n" + "".join(f"{i},{i * 7919:x}{'y' * 1600}\n" for i in range(rows)))
    found = profile(path, memory_limit="64MB")
    assert (found.tables[0].rows, found.failures) == (rows, ())
    assert [column.error for column in found.columns] == ["", ""]


def test_an_interrupted_query_is_no_failure_of_a_part(written):
    def interrupt(_):
        raise RuntimeError("Query interrupted")

    with pytest.raises(KeyboardInterrupt), workspace() as con:
        profile_tables(Failing(con, interrupt), read_files(con, written(**TABLES)))


class Failing:
    """A connection on which some statements fail."""

    def __init__(self, con, fails):
        self._con, self._fails = con, fails

    def execute(self, query, *values):
        if self._fails(query):
            raise duckdb.OutOfMemoryException("Out of Memory Error:\nno room for '<b>'")
        return self._con.execute(query, *values)

    def __getattr__(self, name):
        return getattr(self._con, name)


TABLES = {
    "orders": "id,fee,city,day\n"
    + "".join(f"{i},${i},{['Rome', 'rome', 'Oslo', 'n/a'][i % 4]},0{1 + i % 9}/02/2024\n" for i in range(40)),
    "towns": "town,land\n" + "".join(f"{town},{i % 2}\n" for i, town in enumerate(["Rome", "Oslo", "Bern"] * 9)),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The profile of the tables of which nothing fails."""
    folder = tmp_path_factory.mktemp("whole")
    for name, text in TABLES.items():
        (folder / f"{name}.csv").write_text(text)
    return profile([folder / f"{name}.csv" for name in TABLES])


def failing(paths, *parts):
    """Return the profile of files where each statement with one of `parts` fails."""
    with workspace() as con:
        return profile_tables(Failing(con, lambda query: any(part in query for part in parts)), read_files(con, paths))


def test_a_column_that_fails_costs_its_own_row(written, whole):
    found = failing(written(**TABLES), '"fee"')
    assert [column.name for column in found.columns if column.error] == ["fee"]
    assert {f for f in whole.findings if f.column in ("city", "day")} <= set(found.findings)
    assert [column for column in found.columns if column.name != "fee"] == [
        column for column in whole.columns if column.name != "fee"
    ]


@pytest.mark.parametrize(
    ("part", "failed"),
    [
        ("orders/distinct", {("columns", "orders")}),
        ("orders/categories/words", {("spellings", "orders")}),
        ("towns/categories", {("spellings", "towns"), ("rule spellings across", "")}),
        ("/alike keys", {("rule spellings across", "")}),
        ("/join keys", {("joins", "")}),
        ("approx_count_distinct(hash(", {("dependencies", "orders"), ("dependencies", "towns")}),
        ("'ditto'", {("rule empties", "orders"), ("rule empties", "towns")}),
        ("levenshtein", {("spellings", "orders"), ("spellings", "towns"), ("rule spellings across", "")}),
        ("", {("columns", "orders"), ("columns", "towns")}),
    ],
)
def test_a_part_that_fails_is_said_in_every_face_and_the_rest_stands(written, whole, part, failed):
    found = failing(written(**TABLES), part)
    assert {(failure.part, failure.table) for failure in found.failures} >= failed
    assert len(found.failures) <= len(failed) + 1
    assert [table.name for table in found.tables] == ["orders", "towns"]
    assert set(found.findings) <= set(whole.findings)
    if not any(part == "columns" for part, _ in failed):
        assert found.findings
    shown = faces(found)
    for face in shown:
        for failure in found.failures:
            assert failure.part in face
        assert not found.failures or "Out of Memory Error: no room" in face
    assert "<b>" not in shown[1]
