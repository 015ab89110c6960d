"""Workflows on random tables: the exported SQL gives on SQLite and PostgreSQL what it gives on DuckDB."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.workflow.dialects import engines
from tests.workflow.dialects.flows import FLOWS, exported, put

_NAMES = st.sampled_from([None, "ada", "Ada", "ben", "Zoë", "", " a", "ä", "éve", "O'Neil", "日本"])
_DAYS = st.none() | st.dates(date(1999, 1, 1), date(2031, 12, 31))
_NUMBERS = st.none() | st.integers(-4000, 4000).map(lambda n: n / 200)
_ORDERS = st.lists(
    st.tuples(_NAMES, _DAYS, _NUMBERS, st.none() | st.integers(-5, 9), st.none() | st.booleans(), _NUMBERS), max_size=25
)
_RATES = st.lists(st.tuples(_NAMES, _DAYS, _NUMBERS), max_size=12)


def _key(row):
    return [(cell is None, f"{cell:.9f}" if isinstance(cell, float) else str(cell)) for cell in row]


def _plain(rows):
    """Return rows in an order of their own, with dates and booleans as SQLite has them."""
    shown = [
        tuple(
            cell.isoformat() if isinstance(cell, date) else
            float(cell) if isinstance(cell, int | float) or type(cell).__name__ == "Decimal" else cell
            for cell in row
        )
        for row in rows
    ]  # fmt: skip
    return sorted(shown, key=_key)


@pytest.mark.parametrize("name", FLOWS)
@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_random_tables_give_equal_rows(request, duckdb, name, dialect):
    there_made, here_made = exported(name, dialect), exported(name, "duckdb")
    if isinstance(there_made, list):
        assert there_made
        return
    here, there = duckdb, request.getfixturevalue(dialect)

    @settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(_ORDERS, _RATES)
    def check(orders, rates):
        for engine in (here, there):
            # ids are unique, so that no order leaves ties
            put(engine, "orders", [(number, *row) for number, row in enumerate(orders, start=1)])
            put(engine, "rates", rates)
        for path, query in there_made.items():
            wanted, got = _plain(here.query(here_made[path])), _plain(there.query(query))
            assert engines.same(wanted, got), path

    check()
