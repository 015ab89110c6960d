"""Files -> profile: read, stack, scan, let the rules look, relate, and put in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import duckdb

from prepsql.profile.columns import scan
from prepsql.profile.dependencies import dependencies
from prepsql.profile.header import merged, settle
from prepsql.profile.joins import joins
from prepsql.profile.keys import keys
from prepsql.profile.order import ordered
from prepsql.profile.result import Profile, TableProfile
from prepsql.profile.rules import RULES, RULES_ACROSS
from prepsql.profile.session import workspace
from prepsql.profile.spelling import find_spellings
from prepsql.profile.stack import stack
from prepsql.profile.subject import Scan
from prepsql.tables import Table, read
from prepsql.tables.names import unique_names


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
    settled = [settle(table) for table in tables]
    scans = [scan(subject) for subject in stack(con, [table for table, _ in settled])]
    scans = [replace(one, spellings=find_spellings(one)) for one in scans]
    found = [finding for one in scans for finding in merged(one.subject, [f for _, some in settled for f in some])]
    found += [finding for one in scans for rule in RULES for finding in rule(one)]
    found += [finding for rule in RULES_ACROSS for finding in rule(scans)]
    spellings = tuple(spelling for one in scans for spelling in one.spellings)
    return Profile(
        tuple(_table(one) for one in scans),
        ordered(found),
        tuple(key for one in scans for key in keys(one)),
        tuple(dependency for one in scans for dependency in dependencies(one)),
        joins(scans),
        spellings,
    )


def _table(scan: Scan) -> TableProfile:
    subject = scan.subject
    ledger = [f"{part.name}: {entry}" for part in subject.parts for entry in part.ledger.entries]
    return TableProfile(
        subject.table,
        subject.tables,
        tuple(str(part.path) for part in subject.parts),
        subject.rows,
        scan.columns,
        tuple(ledger),
    )
