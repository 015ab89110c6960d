"""Files -> profile: read, stack, scan, let the rules look, relate, and put in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import duckdb

from prepsql.profile.attempts import Attempts
from prepsql.profile.columns import scan
from prepsql.profile.dependencies import dependencies
from prepsql.profile.header import merged, settle
from prepsql.profile.joins import joins
from prepsql.profile.keys import keys
from prepsql.profile.order import ordered
from prepsql.profile.result import Column, Profile, TableProfile
from prepsql.profile.rules import RULES, RULES_ACROSS
from prepsql.profile.session import workspace
from prepsql.profile.spelling import find_spellings
from prepsql.profile.stack import stack, unstacked
from prepsql.profile.subject import Scan, Subject
from prepsql.tables import Table, read
from prepsql.tables.names import unique_names

T = TypeVar("T")


def profile(paths: str | Path | Sequence[str | Path], *, memory_limit: str | None = None) -> Profile:
    """Return everything found in the files `paths`, over all their rows.

    Tables of one shape are stacked and profiled as one. `memory_limit` is DuckDB's, e.g. '4GB' (2 GiB at most by
    default); what doesn't fit is spilled to a temporary folder. Raises InputError and ReadError as `prepsql.read`.
    """
    with workspace(memory_limit) as con:
        return profile_tables(con, read_files(con, paths))


def read_files(con: duckdb.DuckDBPyConnection, paths: str | Path | Sequence[str | Path]) -> list[Table]:
    """Read files into text tables, each called as its file without the ending, numbered where another is called so."""
    files = [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]
    names, _ = unique_names([path.stem for path in files])
    return [read(path, con, name) for path, name in zip(files, names, strict=True)]


def profile_tables(con: duckdb.DuckDBPyConnection, tables: Sequence[Table]) -> Profile:
    """Return everything found in text tables of a connection that has the macros.

    A table whose names stand further down than the reader looked is read again from there, under its name.
    """
    attempts = Attempts()
    settled = [attempts.one("header", table.name, partial(settle, table), (table, ())) for table in tables]
    read = [table for table, _ in settled]
    subjects = attempts.one("stacking", "", partial(stack, con, read), None) or unstacked(con, read)
    scanned = [attempts.one("columns", one.table, partial(scan, one), None) for one in subjects]
    scans = [replace(one, spellings=_each("spellings", find_spellings, one, attempts)) for one in scanned if one]
    found = [finding for one in subjects for finding in merged(one, [f for _, some in settled for f in some])]
    found += [finding for one in scans for rule in RULES for finding in _each(_name(rule), rule, one, attempts)]
    found += [finding for rule in RULES_ACROSS for finding in attempts.all_of(_name(rule), "", partial(rule, scans))]
    return Profile(
        tuple(_table(subject, one) for subject, one in zip(subjects, scanned, strict=True)),
        ordered(found),
        tuple(key for one in scans for key in _each("keys", keys, one, attempts)),
        tuple(found for one in scans for found in _each("dependencies", dependencies, one, attempts)),
        attempts.all_of("joins", "", partial(joins, scans)),
        tuple(spelling for one in scans for spelling in one.spellings),
        tuple(attempts.failures),
    )


def _each(part: str, look: Callable[[Scan], Iterable[T]], scan: Scan, attempts: Attempts) -> tuple[T, ...]:
    """Return what a look at one scan gives, what it gave until then where it fails."""
    return attempts.all_of(part, scan.subject.table, partial(look, scan))


def _name(rule: Callable[..., object]) -> str:
    """Return what a rule is called: as its file."""
    return f"rule {rule.__module__.rpartition('.')[2].replace('_', ' ')}"


def _table(subject: Subject, scan: Scan | None) -> TableProfile:
    unknown = (Column(name, at, subject.rows, error="see the failures") for at, name in enumerate(subject.columns))
    ledger = [f"{part.name}: {entry}" for part in subject.parts for entry in part.ledger.entries]
    return TableProfile(
        subject.table,
        subject.tables,
        tuple(str(part.path) for part in subject.parts),
        subject.rows,
        scan.columns if scan else tuple(unknown),
        tuple(ledger),
    )
