"""A workflow of twelve steps against the same steps in pandas, on the same CSV files, in one run.

Each side runs in a process of its own, from the files to the output. `python bench/workflow.py` makes the files with
DuckDB, seeded, in a temporary folder, and checks that both outputs are the same table. `--rows` picks sizes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

SIZES = (10_000, 1_000_000, 10_000_000)
PANDAS_UP_TO = 1_000_000
FLOW = {
    "name": "monthly revenue by region",
    "nodes": {
        "orders": {"kind": "input", "params": {"path": "orders.csv"}},
        "customers": {"kind": "input", "params": {"path": "customers.csv"}},
        "products": {"kind": "input", "params": {"path": "products.csv"}},
        "clean": {"kind": "project", "inputs": {"in": "orders"}, "params": {"compute": [
            {"as": "customer", "expr": "upper(trim(customer))"},
            {"as": "amount", "expr": "TRY_CAST(replace(replace(amount, '$', ''), ',', '') AS DOUBLE)"},
            {"as": "day", "expr": "CAST(try_strptime(day, '%d/%m/%Y') AS DATE)"},
            {"as": "status", "expr": "lower(status)"},
        ]}},
        "once": {"kind": "dedup", "inputs": {"in": "clean"}, "params": {
            "keys": ["order_no"], "keep": "last", "order_by": [{"expr": "version"}]}},
        "with_customer": {"kind": "join", "inputs": {"left": "once", "right": "customers"}, "params": {
            "how": "left", "on": ["customer"]}},
        "with_product": {"kind": "join", "inputs": {"left": "with_customer", "right": "products"}, "params": {
            "how": "inner", "on": ["product"]}},
        "running": {"kind": "project", "inputs": {"in": "with_product"}, "params": {"compute": [
            {"as": "place", "expr": "row_number() OVER (PARTITION BY customer ORDER BY day, order_no)"},
            {"as": "month", "expr": "strftime(day, '%Y-%m')"},
        ]}},
        "revenue": {"kind": "aggregate", "inputs": {"in": "running"}, "params": {
            "group_keys": ["region", "category", "month"], "aggs": [
                {"as": "revenue", "func": "sum", "expr": "amount", "filter": "status <> 'cancelled'"},
                {"as": "first_orders", "func": "count", "filter": "place = 1"}]}},
        "by_month": {"kind": "pivot", "inputs": {"in": "revenue"}, "params": {
            "mode": "wider", "index": ["region", "category"], "columns": "month", "values": "revenue", "agg": "sum"}},
        "ranked": {"kind": "sort", "inputs": {"in": "by_month"}, "params": {
            "order_by": [{"expr": "\"2024-01\"", "asc": False}]}},
        "out": {"kind": "output", "inputs": {"in": "ranked"}, "params": {"path": "output_01.csv"}},
    },
}  # fmt: skip


def make_files(folder: Path, rows: int) -> None:
    """Write orders (each twentieth twice, in two versions), customers and products."""
    customers = max(rows // 20, 10)
    with duckdb.connect() as con:
        con.execute(f"""COPY (
            SELECT 'A' || (i - CASE WHEN i % 20 = 0 AND i > 0 THEN 1 ELSE 0 END) AS order_no, i % 3 AS version,
                   CASE WHEN i % 5 = 0 THEN ' c' ELSE 'C' END || (hash(i, 1) % {customers}) AS customer,
                   'p' || (hash(i, 2) % 500) AS product,
                   strftime(DATE '2024-01-01' + (hash(i, 3) % 366)::INTEGER, '%d/%m/%Y') AS day,
                   CASE WHEN i % 1000 <> 7 THEN '$' || format('{{:,.2f}}', (hash(i, 4) % 500000) / 100.0) END AS amount,
                   CASE hash(i, 5) % 4 WHEN 0 THEN 'Cancelled' WHEN 1 THEN 'paid' ELSE 'Paid' END AS status,
                   hash(i, 6) % 20 AS quantity
            FROM range({rows}) t(i)) TO '{folder}/orders.csv' (HEADER)""").fetchall()
        con.execute(f"""COPY (SELECT 'C' || i AS customer, 'region ' || (i % 12) AS region
            FROM range({customers}) t(i)) TO '{folder}/customers.csv' (HEADER)""").fetchall()
        con.execute(f"""COPY (SELECT 'p' || i AS product, 'category ' || (i % 8) AS category
            FROM range(500) t(i)) TO '{folder}/products.csv' (HEADER)""").fetchall()


def run_pandas(folder: Path) -> None:
    import pandas as pd

    orders = pd.read_csv(folder / "orders.csv")
    customers = pd.read_csv(folder / "customers.csv")
    products = pd.read_csv(folder / "products.csv")
    orders["customer"] = orders["customer"].str.strip().str.upper()
    amount = orders["amount"].str.replace("$", "", regex=False).str.replace(",", "", regex=False)
    orders["amount"] = pd.to_numeric(amount, errors="coerce")
    orders["day"] = pd.to_datetime(orders["day"], format="%d/%m/%Y", errors="coerce")
    orders["status"] = orders["status"].str.lower()
    once = orders.sort_values("version", kind="stable").drop_duplicates("order_no", keep="last").sort_index()
    merged = once.merge(customers, on="customer", how="left").merge(products, on="product", how="inner")
    merged = merged.sort_values(["customer", "day", "order_no"], kind="stable")
    merged["place"] = merged.groupby("customer").cumcount() + 1
    merged = merged.sort_index()
    merged["month"] = merged["day"].dt.strftime("%Y-%m")
    merged["kept"] = merged["amount"].where(merged["status"] != "cancelled")
    merged["first"] = merged["place"] == 1
    groups = merged.groupby(["region", "category", "month"])
    revenue = pd.DataFrame({"revenue": groups["kept"].sum(min_count=1), "first_orders": groups["first"].sum()})
    revenue = revenue.reset_index()
    wide = revenue.pivot(index=["region", "category"], columns="month", values="revenue")
    wide = wide.reset_index().sort_values("2024-01", ascending=False, kind="stable")
    wide.to_csv(folder / "pandas.csv", index=False)


def run_prepsql(folder: Path, *, trace: bool = False, memory_limit: str | None = None) -> None:
    from prepsql.workflow import Workflow

    Workflow(FLOW, folder).run(out=folder / "out", trace=trace, memory_limit=memory_limit)


def read_prepsql(folder: Path) -> None:
    from prepsql.workflow.checks import read_document
    from prepsql.workflow.settings import Settings, connect
    from prepsql.workflow.sources import load_sources

    with connect(Settings(), folder) as con:
        load_sources(con, read_document(FLOW).steps, folder)


def read_pandas(folder: Path) -> None:
    import pandas as pd

    for name in ("orders", "customers", "products"):
        pd.read_csv(folder / f"{name}.csv")


SIDES = {
    "prepsql": run_prepsql,
    "prepsql --trace": lambda folder: run_prepsql(folder, trace=True),
    "prepsql, memory_limit 1GB": lambda folder: run_prepsql(folder, memory_limit="1GB"),
    "pandas": run_pandas,
    "prepsql, reading alone": read_prepsql,
    "pandas, reading alone": read_pandas,
}


def measure(side: str, folder: Path) -> dict[str, float]:
    """Run one side in a process of its own; seconds are the side's own, without starting Python and importing."""
    done = subprocess.run(
        [sys.executable, __file__, "--side", side, "--folder", str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{side}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def child(side: str, folder: Path) -> None:
    import pandas  # noqa: F401

    import prepsql.workflow  # noqa: F401

    start, cpu = time.perf_counter(), time.process_time()
    SIDES[side](folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu, "peak": peak}))


