"""The record of a run: one folder from which it can be read, resumed and reproduced.

    record.duckdb            runs (one row), attempts and verdicts (one row a task, way and policy), to query
    transcript.jsonl         the same, one line a finished try, flushed as it happens
    <way>/<task>/solution/cand/output_*.csv    the tables, in the benchmark's own layout (flow_cand for workflows)

A try is written in one transaction after its tables are in place; what a killed run had not finished is
simply done again, and what it had is never repeated. A task whose files changed since is done again too.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

import duckdb

from prepsql.errors import RecordError, WriteError
from prepsql.evaluate.score import FOLDERS
from prepsql.evaluate.verdict import Reading, Result, Verdict

VERSION = 1
_FREE_BYTES = 64 * 1024 * 1024

WORK_PREFIX = ".work-"
"""What names of folders for unfinished tries begin with; a killed run leaves some, the next one removes them."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    version INTEGER, prepsql VARCHAR, started TIMESTAMPTZ, finished TIMESTAMPTZ, settings JSON
);
CREATE TABLE IF NOT EXISTS attempts (
    task VARCHAR, way VARCHAR, digest VARCHAR, result VARCHAR, message VARCHAR, seconds DOUBLE,
    PRIMARY KEY (task, way)
);
CREATE TABLE IF NOT EXISTS verdicts (
    task VARCHAR, way VARCHAR, policy VARCHAR, passed BOOLEAN, error_type VARCHAR, reason VARCHAR, message VARCHAR,
    PRIMARY KEY (task, way, policy)
);
"""


@dataclass
class Record:
    """An open record; `open_record` makes it."""

    folder: Path
    _con: duckdb.DuckDBPyConnection
    _transcript: Path

    def candidate_folder(self, way: str, task: str) -> Path:
        """Return where the tables of one try stand."""
        return self.folder / way / task / "solution" / FOLDERS.get(way, FOLDERS["code"])

    def keep_outputs(self, way: str, task: str, outputs: Path) -> Path:
        """Move a finished try's tables into the record, in place of any older ones."""
        target = self.candidate_folder(way, task)
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        outputs.replace(target)
        return target

    def add(self, verdict: Verdict, digest: str) -> None:
        """Append one try; rows and line are on disk when this returns. Raises WriteError where there is no room."""
        try:
            self._add_rows(verdict, digest)
            self._add_line(verdict, digest)
        except (duckdb.IOException, OSError) as wrong:
            reason = getattr(wrong, "strerror", None) or str(wrong).partition("\n")[0]
            raise WriteError(
                f"the record {self.folder} can't be written ({reason}): free some space, then resume with --out"
            ) from wrong

    def _add_line(self, verdict: Verdict, digest: str) -> None:
        with self._transcript.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"digest": digest, **verdict.to_dict()}, ensure_ascii=False) + "\n")
            out.flush()
            os.fsync(out.fileno())

    def complete_transcript(self) -> None:
        """Cut off a line that a killed run left half, and add those of tries that it had only in the database."""
        lines = self._transcript.read_bytes() if self._transcript.is_file() else b""
        whole = lines.rfind(b"\n") + 1
        if whole < len(lines):
            os.truncate(self._transcript, whole)
        told = {(line["task"], line["way"], line["digest"]) for line in map(json.loads, lines[:whole].splitlines())}
        for (task, way), (digest, verdict) in self.done().items():
            if (task, way, digest) not in told:
                self._add_line(verdict, digest)

    def _add_rows(self, v: Verdict, digest: str) -> None:
        self._con.execute("BEGIN")
        for table in ("attempts", "verdicts"):
            self._con.execute(f"DELETE FROM {table} WHERE task = ? AND way = ?", [v.task, v.way])  # noqa: S608
        self._con.execute(
            "INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?)",
            [v.task, v.way, digest, v.result.value, v.message, v.seconds],
        )
        for policy, r in v.readings.items():
            self._con.execute(
                "INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?)",
                [v.task, v.way, policy, r.passed, r.error_type, r.reason, r.message],
            )
        self._con.execute("COMMIT")

    def done(self) -> dict[tuple[str, str], tuple[str, Verdict]]:
        """Return the finished tries, (task, way) → (digest, verdict); infrastructure faults are to be tried again."""
        readings: dict[tuple[str, str], dict[str, Reading]] = {}
        for task, way, policy, *rest in self._con.execute("FROM verdicts ORDER BY ALL").fetchall():
            readings.setdefault((task, way), {})[policy] = Reading(*rest)
        rows = self._con.execute(
            "SELECT task, way, digest, result, message, seconds FROM attempts WHERE result <> ? ORDER BY ALL",
            [Result.INFRASTRUCTURE.value],
        ).fetchall()
        return {
            (task, way): (digest, Verdict(task, way, Result(result), readings.get((task, way), {}), message, seconds))
            for task, way, digest, result, message, seconds in rows
        }

    def finish(self) -> None:
        """Note that every try of the run is in."""
        self._con.execute("UPDATE runs SET finished = now()")


