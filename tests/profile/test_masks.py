"""The masks of a long table's cells: whatever the first rows teach, a mask is what value_mask gives."""

from hypothesis import given, settings
from hypothesis import strategies as st

from prepsql.profile.masks import mask_sql
from prepsql.profile.stack import stack

PIECES = st.sampled_from(
    ["7", "42", "a", "be", "Cat", "dogs", "UP", "WIDE", "WIDER", "é", "-", " ", ".", "'", '"', "(", "\\", "^", "x" * 20]
)
CELLS = st.lists(PIECES, max_size=6).map("".join)


CELL = "SELECT a AS value, length(a) AS size, 0 AS position, 'text' AS kind, false AS plain, a AS tidy FROM "


@settings(max_examples=60, deadline=None, derandomize=True)
@given(first=st.lists(CELLS, min_size=1, max_size=4), later=st.lists(CELLS, max_size=8))
def test_learnt_masks_are_value_masks(con, tabled, first, later):
    [subject] = stack(con, [tabled(["a", "b"], [[cell, "x"] for cell in first * 150 + later])])
    mask = mask_sql(subject, ["VARCHAR", None])
    wrong = f"SELECT value, {mask} AS mask FROM ({CELL}{subject.name}) WHERE mask IS DISTINCT FROM value_mask(value)"
    assert con.execute(wrong).fetchall() == []


def test_only_columns_whose_types_were_asked_teach_masks(con, tabled):
    [subject] = stack(con, [tabled(["a"], [["12-AB"]])])
    assert "'99-AA'" in mask_sql(subject, ["VARCHAR"])
    assert "'99-AA'" not in mask_sql(subject, [None])
