"""The same inputs give the same bytes: run after run, with one thread and with more, with ties by the thousand."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prepsql.workflow import Workflow

ROWS = 200_000


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    draw = np.random.default_rng(7)
    facts = {
        "g": draw.integers(0, 40, ROWS),
        "day": draw.integers(0, 25, ROWS),
        "zero": np.where(draw.random(ROWS) < 0.5, -0.0, 0.0),
        "x": np.round(draw.normal(0, 1e5, ROWS), 2),
        "y": draw.random(ROWS) * 10.0 ** draw.integers(-6, 9, ROWS),
        "t": np.array(["a", "ä", "", "🙂", "b"])[draw.integers(0, 5, ROWS)],
    }
    pq.write_table(pa.table(facts), folder / "facts.parquet", row_group_size=20_000)
    dims = {"g": [i % 40 for i in range(90)], "label": [f"l{i % 7}" for i in range(90)]}
    pq.write_table(pa.table(dims), folder / "dims.parquet")
    return folder


def branch(name: str, *chain: tuple[str, dict[str, Any], Any]) -> dict[str, Any]:
    """Return steps one after the other, and the output of the last."""
    nodes: dict[str, Any] = {}
    for place, (kind, params, inputs) in enumerate(chain):
        source = inputs or f"{name}_{place - 1}"
        nodes[f"{name}_{place}"] = {
            "kind": kind,
            "inputs": {"in": source} if isinstance(source, str) else source,
            "params": params,
        }
    nodes[name] = {"kind": "output", "inputs": {"in": f"{name}_{len(chain) - 1}"}, "params": {"path": f"{name}.csv"}}
    return nodes


AGGS = [
    {"as": f"{func}_{of}", "func": func, "expr": of}
    for of in ("x", "y")
    for func in ("sum", "avg", "stddev", "var", "median", "prod", "first", "last", "mode")
] + [
    {"as": "q", "func": "quantile", "expr": "x", "q": 0.3},
    {"as": "s", "func": "string_agg", "expr": "t", "filter": "day = 3"},
    {"as": "l", "func": "list", "expr": "x", "filter": "day = 4"},
    {"as": "d", "func": "string_agg", "expr": "t", "distinct": True},
    {"as": "o", "func": "list", "expr": "x", "order_by": [{"expr": "t"}], "filter": "day = 5"},
]
WINDOWS = [
    "sum(y) OVER (PARTITION BY g)",
    "avg(x) OVER (PARTITION BY g ORDER BY day)",
    "sum(y) OVER (PARTITION BY g ORDER BY day)",
    "sum(x) OVER (PARTITION BY g ORDER BY day ROWS BETWEEN 9 PRECEDING AND CURRENT ROW)",
    "max(x) OVER (PARTITION BY g ROWS BETWEEN 9 PRECEDING AND CURRENT ROW)",
    "row_number() OVER (PARTITION BY g ORDER BY day)",
    "lag(x) OVER (PARTITION BY g ORDER BY day)",
    "rank() OVER (ORDER BY day)",
    "ntile(7) OVER (ORDER BY day)",
    "sum(g) OVER (PARTITION BY day)",
    "first_value(t) OVER (PARTITION BY day ORDER BY g DESC)",
    "row_number() OVER ()",
]
NODES: dict[str, Any] = {
    "facts": {"kind": "input", "params": {"path": "facts.parquet"}},
    "dims": {"kind": "input", "params": {"path": "dims.parquet"}},
    **branch("aggregate", ("aggregate", {"group_keys": ["g"], "aggs": AGGS}, "facts")),
    **branch("whole", ("aggregate", {"aggs": AGGS[:6]}, "facts")),
    **branch(
        "joined",
        ("join", {"how": "full", "on": ["g"]}, {"left": "facts", "right": "dims"}),
        ("aggregate", {"group_keys": ["label"], "aggs": [AGGS[0], AGGS[1], AGGS[9], AGGS[10], AGGS[15]]}, None),
    ),
    **branch(
        "many",
        ("filter", {"predicate": "day < 3"}, "facts"),
        ("join", {"how": "left", "on": ["g"]}, {"left": "many_0", "right": "dims"}),
        ("project", {"select": ["day", "x", "label"]}, None),
    ),
    **branch(
        "windows",
        ("project", {"compute": [{"as": f"w{i}", "expr": text} for i, text in enumerate(WINDOWS)]}, "facts"),
        ("filter", {"predicate": "w4 % 7 = 0"}, None),
    ),
    **branch("ties", ("sort", {"order_by": [{"expr": "day"}], "limit": 5_000}, "facts")),
    **branch(
        "groups", ("sort", {"order_by": [{"expr": "day"}], "partition_by": ["g"], "limit_per_group": 50}, "facts")
    ),
    **branch("dedup", ("dedup", {"keys": ["g", "day"], "keep": "last", "order_by": [{"expr": "t"}]}, "facts")),
    **branch("rows", ("dedup", {"keys": ["t", "g"]}, "facts")),
    **branch(
        "wide",
        ("pivot", {"mode": "wider", "index": ["g"], "columns": "day", "values": ["x", "y"], "agg": "sum"}, "facts"),
    ),
    **branch(
        "firsts", ("pivot", {"mode": "wider", "index": ["day"], "columns": "g", "values": "x", "agg": "first"}, "facts")
    ),
    **branch("united", ("union", {"distinct": True}, {"items": ["many_2", "many_2"]})),
    **branch("zeros", ("aggregate", {"group_keys": ["zero"], "aggs": [{"as": "n", "func": "count"}]}, "facts")),
}


@pytest.mark.parametrize(
    "runs", [(1, 8), pytest.param((1, 2, 8, 8, 2, 8, 8, 2, 8, 8), marks=pytest.mark.slow)], ids=["two", "ten"]
)
def test_runs_with_more_threads_give_the_same_bytes(inputs: Path, tmp_path: Path, runs: tuple[int, ...]) -> None:
    flow = Workflow({"nodes": NODES})
    seen: dict[str, bytes] = {}
    for threads in runs:
        for path in flow.run(inputs, tmp_path, threads=threads).outputs:
            made = path.read_bytes()
            assert len(made) > 10
            assert seen.setdefault(path.name, made) == made, f"{path.name} differs with {threads} threads"


@pytest.mark.parametrize(
    "window",
    [
        "string_agg(t, '') OVER (PARTITION BY g ORDER BY day)",
        "list(x) OVER (ORDER BY day)",
        "stddev(y) OVER (PARTITION BY t ORDER BY day)",
        "mode(t) OVER (ORDER BY day)",
    ],
)
def test_windows_over_frames_of_ties(tmp_path: Path, window: str) -> None:
    by = Random(1)
    rows = [
        {"g": by.randint(0, 3), "day": by.randint(0, 9), "t": by.choice("abc"), "x": i, "y": by.random()}
        for i in range(1_500)
    ]
    nodes = {"main": {"kind": "input", "params": {"data": rows}}} | branch(
        "w",
        ("project", {"select": ["g", "day", "t", "x", "y"], "compute": [{"as": "w", "expr": window}]}, "main"),
        ("filter", {"predicate": "x % 97 = 0"}, None),
    )
    made = {
        Workflow({"nodes": nodes}).run(tmp_path, tmp_path, threads=threads).outputs[0].read_bytes()
        for threads in (1, 2, 8, 8)
    }
    assert len(made) == 1
