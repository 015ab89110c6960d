"""The record of a run: one folder from which it can be read, resumed and reproduced.

    record.duckdb            what was tried, to query; its tables are told in record_schema
    transcript.jsonl         its verdicts, one line each, flushed as it happens
    calls.journal            the replies of models, each on disk before it's used
    <setting>/<task>/solution/cand/output_*.csv    the tables, in the benchmark's own layout (flow_cand for workflows)
    <setting>/<task>/clarify/summary.json          the conversation, in the same

Where a suite's own solutions run, ways stand for settings; a repeat from the second on has its number behind the
setting. A try is written in one transaction after its tables are in place; what a killed run had not finished is
simply done again, and what it had is never repeated. A task whose files changed since is done again too.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version as installed_version
from pathlib import Path
from threading import Lock
from typing import Any

import duckdb

from prepsql.agents.simulators.session import write_summary
from prepsql.errors import PrepsqlError, RecordError, WriteError
from prepsql.evaluate.calls import JOURNAL
from prepsql.evaluate.check import describe
from prepsql.evaluate.record_schema import SCHEMA, VERSION
from prepsql.evaluate.score import FOLDERS
from prepsql.evaluate.settings import REFERENCE
from prepsql.evaluate.task import Task
from prepsql.evaluate.trial import Trial
from prepsql.evaluate.verdict import Reading, Result, Verdict
from prepsql.llm.journal import holds_replies

_FREE_BYTES = 64 * 1024 * 1024
_HEAD_BYTES = 3 * 4096
_ADVICE = "free some space, then resume with --out"

WORK_PREFIX = ".work-"
"""What names of folders for unfinished tries begin with; a killed run leaves some, the next one removes them."""


@dataclass
class Record:
    """An open record; `open_record` makes it."""

    folder: Path
    _con: duckdb.DuckDBPyConnection
    _transcript: Path
    _lock: Lock = field(default_factory=Lock)

    def folder_of(self, verdict: Verdict) -> Path:
        """Return where what one task left in one setting stands."""
        root = verdict.way if verdict.setting == REFERENCE else verdict.setting
        return self.folder / (root if verdict.repeat == 1 else f"{root}.{verdict.repeat}") / verdict.task

    def add_tasks(self, tasks: Sequence[Task]) -> None:
        """Note what is known of the tasks beforehand; what can't be read is left out."""
        rows = [described for task in tasks if (described := _described(task))]
        with self._lock:
            self._con.execute("BEGIN")
            for task, entries, steps, patterns in rows:
                for table in ("tasks", "task_entries", "task_patterns"):
                    self._con.execute(f"DELETE FROM {table} WHERE task = ?", [task])  # noqa: S608
                self._con.execute("INSERT INTO tasks VALUES (?, ?, ?)", [task, len(entries), steps])
                self._insert("task_entries", [[task, *entry] for entry in entries])
                self._insert("task_patterns", [[task, pattern] for pattern in patterns])
            self._con.execute("COMMIT")

    def add(self, trial: Trial, digest: str) -> None:
        """Append one try; rows and lines are on disk when this returns. Raises WriteError where there is no room.

        Its tables are moved into the record, in place of any older ones.
        """
        try:
            with self._lock:
                self._keep_files(trial)
                self._add_rows(trial, digest)
                for verdict in trial.verdicts:
                    self._add_line(verdict, digest)
        except (duckdb.IOException, OSError) as wrong:
            reason = getattr(wrong, "strerror", None) or str(wrong).partition("\n")[0]
            raise WriteError(f"the record {self.folder} can't be written ({reason}): {_ADVICE}") from wrong

    def _keep_files(self, trial: Trial) -> None:
        place = self.folder_of(trial.verdicts[0])
        for verdict in trial.verdicts:
            target = place / "solution" / FOLDERS.get(verdict.way, FOLDERS["code"])
            shutil.rmtree(target, ignore_errors=True)
            if verdict.way in trial.tables:
                target.parent.mkdir(parents=True, exist_ok=True)
                trial.tables[verdict.way].replace(target)
        if trial.summary is not None:
            write_summary(place, trial.summary, _ADVICE)

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
        parsed = map(json.loads, lines[:whole].splitlines())
        told = {(*(line[name] for name in ("task", "setting", "repeat", "way")), line["digest"]) for line in parsed}
        for key, (digest, verdict) in self.done().items():
            if (*key, digest) not in told:
                self._add_line(verdict, digest)

    def _add_rows(self, trial: Trial, digest: str) -> None:
        first = trial.verdicts[0]
        key = [first.task, first.setting, first.repeat]
        self._con.execute("BEGIN")
        for v in trial.verdicts:
            for table in ("outcomes", "verdicts", "differences"):
                self._con.execute(
                    f"DELETE FROM {table} WHERE task = ? AND setting = ? AND repeat = ? AND way = ?",  # noqa: S608
                    list(v.key),
                )
            told = [digest, v.language or None, v.result.value, v.message, v.seconds]
            self._insert("outcomes", [[*v.key, *told]])
            self._insert("verdicts", [[*v.key, policy, *astuple(reading)] for policy, reading in v.readings.items()])
            examples = trial.differences.get(v.way, ())
            self._insert("differences", [[*v.key, n, *astuple(one)] for n, one in enumerate(examples, 1)])
        if first.setting != REFERENCE:
            rows = {
                "attempts": [[a.stage, a.attempt, a.result, a.message, a.seconds, a.text] for a in trial.attempts],
                "questions": [list(one) for one in trial.questions],
                "clarified": [] if trial.summary is None else [[trial.budget]],
                "calls": [list(call.row) for call in trial.calls],
                "notes": [[name, text] for name, text in trial.notes.items()],
                "stages": [[stage, round(seconds, 3)] for stage, seconds in trial.spent.items()],
            }
            for table, found in rows.items():
                self._con.execute(f"DELETE FROM {table} WHERE task = ? AND setting = ? AND repeat = ?", key)  # noqa: S608
                self._insert(table, [[*key, *row] for row in found])
        self._con.execute("COMMIT")

    def _insert(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._con.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608

    def leave_out(self, left_out: Mapping[str, Sequence[str]]) -> None:
        """Note the parameters that endpoints have refused so far, by model."""
        rows = [(model, name) for model, names in left_out.items() for name in names]
        with self._lock:
            for row in rows:
                self._con.execute("INSERT OR IGNORE INTO left_out VALUES (?, ?)", row)

    def done(self) -> dict[tuple[str, str, int, str], tuple[str, Verdict]]:
        """Return the finished tries by key, (digest, verdict).

        What met an infrastructure fault is to be tried again, and what met a cap, since that may be higher by now; of
        both, what was answered is in the journal.
        """
        readings: dict[tuple[Any, ...], dict[str, Reading]] = {}
        for *key, policy, passed, error_type, reason, message in self._con.execute(
            "FROM verdicts ORDER BY ALL"
        ).fetchall():
            readings.setdefault(tuple(key), {})[policy] = Reading(passed, error_type, reason, message)
        rows = self._con.execute(
            "SELECT task, setting, repeat, way, digest, language, result, message, seconds FROM outcomes "
            "WHERE result NOT IN (?, ?) ORDER BY ALL",
            [Result.INFRASTRUCTURE.value, Result.CAP_REACHED.value],
        ).fetchall()
        found = {}
        for task, setting, repeat, way, digest, language, result, message, seconds in rows:
            read = readings.get((task, setting, repeat, way), {})
            verdict = Verdict(task, way, Result(result), read, message, seconds, setting, repeat, language or "")
            found[verdict.key] = digest, verdict
        return found

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
            for statement in SCHEMA.values():
                con.execute(statement)
            _claim(con, folder, settings)
            record = Record(folder, con, folder / "transcript.jsonl")
            record.complete_transcript()
        except (duckdb.Error, ValueError, KeyError, TypeError, AttributeError) as wrong:
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
    _remove_torso(folder)
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


def _remove_torso(folder: Path) -> None:
    """Remove a database whose process was killed, or had no room, before its head was written: it holds nothing."""
    path = folder / "record.duckdb"
    with suppress(OSError):
        begun = path.stat().st_size < _HEAD_BYTES and path.read_bytes()[8:12] in (b"", b"DUCK")
        if begun and [*folder.iterdir()] == [path]:
            path.unlink()


def _claim(con: duckdb.DuckDBPyConnection, folder: Path, settings: Mapping[str, Any]) -> None:
    row = con.execute("SELECT version, settings FROM runs").fetchone()
    if row is not None and row[0] == VERSION and not _begun(con, folder):
        for table in SCHEMA:
            con.execute(f"DELETE FROM {table}")  # noqa: S608
        row = None
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


def _begun(con: duckdb.DuckDBPyConnection, folder: Path) -> bool:
    """Return whether a try has ended, or a model has answered: if not, its model couldn't be reached."""
    return bool(con.execute("FROM outcomes LIMIT 1").fetchone()) or holds_replies(folder / JOURNAL)


def _described(task: Task) -> tuple[str, list[tuple[str, str]], int | None, list[str]] | None:
    """Return a task's id, its entries with their kinds, its number of steps and its patterns of irregularity."""
    try:
        entries = [(entry.id, entry.kind) for entry in task.ambiguities]
    except PrepsqlError:
        return None
    try:
        told = describe(task)
        return task.id, entries, told["steps"], sorted({entry["pattern"] for entry in told["irregularities"]})
    except (PrepsqlError, KeyError, TypeError):
        return task.id, entries, task.steps, list(task.patterns)
