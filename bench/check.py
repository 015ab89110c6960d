"""How long a check takes: 200 steps of all kinds on 20 columns; see bench/README.md."""

from __future__ import annotations

import cProfile
import pstats
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

STEPS = 200


def document(steps: int) -> dict[str, Any]:
    """Return a workflow of so many steps in a chain: input, rates, the mix below again and again, output."""
    names = [f"c{i}" for i in range(16)]
    nodes: dict[str, Any] = {
        "main": {"kind": "input", "params": {"path": "input_01.csv"}},
        "rates": {"kind": "input", "params": {"path": "input_02.csv"}},
    }
    last = "main"
    number = 0
    while len(nodes) < steps - 1:
        kind, params = _step(number, names)
        inputs = {"left": last, "right": "rates"} if kind == "join" else {"in": last}
        inputs = {"items": [last, last]} if kind == "union" else inputs
        last = f"step_{number}"
        nodes[last] = {"kind": kind, "inputs": inputs, "params": params}
        number += 1
    nodes["out"] = {"kind": "output", "inputs": {"in": last}, "params": {"path": "output_01.csv"}}
    return {"nodes": nodes}


def _step(number: int, names: list[str]) -> tuple[str, dict[str, Any]]:
    name = names[number % len(names)]
    mix: list[tuple[str, dict[str, Any]]] = [
        ("project", {"compute": [{"as": name, "expr": f"upper(trim({name})) || '{number}'"}]}),
        ("filter", {"predicate": f"amount > {number} AND day >= DATE '2024-01-01' AND {name} <> ''"}),
        ("project", {"compute": [{"as": "n", "expr": f"n + CASE WHEN amount > {number} THEN 1 ELSE 2 END"}],
                     "cast": [{"col": "amount", "type": "DOUBLE"}]}),
        ("sort", {"order_by": [{"expr": "day"}, {"expr": name, "asc": False}]}),
        ("join", {"how": "left", "on": ["id"], "select_right": []}),
        ("dedup", {"keys": ["id", name], "order_by": [{"expr": "amount"}]}),
        ("project", {"compute": [{"as": "n", "expr": f"row_number() OVER (PARTITION BY {name} ORDER BY day)"}]}),
        ("union", {}),
        ("aggregate", {"group_keys": ["id", "day", *names],
                       "aggs": [{"as": "amount", "func": "sum", "expr": "amount"},
                                {"as": "n", "func": "max", "expr": "n", "filter": f"n > {number}"}]}),
    ]  # fmt: skip
    return mix[number % len(mix)]


def write_inputs(folder: Path) -> None:
    """Write the two files that the workflow reads."""
    names = [f"c{i}" for i in range(16)]
    rows = [
        f"{i},2024-01-{i % 28 + 1:02},{i / 4},{i}," + ",".join(f"t{i}_{name}" for name in names) for i in range(1, 101)
    ]
    (folder / "input_01.csv").write_text("\n".join([f"id,day,amount,n,{','.join(names)}", *rows, ""]))
    (folder / "input_02.csv").write_text("id,rate\n1,0.5\n2,0.7\n")


def seconds(folder: Path, steps: int) -> float:
    """Return the CPU seconds of one check; fails where there are problems."""
    from prepsql.workflow import Workflow

    start = time.process_time()
    problems = Workflow(document(steps)).check(folder)
    taken = time.process_time() - start
    assert not problems, problems[:3]
    return taken


def main() -> None:
    """Print the CPU seconds of a process's first check with its imports, and of later ones; `profile` says where."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_inputs(folder)
        if sys.argv[1:] == ["once"]:
            print(f"{seconds(folder, STEPS):.3f}")
            return
        if sys.argv[1:] == ["profile"]:
            profile = cProfile.Profile()
            profile.runcall(seconds, folder, STEPS)
            pstats.Stats(profile).sort_stats("cumulative").print_stats(40)
            return
        first = subprocess.run([sys.executable, __file__, "once"], capture_output=True, text=True, check=True).stdout
        seconds(folder, 20)
        new = seconds(folder, STEPS)
        again = min(seconds(folder, STEPS) for _ in range(3))
        print("| first in a process | later, expressions new | later, again |")
        print("|---|---|---|")
        print(f"| {first.strip()} | {new:.2f} | {again:.2f} |")


if __name__ == "__main__":
    main()
