"""Records as a runner would leave them, made of rows."""

import json
from pathlib import Path

import duckdb

from prepsql.evaluate.record_schema import SCHEMA, VERSION

KINDS = ("Row-level concept", "Operation incomplete")


def record(folder: Path, *, version: int = VERSION, settings: dict | None = None, **tables: list[dict]) -> Path:
    """Make a record in `folder`: the rows of each table, whose columns that aren't given are null."""
    folder.mkdir(parents=True)
    with duckdb.connect(str(folder / "record.duckdb")) as con:
        for statement in SCHEMA.values():
            con.execute(statement)
        given = {"suite": "bundled", "agent": "prepsql", "model": "small", **(settings or {})}
        con.execute(
            "INSERT INTO runs VALUES (?, '0.1.0', TIMESTAMPTZ '2026-01-01 00:00:00Z', NULL, ?)",
            [version, json.dumps(given)],
        )
        for table, rows in tables.items():
            for row in rows:
                columns = ", ".join(row)
                con.execute(f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
    return folder


def tried(
    task: str, setting: str, result: str, *, way: str = "code", repeat: int = 1, strict: bool | None = None, **more
):
    """Return the rows of one outcome: its table → rows, verdicts where tables came out."""
    key = {"task": task, "setting": setting, "repeat": repeat, "way": way}
    rows = {"outcomes": [{**key, "result": result, "message": "", "seconds": 1.0, **more}], "verdicts": []}
    if result in ("correct", "wrong"):
        passed = result == "correct"
        error = {} if passed else {"error_type": "VALUE_MISMATCH", "message": "output_01.csv: 2 cells differ in 'fee'"}
        rows["verdicts"] = [
            {**key, "policy": "paper", "passed": passed, **error},
            {**key, "policy": "strict", "passed": passed if strict is None else strict},
        ]
    return rows


def together(*parts: dict[str, list[dict]]) -> dict[str, list[dict]]:
    """Return the rows of several parts by table."""
    found: dict[str, list[dict]] = {}
    for part in parts:
        for table, rows in part.items():
            found.setdefault(table, []).extend(rows)
    return found


def passes(setting: str, results: str, **more) -> dict[str, list[dict]]:
    """Return outcomes of tasks t1, t2, … from one letter each: C correct, W wrong, F failed, X infrastructure."""
    words = {"C": "correct", "W": "wrong", "F": "failed to run", "X": "infrastructure"}
    return together(*[tried(f"t{at}", setting, words[letter], **more) for at, letter in enumerate(results, 1)])