def same(folder: Path) -> None:
    """Stop where the two outputs differ: in columns, in rows, in a number by more than rounding."""
    from prepsql.compare import compare

    found = compare(folder / "pandas.csv", folder / "out" / "output_01.csv", "strict", ["region", "category"])
    if not found.passed:
        raise SystemExit(f"the outputs differ: {found.reason}")


def overhead() -> tuple[float, float]:
    """Return milliseconds of check and of compile for twenty steps, warm: the median of twenty."""
    from prepsql.workflow.checks import CHECKS, read_document
    from prepsql.workflow.compile import Chain
    from prepsql.workflow.relation import Relation

    nodes: dict[str, object] = {"s0": {"kind": "input", "params": {"path": "x.csv"}}}
    for i in range(1, 19):
        compute = [{"as": f"c{i}", "expr": f"a * {i} + coalesce(b, 0)"}]
        project = {"kind": "project", "params": {"compute": compute}}
        kept = {"kind": "filter", "params": {"predicate": f"c{i - 1} > {i} OR a IS NULL"}}
        nodes[f"s{i}"] = (project if i % 2 else kept) | {"inputs": {"in": f"s{i - 1}"}}
    nodes["s19"] = {"kind": "output", "inputs": {"in": "s18"}, "params": {"path": "o.csv"}}
    times: list[float] = []
    for attempt in range(21):
        # other names each time, so that nothing is remembered
        text = json.dumps({"nodes": nodes}).replace('"a ', f'"a{attempt} ').replace("a IS", f"a{attempt} IS")
        source = Relation("x", {f"a{attempt}": "BIGINT", "b": "DOUBLE", **{f"d{j}": "VARCHAR" for j in range(18)}})
        start = time.process_time()
        document = read_document(json.loads(text))
        problems = [*document.problems, *(p for check in CHECKS for p in check(document))]
        chain = Chain(document.steps, {"s0": source})
        problems += [p for step in chain for p in chain.add(step).problems]
        times.append((time.process_time() - start) * 1000)
        assert not problems, problems
    return times[0], sorted(times[1:])[10]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="*", default=SIZES)
    parser.add_argument("--side")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.side:
        child(given.side, given.folder)
        return
    cold, warm = overhead()
    print(f"check and compile of 20 steps: {warm:.0f} ms of CPU time (the first time {cold:.0f} ms)")
    print(f"{os.cpu_count()} cores\n")
    print("| rows | side | seconds | CPU seconds | peak MB |\n|---|---|---|---|---|")
    for rows in given.rows:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            make_files(folder, rows)
            found = {}
            for side in SIDES:
                if ("pandas" in side and rows > PANDAS_UP_TO) or ("limit" in side and rows <= PANDAS_UP_TO):
                    continue
                found[side] = min(
                    (measure(side, folder) for _ in range(3 if rows < 10**7 else 1)), key=lambda m: m["seconds"]
                )
                seconds, cpu, peak = found[side].values()
                print(f"| {rows:,} | {side} | {seconds:.2f} | {cpu:.2f} | {peak:.0f} |")
            if "pandas" in found:
                same(folder)
                ratio = found["pandas"]["seconds"] / found["prepsql"]["seconds"]
                print(f"| {rows:,} | pandas / prepsql | {ratio:.1f} times | | |")
                rest = {
                    side: found[side]["seconds"] - found[f"{side}, reading alone"]["seconds"]
                    for side in ("pandas", "prepsql")
                }
                ratio = rest["pandas"] / rest["prepsql"]
                print(f"| {rows:,} | pandas / prepsql, without reading | {ratio:.1f} times | | |")
            traced = found["prepsql --trace"]["seconds"] / found["prepsql"]["seconds"]
            print(f"| {rows:,} | with trace / without | {traced:.1f} times | | |")


if __name__ == "__main__":
    main()