@contextmanager
def open_record(folder: Path, settings: Mapping[str, Any]) -> Iterator[Record]:
    """Open the record in `folder`, new or to be resumed, and close it in any case.

    Raises WriteError where the folder can't be made or the disk is full, RecordError where it's no record, another
    process holds it, or it belongs to a run with other settings.
    """
    _prepare(folder)
    path = folder / "record.duckdb"
    try:
        con = duckdb.connect(str(path))
    except duckdb.Error as wrong:
        busy = "lock" in str(wrong).lower()
        why = "another process is writing it: wait until it is done" if busy else "it is no run record: move it away"
        raise RecordError(f"{path}: {why}, or choose another folder with --out") from wrong
    try:
        try:
            con.execute(_SCHEMA)
            _claim(con, folder, settings)
            record = Record(folder, con, folder / "transcript.jsonl")
            record.complete_transcript()
        except (duckdb.Error, ValueError) as wrong:
            first = str(wrong).partition("\n")[0]
            raise RecordError(f"{path} is damaged ({first}): choose another folder with --out") from wrong
        for left in folder.glob(WORK_PREFIX + "*"):
            shutil.rmtree(left, ignore_errors=True)
        yield record
    finally:
        con.close()


def _prepare(folder: Path) -> None:
    if folder.is_file():
        raise WriteError(f"{folder} is a file: choose another folder for the run with --out")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "record.duckdb").is_file():
        raise RecordError(f"{folder} holds other files and no run record: choose an empty or new folder with --out")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
    except OSError as wrong:
        raise WriteError(f"cannot make the run's folder {folder}: {wrong.strerror}") from wrong
    if free < _FREE_BYTES:
        wanted = _FREE_BYTES // 1024**2
        raise WriteError(
            f"{folder}: only {free // 1024**2} MB free, wanted {wanted}: free some or choose --out elsewhere"
        )


def _claim(con: duckdb.DuckDBPyConnection, folder: Path, settings: Mapping[str, Any]) -> None:
    row = con.execute("SELECT version, settings FROM runs").fetchone()
    if row is None:
        con.execute(
            "INSERT INTO runs VALUES (?, ?, ?, NULL, ?)",
            [VERSION, installed_version("prepsql"), datetime.now(UTC), json.dumps(settings)],
        )
        return
    version, before = row[0], json.loads(row[1])
    if version != VERSION:
        raise RecordError(
            f"{folder} is a record of version {version}, this prepsql writes {VERSION}: choose another --out"
        )
    changed = [k for k in {**before, **settings} if before.get(k) != settings.get(k)]
    if changed:
        was = ", ".join(f"{k} {before.get(k)!r} (now {settings.get(k)!r})" for k in sorted(changed))
        raise RecordError(f"{folder} is a run with {was}: resume it with the same options, or choose another --out")
