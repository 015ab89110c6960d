"""Compare two folders of outputs, or two files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

import duckdb

from prepsql.compare.policy import Policy, find_policy
from prepsql.compare.result import Comparison, FileComparison
from prepsql.compare.session import workspace
from prepsql.compare.tables import as_raw, compare_output, compare_tables, csv_names, gold_files, load_files
from prepsql.compare.words import listed
from prepsql.errors import InputError
from prepsql.tables import plural


def compare(
    gold: str | Path,
    candidate: str | Path,
    policy: str = "paper",
    key: str | Sequence[str] | None = None,
    *,
    types: Mapping[str, str] | None = None,
    examples: int = 5,
    memory_limit: str | None = None,
) -> Comparison:
    """Compare a candidate with gold under one policy; see `compare_policies`."""
    found = compare_policies(gold, candidate, (policy,), key, types=types, examples=examples, memory_limit=memory_limit)
    return found[policy]


def compare_policies(
    gold: str | Path,
    candidate: str | Path,
    policies: Sequence[str] = ("paper", "strict"),
    key: str | Sequence[str] | None = None,
    *,
    types: Mapping[str, str] | None = None,
    examples: int = 5,
    memory_limit: str | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
) -> dict[str, Comparison]:
    """Compare a candidate with gold: the facts once, then each policy's reading of them.

    Two folders: gold has config.json and output_*.csv, each is compared with the candidate's file of that name. Two
    files of any format that `prepsql.read` takes: `key` names the column or columns that identify a row; all of gold's
    columns are compared, by the type that their cells have on both sides or that `types` gives them by name. The
    account goes on after the first error; it shows up to `examples` cells a column. `con` is an open `workspace`, so
    that many small comparisons share one, and is left with the facts of the last table.

    Raises InputError or ConfigError where a path isn't there or gold can't be used; a fault of the candidate's files
    in a folder is a verdict.
    """
    read = [find_policy(name) for name in policies]
    parts = (key,) if isinstance(key, str) else tuple(key or ())
    check_paths(Path(gold), Path(candidate), parts, types)
    with nullcontext(con) if con else workspace(memory_limit) as work:
        if parts:
            return _compare_files(work, Path(gold), Path(candidate), read, parts, types or {}, examples)
        return _compare_folders(work, Path(gold), Path(candidate), read, examples)


def check_paths(gold: Path, candidate: Path, key: Sequence[str], types: Mapping[str, str] | None = None) -> None:
    """Raise InputError where the paths are neither two folders nor two files with a key."""
    if not gold.exists():
        raise InputError(f"{gold}: no such file or folder; name gold first, then the candidate")
    if not candidate.exists():
        kind, step = ("file", "name a file") if gold.is_file() else ("folder", "name the one that holds output_*.csv")
        raise InputError(f"{candidate}: no such {kind}; {step} to compare with {gold}")
    for path in (gold, candidate):
        if not path.is_file() and not path.is_dir():
            raise InputError(f"{path}: not a regular file (it can be read only once); write it to one first")
    if gold.is_dir() != candidate.is_dir():
        kinds = ["a folder" if path.is_dir() else "a file" for path in (gold, candidate)]
        raise InputError(f"{candidate}: {kinds[1]}, but gold is {kinds[0]}; name two folders or two files")
    if gold.is_dir() and (key or types):
        raise InputError(f"{gold}: a folder's keys and types stand in its config.json; leave them out here")
    if gold.is_file() and not key:
        raise InputError(
            f"{gold}: two files need the columns that identify a row: -k COLUMN (in Python key=['COLUMN'])"
        )


def _compare_files(
    con: duckdb.DuckDBPyConnection,
    gold: Path,
    candidate: Path,
    policies: Sequence[Policy],
    key: Sequence[str],
    types: Mapping[str, str],
    examples: int,
) -> dict[str, Comparison]:
    config, tables, infer = load_files(con, gold, candidate, key, types)
    raw = as_raw(tables[0]), as_raw(tables[1])
    files = compare_tables(con, gold.name, config, raw, policies, examples, infer)
    return {p.name: _verdict(p, (files[p.name],), "") for p in policies}


def _compare_folders(
    con: duckdb.DuckDBPyConnection, gold: Path, candidate: Path, policies: Sequence[Policy], examples: int
) -> dict[str, Comparison]:
    config, given = gold_files(gold), csv_names(candidate)
    accounts = [
        compare_output(con, entry, gold / name, candidate / name, policies, examples) for name, entry in config.items()
    ]
    wrong = ""
    if len(given) != len(config):
        wrong = f"gold has {len(config)} *.csv, the candidate {len(given)}"
        for what, names in (("missing", config.keys() - given), ("not in gold", set(given) - config.keys())):
            wrong += f"; {what}: {listed(sorted(names))}" if names else ""
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
        said.append(f"{plural(cells, 'cell')} {'differs' if cells == 1 else 'differ'} {within.replace('%', ' %')}")
    if keys:
        how = "the nearest" if policy.alignment == "nearest" else "one within 2 %"
        said.append(f"{plural(keys, 'key')} paired with {how}")
    return ", ".join(said)
