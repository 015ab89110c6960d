"""Profile whole files against SUMMARIZE, ydata-profiling (minimal) and pandas: seconds and peak memory, in one run.

python bench/profile.py [SIZE …]: 300000x20, 5000000x20, 100000x300, and 10000x20 to 10000000x20 for the growth with
rows. Each side runs in a process of its own, from the file to its result, without its imports. prepsql with all
findings; SUMMARIZE over DuckDB's own reading of the file; pandas' describe and the twenty most frequent values of each
column. --ydata PYTHON names an interpreter that has ydata-profiling; it runs on files of up to YDATA cells.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = ("300000x20", "100000x300", "5000000x20")
YDATA = 40_000_000
# a column of each sort; a file has as many as it needs, one after the other
COLUMNS = (
    "i AS id{k}",
    "'C' || lpad((random() * 99999)::INT::VARCHAR, 5, '0') AS customer{k}",
    "(random() * 10000)::DECIMAL(10, 2) AS amount{k}",
    "round(random() * 1e6, 4) AS measure{k}",
    "(random() * 100)::INT AS quantity{k}",
    "DATE '2020-01-01' + (random() * 1500)::INT AS day{k}",
    "strftime(DATE '2020-01-01' + (random() * 1500)::INT, '%d/%m/%Y') AS booked{k}",
    "TIMESTAMP '2020-01-01' + INTERVAL (i) SECOND AS moment{k}",
    "['north', 'south', 'East', 'west', 'North ', 'WEST'][1 + (random() * 5)::INT] AS region{k}",
    "['Alice Smith', 'Bob Jones', 'Carla Ruiz', 'Dan O''Neil'][1 + (random() * 3)::INT] || ' '"
    " || (random() * 5000)::INT AS person{k}",
    "CASE WHEN random() < 0.1 THEN '' WHEN random() < 0.05 THEN 'N/A'"
    " ELSE (random() * 50)::INT::VARCHAR END AS score{k}",
    "'$' || format('{{:,.2f}}', random() * 5000) AS price{k}",
    "uuid()::VARCHAR AS token{k}",
    "(random() < 0.5)::VARCHAR AS active{k}",
    "md5(random()::VARCHAR) || ' some free text ' || (random() * 1e6)::INT AS note{k}",
    "'user' || (random() * 1e5)::INT || '@mail.com' AS email{k}",
    "['a', 'b', 'c', 'd', 'e'][1 + (random() * 4)::INT] AS class{k}",
    "(random() * 30)::INT || ' kg' AS weight{k}",
    "CASE WHEN random() < 0.3 THEN NULL ELSE 'x' || (random() * 100)::INT END AS tag{k}",
    "(random() * 24)::INT || ':' || lpad((random() * 59)::INT::VARCHAR, 2, '0') AS clock{k}",
)


def make(path, rows, columns):
    import duckdb

    cells = ", ".join(COLUMNS[k % len(COLUMNS)].format(k="" if k < len(COLUMNS) else k) for k in range(columns))
    con = duckdb.connect()
    con.execute("SELECT setseed(0.5)").fetchall()
    con.execute(f"COPY (SELECT {cells} FROM range({rows}) numbers(i)) TO '{path}' (HEADER)").fetchall()


def run_prepsql(path):
    from prepsql import profile

    return lambda: len(profile(path).findings)


def run_summarize(path):
    import duckdb

    con = duckdb.connect()
    return lambda: len(con.execute(f"SUMMARIZE FROM read_csv('{path}')").fetchall())


def run_pandas(path):
    import pandas as pd

    def work():
        frame = pd.read_csv(path)
        counts = [frame[column].value_counts().head(20) for column in frame]
        return len(frame.describe(include="all")) + len(counts)

    return work


def run_ydata(path):
    import pandas as pd
    from ydata_profiling import ProfileReport

    report = lambda: ProfileReport(pd.read_csv(path), minimal=True, progress_bar=False)  # noqa: E731
    return lambda: len(report().to_json())


SIDES = {"SUMMARIZE": run_summarize, "prepsql": run_prepsql, "pandas": run_pandas, "ydata": run_ydata}


def measure(side, path):
    """Run one side in this process and print what it took."""
    work = SIDES[side](path)
    start, cpu = time.perf_counter(), time.process_time()
    found = work()
    print(
        json.dumps(
            {
                "seconds": time.perf_counter() - start,
                "cpu": time.process_time() - cpu,
                "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "found": found,
            }
        )
    )


def side(name, path, python, times):
    """Return the best of some runs, each in its own process."""
    runs = []
    for _ in range(times):
        done = subprocess.run(
            [python, __file__, "--side", name, str(path)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            return {"seconds": float("nan"), "cpu": float("nan"), "mb": float("nan"), "found": done.stderr[-200:]}
        runs.append(json.loads(done.stdout.splitlines()[-1]))
    return min(runs, key=lambda run: run["seconds"])


def main():
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("sizes", nargs="*", default=SIZES)
    given.add_argument("--ydata", metavar="PYTHON")
    given.add_argument("--only", nargs="*", default=list(SIDES))
    given.add_argument("--side", nargs=2)
    options = given.parse_args()
    if options.side:
        return measure(*options.side)
    print("| file | side | seconds | CPU seconds | peak MB | times prepsql |\n|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes:
            rows, columns = map(int, size.split("x"))
            path = Path(folder) / f"{size}.csv"
            make(path, rows, columns)
            ours = None
            for name in ("prepsql", "SUMMARIZE", "pandas", "ydata"):
                if name not in options.only or (name == "ydata" and (not options.ydata or rows * columns > YDATA)):
                    continue
                times = 3 if rows * columns <= 10_000_000 and name != "ydata" else 1
                took = side(name, path, options.ydata if name == "ydata" else sys.executable, times)
                ours = ours or took
                ratio = took["seconds"] / ours["seconds"]
                print(
                    f"| {size} | {name} | {took['seconds']:.2f} | {took['cpu']:.2f} | {took['mb']:.0f} | {ratio:.2f} |",
                    flush=True,
                )
            path.unlink()
    return None


if __name__ == "__main__":
    main()
