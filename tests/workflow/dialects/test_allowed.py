"""Every entry of an allow-list says there what it says in DuckDB: run on both, over awkward values."""

from __future__ import annotations

import pytest

from prepsql.workflow.dialects import dialect_of
from prepsql.workflow.dialects.placing import Sight, Source
from prepsql.workflow.dialects.translate import translate
from tests.workflow.dialects.engines import same
from tests.workflow.dialects.examples import COLUMNS, cast_examples, examples, is_aggregate

_ENGINES = ("postgres", "sqlite")


def _entries() -> list[tuple[str, str]]:
    return [(name, key) for name in _ENGINES for key in dialect_of(name).functions]


def _translated(expression: str, dialect: str) -> str:
    target = dialect_of(dialect)
    return translate(expression, target, Sight([Source("t", COLUMNS)], target))


def _compare(expression: str, here, there, *, grouped: bool) -> None:
    query = (
        (lambda e: f"SELECT g, {e} FROM t GROUP BY g ORDER BY g")
        if grouped
        else (lambda e: f"SELECT k, {e} FROM t ORDER BY k")
    )
    shown = _translated(expression, there.dialect)
    wanted, got = here.query(query(expression)), there.query(query(shown))
    differ = [(a, b) for a, b in zip(wanted, got, strict=True) if not same([a], [b])]
    assert not differ, f"{expression} is {shown}: {differ[:5]}"


@pytest.mark.parametrize(("dialect", "key"), _entries())
def test_an_entry_gives_what_duckdb_gives(request, awkward, dialect, key):
    target = dialect_of(dialect)
    expressions = examples(key, decimals=target.scale is not None)
    assert expressions
    for expression in expressions:
        _compare(expression, awkward, request.getfixturevalue(dialect), grouped=is_aggregate(key))


@pytest.mark.parametrize(("dialect", "key"), [(n, key) for n in _ENGINES for key in dialect_of(n).casts])
def test_a_cast_gives_what_duckdb_gives(request, awkward, dialect, key):
    for expression in cast_examples(*key):
        _compare(expression, awkward, request.getfixturevalue(dialect), grouped=False)


@pytest.mark.parametrize("dialect", _ENGINES)
def test_formats_of_dates_give_what_duckdb_gives(request, awkward, dialect):
    for code in filter(None, dialect_of(dialect).formats):
        _compare(f"strftime(s, '{code}')", awkward, request.getfixturevalue(dialect), grouped=False)
