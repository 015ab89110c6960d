"""Compare two folders of outputs, or two files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import duckdb

from prepsql.compare.policy import Policy, find_policy
from prepsql.compare.result import Comparison, FileComparison
from prepsql.compare.session import workspace
from prepsql.compare.tables import compare_output, compare_tables, csv_names, gold_files, load_files
from prepsql.compare.words import many
from prepsql.errors import InputError


def compare(
    gold: str | Path,
    candidate: str | Path,
    policy: str = "paper",
    key: Sequence[str] | None = None,
    *,
    examples: int = 5,
    memory_limit: str | None = None,
) -> Comparison:
    """Compare a candidate with gold under one policy; see `compare_policies`."""
    return compare_policies(gold, candidate, (policy,), key, examples=examples, memory_limit=memory_limit)[policy]


def compare_policies(
    gold: str | Path,
    candidate: str | Path,
    policies: Sequence[str] = ("paper", "strict"),
    key: Sequence[str] | None = None,
    *,
    examples: int = 5,
    memory_limit: str | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
) -> dict[str, Comparison]:
    """Compare a candidate with gold: the facts once, then each policy's reading of them.

    Two folders: gold has config.json and output_*.csv, each is compared with the candidate's file of that name; an
    absent candidate folder holds no file. Two files of any format that `prepsql.read` takes: `key` names the columns
    that identify a row, all of gold's columns are compared. The account goes on after the first error; it shows up
    to `examples` cells a column. `con` is an open `workspace`, so that many small comparisons share one, and is left
    with the facts of the last table.

    Raises InputError or ConfigError where gold can't be used; a fault of the candidate is a verdict.
    """
    read = [find_policy(name) for name in policies]
    check_paths(Path(gold), Path(candidate), key)
    with nullcontext(con) if con else workspace(memory_limit) as work:
        if key:
            return _compare_files(work, Path(gold), Path(candidate), read, key, examples)
        return _compare_folders(work, Path(gold), Path(candidate), read, examples)


def check_paths(gold: Path, candidate: Path, key: Sequence[str] | None) -> None:
    """Raise InputError where the paths are neither two folders nor two files with a key."""
    if not gold.exists():
        raise InputError(f"{gold}: no such file or folder; name gold first, then the candidate")
    if gold.is_dir() and key:
        raise InputError(f"{gold}: a folder's keys stand in its config.json; leave the key out")
    if gold.is_file() and not key:
        raise InputError(f"{gold}: two files need a key, the columns that identify a row: -k COLUMN")
    if gold.is_file() and not candidate.is_file():
        raise InputError(f"{candidate}: {'a folder' if candidate.is_dir() else 'no such file'}; gold is a file")


def _compare_files(
    con: duckdb.DuckDBPyConnection,
    gold: Path,
    candidate: Path,
    policies: Sequence[Policy],
    key: Sequence[str],
    examples: int,
) -> dict[str, Comparison]:
    config, tables, infer = load_files(con, gold, candidate, key)
    files = compare_tables(con, gold.name, config, tables, policies, examples, infer)
    return {p.name: _verdict(p, (files[p.name],), "") for p in policies}


def _compare_folders(
    con: duckdb.DuckDBPyConnection, gold: Path, candidate: Path, policies: Sequence[Policy], examples: int
) -> dict[str, Comparison]:
    config, given = gold_files(gold, candidate), csv_names(candidate)
    accounts = [
        compare_output(con, entry, gold / name, candidate / name, policies, examples) for name, entry in config.items()
    ]
    wrong = ""
    if len(given) != len(config):
        extra = [name for name in given if name not in config]
        more = f"; not in gold: {', '.join(extra)}" if extra else ""
        wrong = f"gold has {len(config)} *.csv, the candidate {len(given)}{more}"
    return {p.name: _verdict(p, tuple(account[p.name] for account in accounts), wrong) for p in policies}


def _verdict(policy: Policy, files: tuple[FileComparison, ...], wrong_count: str) -> Comparison:
    """Return the first error: a wrong number of files, a file that isn't there, then what is wrong in a file."""
    forgiven = _forgiven(policy, files)
    if wrong_count:
        return Comparison(policy.name, False, "FILE_COUNT_MISMATCH", "", wrong_count, files, forgiven)
    wrong = sorted((f for f in files if not f.passed), key=lambda f: f.error_type != "MISSING_FILE")
    if not wrong:
        return Comparison(policy.name, True, "", "", "", files, forgiven)
    first = wrong[0]
    message = f"{first.name}: {first.message}"
    return Comparison(policy.name, False, first.error_type, first.reason, message, files, forgiven)


def _forgiven(policy: Policy, files: Sequence[FileComparison]) -> str:
    """Return what a policy let pass that is more than rounding."""
    cells = sum(column.forgiven for file in files for column in file.columns)
    keys = sum(file.near for file in files)
    within = "within the tolerance of the column" if policy.own_tolerance else f"within {policy.relative:.0%}"
    said = []
    if cells:
        said.append(f"{many(cells, 'cell')} {'differs' if cells == 1 else 'differ'} {within.replace('%', ' %')}")
    if keys:
        how = "the nearest" if policy.alignment == "nearest" else "one within 2 %"
        said.append(f"{many(keys, 'key')} paired with {how}")
    return ", ".join(said)
