"""A record folder as a source of a report: its tables, copied into the report's with the number of the run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import duckdb

from prepsql.errors import RecordError
from prepsql.evaluate.record_schema import SCHEMA, VERSION
from prepsql.sqltext import literal

FILE = "record.duckdb"

_ATTACH = Template("ATTACH $path AS record (READ_ONLY)")
# the tables that say what a task is come once, though several folders make one run
_COPY = Template("INSERT INTO $table BY NAME SELECT ? AS run, * FROM record.$table")
_COPY_TASKS = Template(
    "INSERT INTO $table BY NAME SELECT ? AS run, * FROM record.$table AS r "
    "WHERE NOT EXISTS (FROM $table AS t WHERE t.run = ? AND t.task = r.task)"
)
_ABOUT_TASKS = ("task_entries", "task_patterns", "tasks")


@dataclass(frozen=True)
class Facts:
    """What a record says of its run: its settings, and in which of the paper's settings it has outcomes."""

    folder: Path
    settings: dict[str, Any]
    measured: frozenset[str]


def facts_of(con: duckdb.DuckDBPyConnection, folder: Path) -> Facts:
    """Look into a record. Raises RecordError where it's none, is being written, of another version, or empty."""
    with _attached(con, folder):
        rows = con.execute("SELECT version, settings FROM record.runs").fetchall()
        if len(rows) != 1:
            raise RecordError(f"{folder / FILE} is damaged: it tells of {len(rows)} runs, wanted one; run it again")
        version, settings = rows[0][0], json.loads(rows[0][1] or "{}")
        if not isinstance(settings, dict):
            raise RecordError(f"{folder / FILE} is damaged: its settings are no JSON object; run it again")
        if version != VERSION:
            raise RecordError(
                f"{folder} is a record of version {version}, this prepsql reads {VERSION}: run it again with --out"
            )
        measured = {name for (name,) in con.execute("SELECT DISTINCT setting FROM record.outcomes").fetchall()}
    if not measured:
        raise RecordError(
            f"{folder} has no finished try yet: resume its run by the same prepsql eval command, with --out {folder}"
        )
    return Facts(folder, settings, frozenset(measured))


def copy_record(con: duckdb.DuckDBPyConnection, folder: Path, run: int, label: str) -> None:
    """Append a record's rows to the report's tables as those of the run of that number."""
    with _attached(con, folder):
        con.execute(
            "INSERT INTO runs BY NAME SELECT ? AS run, ? AS label, ? AS folder, * FROM record.runs",
            [run, label, str(folder)],
        )
        for table in SCHEMA:
            if table in _ABOUT_TASKS:
                con.execute(_COPY_TASKS.substitute(table=table), [run, run])
            elif table != "runs":
                con.execute(_COPY.substitute(table=table), [run])


@contextmanager
def _attached(con: duckdb.DuckDBPyConnection, folder: Path) -> Iterator[None]:
    path = folder / FILE
    try:
        con.execute(_ATTACH.substitute(path=literal(str(path))))
    except duckdb.Error as wrong:
        busy = "lock" in str(wrong).lower()
        why = "a run is writing it: wait until it is done" if busy else "it is no DuckDB file: name another folder"
        raise RecordError(f"{path} can't be read: {why}") from wrong
    try:
        yield
    except duckdb.Error as wrong:
        # a table or column of these isn't there, or the file is damaged
        first = str(wrong).partition("\n")[0]
        raise RecordError(
            f"{path} isn't a record of version {VERSION} ({first}): run it again with prepsql eval --out"
        ) from wrong
    finally:
        con.execute("DETACH record")
