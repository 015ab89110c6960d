"""A step can be joined with itself, in every way."""

import pytest

from prepsql.workflow import Workflow

STAFF = {"kind": "input", "params": {"data": [{"id": 1, "boss": None}, {"id": 2, "boss": 1}, {"id": 3, "boss": 1}]}}
ROWS = {
    "inner": ["2,1,1,", "3,1,1,"],
    "left": ["1,,,", "2,1,1,", "3,1,1,"],
    "full": ["1,,,", "2,1,1,", "3,1,1,", ",,2,1", ",,3,1"],
    "semi": ["2,1", "3,1"],
    "anti": ["1,"],
    "cross": ["1,,1,", "1,,2,1", "1,,3,1", "2,1,1,", "2,1,2,1", "2,1,3,1", "3,1,1,", "3,1,2,1", "3,1,3,1"],
}


@pytest.mark.parametrize("how", ROWS)
def test_a_step_joined_with_itself(how, tmp_path):
    keys = {} if how == "cross" else {"left_on": ["boss"], "right_on": ["id"]}
    join = {"how": how, "suffixes": ["", "_2"], **keys}
    flow = Workflow(
        {
            "nodes": {
                "staff": STAFF,
                "pairs": {"kind": "join", "inputs": {"left": "staff", "right": "staff"}, "params": join},
                "out": {"kind": "output", "inputs": {"in": "pairs"}, "params": {"path": "output_01.csv"}},
            }
        }
    )
    assert flow.check() == []
    flow.run(out=tmp_path)
    assert (tmp_path / "output_01.csv").read_text().splitlines()[1:] == ROWS[how]
