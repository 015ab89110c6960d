from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile.irregular import check_columns
from tests.profile.irregular_columns import CELLS, REGULAR


@settings(max_examples=3)
@given(rows=st.integers(60, 130), seed=st.integers(0, 2**32))
def test_irregular_cells_are_counted_exactly_and_mended(con, tmp_path_factory, rows, seed):
    check_columns(con, tmp_path_factory.mktemp("columns"), CELLS, rows, Random(seed), REGULAR)
