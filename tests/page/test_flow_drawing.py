"""Drawings of workflows: every step stands by itself, below what it takes rows from, and lines touch no other box."""

import json
from itertools import pairwise

import pytest

from prepsql.page.flow_drawing import MOST, flow_drawing
from prepsql.page.flow_layout import HEIGHT, WIDTH, layout
from prepsql.resources import tasks_dir

FLOWS = sorted(tasks_dir().glob("*/workflow.json"))


def parents_of(path):
    nodes = json.loads(path.read_text())["nodes"]
    ports = {name: node.get("inputs", {}) for name, node in nodes.items()}
    return {
        name: [source for port in given.values() for source in (port if isinstance(port, list) else [port])]
        for name, given in ports.items()
    }


@pytest.mark.parametrize("path", FLOWS, ids=lambda path: path.parent.name)
def test_each_bundled_workflow_is_drawn_whole(path):
    parents = parents_of(path)
    placed = layout(parents)
    assert set(placed.corners) == set(parents)
    assert set(placed.lines) == {(source, name) for name, sources in parents.items() for source in sources}
    corners = list(placed.corners.items())
    for at, (_, (x, y)) in enumerate(corners):
        assert 0 <= x <= placed.width - WIDTH
        assert 0 <= y <= placed.height - HEIGHT
        assert not [name for name, (a, b) in corners[at + 1 :] if abs(a - x) < WIDTH and abs(b - y) < HEIGHT]
    for (source, name), points in placed.lines.items():
        assert points[0] == pytest.approx((placed.corners[source][0] + WIDTH / 2, placed.corners[source][1] + HEIGHT))
        assert points[-1] == pytest.approx((placed.corners[name][0] + WIDTH / 2, placed.corners[name][1]))
        assert all(one[1] < other[1] for one, other in pairwise(points))
        # between layers a line passes other boxes' layer beside them
        for x, y in points[1:-1]:
            assert not [n for n, (a, b) in corners if a < x < a + WIDTH and b <= y <= b + HEIGHT]
    drawn = flow_drawing(path.read_text())
    assert [box.name.rstrip("…") for box in drawn.boxes] == [name[: len(b.name.rstrip("…"))] for name, b in
                                                             zip(parents, drawn.boxes, strict=True)]  # fmt: skip
    assert len(drawn.lines) == len(placed.lines)


def test_an_input_stands_just_above_the_step_that_needs_it():
    placed = layout({"a": [], "b": ["a"], "c": ["b"], "late": [], "d": ["c", "late"]})
    assert placed.corners["late"][1] == placed.corners["c"][1]
    assert placed.corners["a"][1] < placed.corners["b"][1] < placed.corners["c"][1] < placed.corners["d"][1]


def test_the_words_of_a_step_say_most_of_it():
    flow = {"nodes": {
        "main": {"kind": "input", "params": {"path": "inputs/input_01.csv"}},
        "fee": {"kind": "aggregate", "inputs": {"in": "main"}, "note": "of those who paid\n<now>",
                "params": {"group_keys": ["track"], "aggs": [{"as": "mean", "func": "avg", "expr": "paid"}]}},
        "both": {"kind": "join", "inputs": {"left": "fee", "right": "main"},
                 "params": {"how": "left", "on": ["track"]}},
        "out": {"kind": "output", "inputs": {"in": "both"}, "params": {"path": "output_01.csv"}},
    }}  # fmt: skip
    boxes = flow_drawing(json.dumps(flow)).boxes
    assert [box.said for box in boxes] == [
        "input: inputs/input_01.csv", "aggregate: track · mean", "join: left · track", "output: output_01.csv",
    ]  # fmt: skip
    assert boxes[1].told == (
        "fee: gives one row a group, with sums and the like\naggregate: track · mean\nof those who paid <now>"
    )
    assert [box.look for box in boxes] == ["number", "missing", "missing", "date"]


@pytest.mark.parametrize(
    "text",
    [
        "", "no JSON", "[]", "{}", '{"nodes": 3}', '{"nodes": {}}', "[" * 5000,
        '{"nodes": {"a": {"kind": "filter", "inputs": {"in": "b"}}, "b": {"kind": "filter", "inputs": {"in": "a"}}}}',
        json.dumps({"nodes": {f"s{at}": {"kind": "input"} for at in range(MOST + 1)}}),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_none(text):
    assert flow_drawing(text) is None


@pytest.mark.parametrize(
    "node",
    [
        3, {}, {"kind": 3}, {"kind": "unheard"}, {"kind": "filter", "inputs": {"in": "nowhere"}},
        {"kind": "filter", "inputs": {"in": "a"}}, {"kind": "filter", "inputs": 3, "params": []},
        {"kind": "filter", "params": {"predicate": ["a", {"b": None}, [1]]}, "note": 3},
        {"kind": "project", "params": {"compute": "all"}},
    ],
)  # fmt: skip
def test_a_model_may_write_what_it_will(node):
    assert [box.name for box in flow_drawing(json.dumps({"nodes": {"a": node}})).boxes] == ["a"]


def test_words_keep_within_their_box():
    wide, long = "日" * 60, "a" * 60
    flow = {"nodes": {long: {"kind": "filter", "params": {"predicate": wide}}}}
    (box,) = flow_drawing(json.dumps(flow)).boxes
    assert len(box.name) == 26
    assert sum(2 if sign == "日" else 1 for sign in box.said) <= 30
    assert box.said.endswith("…")
