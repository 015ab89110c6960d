"""The comparator against datacompy on the same pairs of CSV files, in one run: wall and CPU time, and peak memory.

Each side runs in a process of its own, from the files to the account of all differences. `python bench/compare.py`
makes the files with DuckDB, seeded, in a temporary folder. `--rows` scales all for a trial.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import duckdb

PAIRS = {"300,000 x 20": (300_000, 20), "5,000,000 x 10": (5_000_000, 10)}
LIMIT = 2_000_000_000
# one of each kind of column, taken in turn: integer, decimal, date, text of few values, text of many, truth, code, note
KINDS = (
    "hash(i, {s}) % 500",
    "round((hash(i, {s}) % 1000000) / 100.0 + {change}, 2)",
    "DATE '2020-01-01' + (hash(i, {s}) % 1500)::INTEGER",
    "'region ' || (hash(i, {s}) % 50)",
    "'Customer ' || (hash(i, {s}) % 300000)",
    "hash(i, {s}) % 2 = 0",
    "upper(to_hex(hash(i, {s})))",
    "(hash(i, {s}) % 1000000000) / 7e6",
    "CASE WHEN hash(i, {s}) % 10 <> 0 THEN 'note number ' || (hash(i, {s}, 1) % 97) END",
)


def make_pair(folder: Path, rows: int, columns: int) -> None:
    """Write gold.csv and candidate.csv, each in its own row order; the candidate has some cells and rows changed."""
    with duckdb.connect() as con:
        for side, seed in (("gold", 1), ("candidate", 2)):
            # every 1000th decimal differs, and one row in 100,003 is absent
            change = "CASE WHEN i % 1000 = 0 THEN 5 ELSE 0 END" if side == "candidate" else "0"
            cells = [KINDS[s % len(KINDS)].format(s=s, change=change) + f" AS c{s}" for s in range(columns - 1)]
            where = "WHERE i % 100003 <> 0" if side == "candidate" else ""
            query = f"SELECT i AS id, {', '.join(cells)} FROM range({rows}) t(i) {where} ORDER BY hash(i, {seed})"
            con.execute(f"COPY ({query}) TO '{folder / side}.csv' (HEADER)")


def run_prepsql(folder: Path) -> int:
    from prepsql.compare import compare

    found = compare(folder / "gold.csv", folder / "candidate.csv", "strict", ["id"])
    return sum(column.differing for column in found.files[0].columns)


def run_datacompy(folder: Path) -> int:
    import pandas as pd
    from datacompy import PandasCompare

    gold, candidate = pd.read_csv(folder / "gold.csv"), pd.read_csv(folder / "candidate.csv")
    found = PandasCompare(gold, candidate, join_columns=["id"], rel_tol=1e-6, abs_tol=1e-9)
    found.report()
    return sum(int(column["unequal_cnt"]) for column in found.column_stats)


SIDES = {"prepsql": run_prepsql, "prepsql, 2 GB": run_prepsql, "datacompy": run_datacompy}


def measure(side: str, folder: Path) -> dict[str, float]:
    """Run one side in a process of its own; `2 GB` limits its address space (RLIMIT_AS)."""
    command = [sys.executable, __file__, "--side", side, "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"failed": done.returncode, "reason": done.stderr.strip().splitlines()[-1:]}
    return json.loads(done.stdout.splitlines()[-1])


def run_side(side: str, folder: Path) -> None:
    if "2 GB" in side:
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    start = time.perf_counter()
    differing = SIDES[side](folder)
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak_mb": peak, "differing": differing}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=float, default=1.0, help="scale of the row counts")
    parser.add_argument("--side", choices=SIDES)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.side:
        run_side(given.side, given.folder)
        return
    names = ("duckdb", "datacompy", "pandas")
    print(f"Python {platform.python_version()}, " + ", ".join(f"{name} {version(name)}" for name in names))
    print("\n| pair | side | seconds | CPU seconds | peak MB | differing cells |\n|---|---|---|---|---|---|")
    for label, (rows, columns) in PAIRS.items():
        with tempfile.TemporaryDirectory(prefix="prepsql-bench-") as name:
            make_pair(Path(name), int(rows * given.rows), columns)
            found = {side: measure(side, Path(name)) for side in SIDES}
        for side, figures in found.items():
            if "failed" in figures:
                print(f"| {label} | {side} | failed: {figures['reason']} | | | |")
            else:
                print(
                    "| {} | {} | {seconds:.1f} | {cpu:.1f} | {peak_mb:.0f} | {differing} |".format(
                        label, side, **figures
                    )
                )
        ours, theirs = found["prepsql"], found["datacompy"]
        if "failed" not in ours and "failed" not in theirs:
            times = [f"{theirs[of] / ours[of]:.1f} times" for of in ("seconds", "cpu", "peak_mb")]
            print(f"| {label} | datacompy / prepsql | {' | '.join(times)} | |", flush=True)


if __name__ == "__main__":
    main()
