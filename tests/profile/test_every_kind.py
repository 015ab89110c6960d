"""Each kind put into generated files a known number of times: counted exactly, shown where it is, and mended away."""

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from prepsql.profile.kinds import KINDS, UNMENDED
from tests.profile.irregular import check_columns, check_put, check_unmended
from tests.profile.irregular_across import ACROSS
from tests.profile.irregular_columns import CELLS, REGULAR
from tests.profile.irregular_headers import HEADERS
from tests.profile.irregular_rows import ROWS
from tests.profile.irregular_unknown import UNKNOWN

TABLES = (*HEADERS, *ROWS, *ACROSS)
# a failing example is as small as another; another costs as much again: more of them with what is slow
PHASES = [Phase.explicit, Phase.generate]
once = settings(max_examples=1, phases=PHASES)
more = settings(max_examples=4, phases=PHASES)
seeds = st.integers(1, 2**32)


def named(kind):
    return getattr(kind, "__name__", kind)


@once
@given(rows=st.integers(60, 130), seed=seeds)
def test_irregular_cells_are_counted_exactly_and_mended(con, tmp_path_factory, rows, seed):
    check_columns(con, tmp_path_factory.mktemp("columns"), CELLS, rows, Random(seed), REGULAR)


@pytest.mark.parametrize(("kind", "put"), TABLES, ids=named)
@once
@given(seed=seeds)
def test_irregular_tables_are_counted_exactly_and_mended(con, tmp_path_factory, kind, put, seed):
    check_put(con, tmp_path_factory.mktemp("tables"), kind, put(Random(seed)))


@pytest.mark.parametrize(("kind", "put"), UNKNOWN, ids=named)
@once
@given(seed=seeds)
def test_what_nobody_can_know_has_no_mend(con, tmp_path_factory, kind, put, seed):
    check_unmended(con, tmp_path_factory.mktemp("tables"), kind, put(Random(seed)))


@pytest.mark.slow
@more
@given(rows=st.integers(60, 130), seed=seeds)
def test_irregular_cells_of_more_tables(con, tmp_path_factory, rows, seed):
    check_columns(con, tmp_path_factory.mktemp("columns"), CELLS, rows, Random(seed), REGULAR)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "put"), TABLES, ids=named)
@more
@given(seed=seeds)
def test_more_irregular_tables(con, tmp_path_factory, kind, put, seed):
    check_put(con, tmp_path_factory.mktemp("tables"), kind, put(Random(seed)))


def test_no_kind_is_left_out():
    put = {one.kind for one in CELLS.values()} | {kind for kind, _ in TABLES}
    assert put == KINDS.keys()
    assert {kind for kind, _ in UNKNOWN} == UNMENDED.keys()
