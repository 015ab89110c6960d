"""Reading: each fixture `x.csv` says in `x.csv.json` what must come of it; then errors, other formats, line numbers."""

import json
from pathlib import Path

import pytest

from prepsql.tables import KINDS, read

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "tables"
CASES = sorted(path.name.removesuffix(".json") for path in FIXTURES.glob("*.*.json"))


def rows_of(table):
    return [list(row) for row in table.relation.fetchall()]


@pytest.mark.parametrize("case", CASES)
def test_fixture(case):
    expected = json.loads((FIXTURES / f"{case}.json").read_text(encoding="utf-8"))
    table = read(FIXTURES / case)
    assert list(table.columns) == expected["columns"]
    assert rows_of(table) == expected["rows"]
    assert table.rows == len(expected["rows"])
    assert [entry.kind for entry in table.ledger.entries] == expected["kinds"]
    for kind, lines in expected.get("lines", {}).items():
        assert list(table.ledger.of(kind).lines) == lines
    for key, value in expected.get("ledger", {}).items():
        assert getattr(table.ledger, key) == value


def test_each_kind_of_entry_has_a_fixture():
    seen = {kind for case in CASES for kind in json.loads((FIXTURES / f"{case}.json").read_text())["kinds"]}
    assert set(KINDS) - seen <= {"sheet", "renamed header"}
