"""Where a report's numbers come from: sources, read into the tables of one DuckDB in memory.

The tables are the record's (`record_schema`), each with a column `run` before the others; one run is one row of the
report. Records that say the same of themselves and were made in different settings are one run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import duckdb

from prepsql.errors import RecordError
from prepsql.evaluate.metrics.views import VIEWS
from prepsql.evaluate.record_schema import SCHEMA
from prepsql.evaluate.reports.labels import Named, labels_of
from prepsql.evaluate.reports.record import FILE, copy_record, facts_of
from prepsql.evaluate.reports.release import STATUS_FILES, copy_release, is_release, models_of
from prepsql.llm.opening import called
from prepsql.profile.words import cut, visible
from prepsql.session import session

_LONGEST_COMMAND = 40
_WITH_RUN = Template("CREATE TABLE $table AS SELECT NULL::INTEGER AS run, * FROM bare.$table")
_WANTED = (
    f"wanted a folder with {FILE}, which prepsql eval --out makes, or one with {STATUS_FILES[0]}, … of the release"
)


@dataclass(frozen=True)
class Loaded:
    """The open tables of a report: its runs' labels by number, and which of them each source gave, in their order."""

    con: duckdb.DuckDBPyConnection
    labels: dict[int, str]
    runs_of: tuple[tuple[int, ...], ...]
    policy: str


@contextmanager
def load(sources: Sequence[str | Path], policy: str = "paper") -> Iterator[Loaded]:
    """Read sources into tables and yield them; `policy` decides what passes.

    A source is a record folder, a folder with the release's outcomes (all its models, or FOLDER:MODEL for one).
    Raises RecordError where one is neither, and where no verdict was read by that policy.
    """
    with session("prepsql-report-") as con:
        con.execute("CREATE SCHEMA bare; USE bare")
        for statement in SCHEMA.values():
            con.execute(statement)
        con.execute("USE main")
        for table in SCHEMA:
            con.execute(_WITH_RUN.substitute(table=table))
        con.execute("ALTER TABLE runs ADD COLUMN label VARCHAR; ALTER TABLE runs ADD COLUMN folder VARCHAR")
        loaded = _fill(con, [_opened(con, source) for source in sources], policy)
        con.execute("SET VARIABLE policy = ?", [policy])
        for statement in VIEWS:
            con.execute(statement)
        _check_policy(loaded)
        yield loaded


def _opened(con: duckdb.DuckDBPyConnection, source: str | Path) -> list[Named]:
    """Return what a source holds: one record, or some models of the release."""
    folder, _, model = str(source).rpartition(":")
    if Path(source).exists() or not folder:
        folder, model = str(source), ""
    path = Path(folder).resolve() if Path(folder).is_dir() else Path(folder)
    if path.is_dir() and is_release(path):
        models = models_of(con, path)
        if model and model not in models:
            raise RecordError(f"{path} has no model {model!r} (has: {', '.join(models)})")
        return [Named(path, name, key) for key, name in models.items() if model in ("", key)]
    if model or not (path / FILE).is_file():
        raise RecordError(_refusal(path, model))
    facts = facts_of(con, path)
    return [Named(path, _name(path, facts.settings), "", facts.settings, facts.measured)]


def _name(path: Path, settings: Mapping[str, Any]) -> str:
    """Return what a record's run is called: a program by its command, its paths without folders, cut to a line."""
    if command := settings.get("command"):
        words = (word if word.startswith("-") else Path(word).name or word for word in str(command).split())
        return cut(" ".join(words), _LONGEST_COMMAND)
    return visible(called(str(settings.get("model") or settings.get("agent") or path.resolve().name)))


def _refusal(path: Path, model: str) -> str:
    if not path.exists():
        return f"{path} does not exist: {_WANTED}"
    if path.is_file():
        return f"{path} is a file, not a record: {_WANTED}"
    if model:
        return f"{path} is no folder with the release's outcomes, so it has no model {model!r}; {_WANTED}"
    inside = sorted(p.parent for p in path.glob(f"*/{FILE}"))
    inside += [p for p in sorted(path.iterdir()) if p.is_dir() and is_release(p)]
    if inside:
        return f"{path} is no record, but {', '.join(map(str, inside[:3]))}{' …' if inside[3:] else ''} is: name that"
    holds = ", ".join(sorted(p.name for p in path.iterdir())[:5]) or "nothing"
    return f"{path} is no record (holds {holds}): {_WANTED}"


def _fill(con: duckdb.DuckDBPyConnection, opened: Sequence[Sequence[Named]], policy: str) -> Loaded:
    every = [named for source in opened for named in source]
    numbers, labels = labels_of(every)
    models: dict[Path, dict[str, tuple[int, str]]] = {}
    for at, (named, number) in enumerate(zip(every, numbers, strict=True)):
        if named in every[:at]:
            continue
        if named.model:
            models.setdefault(named.folder, {})[named.model] = (number, labels[number])
        else:
            copy_record(con, named.folder, number, labels[number])
    for folder, runs in models.items():
        copy_release(con, folder, runs)
    given = iter(numbers)
    runs_of = tuple(tuple(dict.fromkeys(next(given) for _ in source)) for source in opened)
    return Loaded(con, labels, runs_of, policy)


def _check_policy(loaded: Loaded) -> None:
    read: dict[int, set[str]] = {}
    for run, name in loaded.con.execute("SELECT DISTINCT run, policy FROM verdicts").fetchall():
        read.setdefault(run, set()).add(name)
    for run, names in sorted(read.items()):
        if loaded.policy not in names:
            has = ", ".join(sorted(names))
            raise RecordError(f"{loaded.labels[run]}: no verdict is read by the policy {loaded.policy!r} (has: {has})")
