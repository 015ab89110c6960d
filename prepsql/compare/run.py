"""Compare two folders of outputs, or two files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import duckdb

from prepsql.compare.config import TableConfig, load_config
from prepsql.compare.facts import absent_columns, find_facts
from prepsql.compare.policy import Policy, find_policy
from prepsql.compare.reading import RawTable, load_output
from prepsql.compare.result import Comparison, FileComparison
from prepsql.compare.verdict import Reader
from prepsql.compare.workspace import workspace
from prepsql.errors import ConfigError, InputError, ReadError

PathLike = str | Path


def compare(
    gold: PathLike,
    candidate: PathLike,
    policy: str = "paper",
    key: Sequence[str] | None = None,
    *,
    examples: int = 5,
    memory_limit: str | None = None,
) -> Comparison:
    """Compare a candidate with gold under one policy; see `compare_policies`."""
    return compare_policies(gold, candidate, (policy,), key, examples=examples, memory_limit=memory_limit)[policy]


def compare_policies(
    gold: PathLike,
    candidate: PathLike,
    policies: Sequence[str] = ("paper", "strict"),
    key: Sequence[str] | None = None,
    *,
    examples: int = 5,
    memory_limit: str | None = None,
) -> dict[str, Comparison]:
    """Compare a candidate with gold: the facts once, then each policy's reading of them.

    Folders: gold has config.json and output_*.csv, each file of the candidate is compared with gold's of the same
    name; an absent candidate folder holds no file. The account goes on after the first error, up to `examples`
    cells a column. Raises InputError or ConfigError where gold can't be used; a fault of the candidate is a verdict.
    """
    read = [find_policy(name) for name in policies]
    with workspace(memory_limit) as con:
        return _compare_folders(con, Path(gold), Path(candidate), read, examples)


def _compare_folders(
    con: duckdb.DuckDBPyConnection, gold: Path, candidate: Path, policies: Sequence[Policy], examples: int
) -> dict[str, Comparison]:
    if candidate.exists() and not candidate.is_dir():
        raise InputError(f"{candidate}: gold is a folder, so the candidate must be one")
    config, names = load_config(gold), _csv_names(gold)
    if not names:
        raise InputError(f"{gold}: no *.csv in the gold folder")
    unknown = [name for name in names if name not in config]
    if unknown:
        raise ConfigError(f"{gold / 'config.json'}: no entry for {unknown[0]} (has: {', '.join(config)})")
    given = _csv_names(candidate)
    accounts = [
        _compare_outputs(con, name, config[name], (gold, candidate), policies, examples)
        if name in given
        else _alike(policies, FileComparison(name, False, "MISSING_FILE", message="the candidate has no such file"))
        for name in names
    ]
    wrong = ""
    if len(given) != len(names):
        extra = [name for name in given if name not in names]
        more = f"; not in gold: {', '.join(extra)}" if extra else ""
        wrong = f"gold has {len(names)} *.csv files, the candidate {len(given)}{more}"
    return {p.name: _verdict(p, tuple(account[p.name] for account in accounts), wrong) for p in policies}


def _csv_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.suffix.lower() == ".csv") if folder.is_dir() else []


def _compare_outputs(
    con: duckdb.DuckDBPyConnection,
    name: str,
    config: TableConfig,
    folders: tuple[Path, Path],
    policies: Sequence[Policy],
    examples: int,
) -> Mapping[str, FileComparison]:
    """Return each policy's reading of one output file."""
    try:
        gold = load_output(con, "gold", folders[0] / name)
    except ReadError as wrong:
        raise InputError(f"gold can't be read: {folders[0]}: {wrong}") from wrong
    lacking = [column for column, _ in config.columns if column not in gold.names]
    if lacking:
        raise ConfigError(f"{folders[0]}: config.json names column {lacking[0]!r}, which {name} hasn't")
    try:
        candidate = load_output(con, "candidate", folders[1] / name)
    except ReadError as wrong:
        return _alike(policies, FileComparison(name, False, "READ_ERROR", message=str(wrong), gold_rows=gold.rows))
    return compare_tables(con, name, config, (gold, candidate), policies, examples)


def compare_tables(
    con: duckdb.DuckDBPyConnection,
    name: str,
    config: TableConfig,
    tables: tuple[RawTable, RawTable],
    policies: Sequence[Policy],
    examples: int,
) -> Mapping[str, FileComparison]:
    """Return each policy's reading of tables `gold` and `candidate` on the connection."""
    gold, candidate = tables
    compared = {column for column, _ in config.columns}
    base = FileComparison(
        name,
        False,
        gold_rows=gold.rows,
        candidate_rows=candidate.rows,
        missing_columns=tuple(config.columns[i][0] for i in absent_columns(config, candidate)),
        extra_columns=tuple(column for column in candidate.names if column and column not in compared),
        notes=(*(f"gold: {note}" for note in gold.notes), *(f"candidate: {note}" for note in candidate.notes)),
    )
    keyless = [part for part in config.key if part in base.missing_columns]
    if keyless:
        message = f"the candidate has no column {', '.join(map(repr, base.missing_columns))}"
        return _alike(policies, replace(base, error_type="MISSING_COLUMNS", message=message))
    facts = find_facts(con, config, tables, policies)
    return {p.name: Reader(con, config, facts, p, examples).read(base, tables) for p in policies}


def _alike(policies: Sequence[Policy], file: FileComparison) -> dict[str, FileComparison]:
    return {policy.name: file for policy in policies}


def _verdict(policy: Policy, files: tuple[FileComparison, ...], wrong_count: str) -> Comparison:
    """Return the first error: a wrong number of files, a file that isn't there, then what is wrong in a file."""
    if wrong_count:
        return Comparison(policy.name, False, "FILE_COUNT_MISMATCH", "", wrong_count, files)
    wrong = sorted((f for f in files if not f.passed), key=lambda f: f.error_type != "MISSING_FILE")
    if not wrong:
        return Comparison(policy.name, True, "", "", "", files)
    first = wrong[0]
    return Comparison(policy.name, False, first.error_type, first.reason, f"{first.name}: {first.message}", files)
