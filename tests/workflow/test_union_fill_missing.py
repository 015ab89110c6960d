"""A union whose items lack columns: null stands in their place, wherever they stand."""

from __future__ import annotations

from prepsql.workflow.workflow import Workflow


def test_columns_that_an_item_lacks_are_null(tmp_path):
    left = {"kind": "input", "params": {"data": [{"id": 1, "a": "x", "b": "y"}]}}
    right = {"kind": "input", "params": {"data": [{"id": 2, "b": "z", "c": 4}]}}
    flow = Workflow({"nodes": {
        "l": left, "r": right,
        "u": {"kind": "union", "inputs": {"items": ["l", "r"]}, "params": {"fill_missing": "null"}},
        "o": {"kind": "output", "inputs": {"in": "u"}, "params": {"path": "o.csv"}},
    }})  # fmt: skip
    flow.run(out=tmp_path)
    assert (tmp_path / "o.csv").read_text().splitlines() == ["id,a,b,c", "1,x,y,", "2,,z,4"]
