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
    others = {name: f"a{at},b{at},c{at}\nm,{at},x y\nn,{at},z\nm,{at},x  y\n" for at, name in enumerate(names)}
    paths = written(**texts, **others)
    found = profile(paths)
    assert found.failures == ()
    assert found.tables[0].tables == ("x", "X_2")
    for table, path in zip(found.tables[1:], paths[2:], strict=True):
        (alone,) = profile(path).tables
        assert [(c.name, c.kinds, c.distinct, c.minimum) for c in table.columns] == [
            (c.name, c.kinds, c.distinct, c.minimum) for c in alone.columns
        ]


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


def failing(paths, *parts):
    """Return the profile of files where each statement with one of `parts` fails."""
    with workspace() as con:
        return profile_tables(Failing(con, lambda query: any(part in query for part in parts)), read_files(con, paths))


def test_a_column_that_fails_costs_its_own_row(written):
    paths = written(**TABLES)
    whole, found = profile(paths), failing(paths, '"fee"')
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
def test_a_part_that_fails_is_said_in_every_face_and_the_rest_stands(written, part, failed):
    paths = written(**TABLES)
    whole, found = profile(paths), failing(paths, part)
    assert {(failure.part, failure.table) for failure in found.failures} >= failed
    assert len(found.failures) <= len(failed) + 1
    assert [table.name for table in found.tables] == ["orders", "towns"]
    assert set(found.findings) <= set(whole.findings)
    if not any(part == "columns" for part, _ in failed):
        assert found.findings
    for face in faces(found):
        for failure in found.failures:
            assert failure.part in face
        assert not found.failures or "Out of Memory Error: no room" in face
    assert "<b>" not in faces(found)[1]
