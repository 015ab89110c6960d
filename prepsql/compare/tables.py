"""What is compared: the output files of two folders under a config, or two files of any format under a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import duckdb

from prepsql.compare.config import TableConfig, load_config
from prepsql.compare.facts import SIDES, Infer, absent_columns, find_facts
from prepsql.compare.policy import Policy
from prepsql.compare.reading import RawTable, load_output
from prepsql.compare.result import FileComparison
from prepsql.compare.verdict import Reader, listed
from prepsql.errors import ConfigError, InputError, ReadError
from prepsql.sqltext import quote
from prepsql.tables import Table, read, safe_types

T = TypeVar("T")
_TYPES = {"BIGINT": "number", "DOUBLE": "number", "DATE": "date", "TIMESTAMP": "datetime", "BOOLEAN": "boolean"}
# what most number columns are, and quicker to see than every safe type: up to 15 digits without leading zeros
_PLAIN_NUMBERS = """
SELECT bool_and(length({column}) <= 16 AND regexp_full_match({column}, '-?[1-9][0-9]*([.][0-9]+)?|-?0[.][0-9]+|0'))
FROM {side} WHERE {column} <> ''"""


def gold_files(gold: Path, candidate: Path) -> Mapping[str, TableConfig]:
    """Return the entries of gold's files in name order; InputError or ConfigError where they can't be used."""
    if candidate.exists() and not candidate.is_dir():
        raise InputError(f"{candidate}: gold is a folder, so the candidate must be one")
    config, names = load_config(gold), csv_names(gold)
    if not names:
        raise InputError(f"{gold}: no *.csv in the gold folder")
    unknown = [name for name in names if name not in config]
    if unknown:
        raise ConfigError(f"{gold / 'config.json'}: no entry for {unknown[0]} (has: {', '.join(config)})")
    return {name: config[name] for name in names}


def csv_names(folder: Path) -> list[str]:
    """Return the names of the `*.csv` of a folder, in order; of an absent folder none."""
    return sorted(path.name for path in folder.iterdir() if path.suffix.lower() == ".csv") if folder.is_dir() else []


def compare_output(
    con: duckdb.DuckDBPyConnection,
    config: TableConfig,
    gold: Path,
    candidate: Path,
    policies: Sequence[Policy],
    examples: int,
) -> Mapping[str, FileComparison]:
    """Return each policy's reading of one output file of a folder."""
    name = gold.name
    if not candidate.exists():
        return alike(policies, FileComparison(name, False, "MISSING_FILE", message="the candidate has no such file"))
    load_gold, load_candidate = _side_by_side(con, load_output, gold, candidate)
    try:
        expected = load_gold()
    except ReadError as wrong:
        raise InputError(f"gold can't be read: {gold.parent}: {wrong}") from wrong
    lacking = [column for column, _ in config.columns if column not in expected.columns]
    if lacking:
        raise ConfigError(f"{gold.parent / 'config.json'}: names column {lacking[0]!r}, which {name} hasn't")
    try:
        given = load_candidate()
    except ReadError as wrong:
        return alike(policies, FileComparison(name, False, "READ_ERROR", message=str(wrong), gold_rows=expected.rows))
    return compare_tables(con, name, config, (expected, given), policies, examples)


def load_files(
    con: duckdb.DuckDBPyConnection, gold: Path, candidate: Path, key: Sequence[str]
) -> tuple[TableConfig, tuple[RawTable, RawTable], Infer]:
    """Load two files as tables `gold` and `candidate`, all gold's columns to be compared; of the types only the key's.

    A column is a number, date, datetime or boolean only where every cell of both files safely is; else text_exact.
    """
    loading = _side_by_side(con, lambda cursor, side, path: read(path, cursor, side), gold, candidate)
    tables = loading[0](), loading[1]()
    names = tables[0].columns
    for part in key:
        if part not in names:
            raise InputError(f"{gold}: no column {part!r} for the key (has: {', '.join(names)})")

    def infer(types: tuple[str, ...], places: Sequence[int]) -> tuple[str, ...]:
        found = {names[i]: _common_type(con, names[i]) for i in places if names[i] in tables[1].columns}
        return tuple(found.get(name) or types[i] for i, name in enumerate(names))

    types = infer(("text_exact",) * len(names), [names.index(part) for part in key])
    config = TableConfig(tuple(dict.fromkeys(key)), tuple(zip(names, types, strict=True)))
    return config, (_raw(tables[0]), _raw(tables[1])), infer


def _side_by_side(
    con: duckdb.DuckDBPyConnection,
    load: Callable[[duckdb.DuckDBPyConnection, str, Path], T],
    gold: Path,
    candidate: Path,
) -> tuple[Callable[[], T], Callable[[], T]]:
    """Return what gives each side loaded; both at once where DuckDB has two threads, since Python fills only one."""
    sides = zip(SIDES, (gold, candidate), strict=True)
    ((threads,),) = con.execute("SELECT current_setting('threads')").fetchall()
    if threads == 1:
        first, second = (partial(load, con, side, path) for side, path in sides)
        return first, second
    with ThreadPoolExecutor(max_workers=2) as pool:
        expected, given = (pool.submit(load, con.cursor(), side, path) for side, path in sides)
    return expected.result, given.result


def _common_type(con: duckdb.DuckDBPyConnection, column: str) -> str:
    """Return what the cells of a column safely are on both sides, or '' where that isn't one thing."""
    kinds = [_safe_type(con, side, column) for side in SIDES]
    return _TYPES.get(kinds[0], "") if _TYPES.get(kinds[0]) == _TYPES.get(kinds[1]) else ""


def _safe_type(con: duckdb.DuckDBPyConnection, side: str, column: str) -> str:
    (plain,) = con.execute(_PLAIN_NUMBERS.format(column=quote(column), side=side)).fetchone() or (False,)
    return "DOUBLE" if plain else safe_types(con, side, [column])[column]


def _raw(table: Table) -> RawTable:
    notes = tuple(str(entry) for entry in table.ledger.entries)
    return RawTable({name: name for name in table.columns}, table.rows, notes)


def compare_tables(
    con: duckdb.DuckDBPyConnection,
    name: str,
    config: TableConfig,
    tables: tuple[RawTable, RawTable],
    policies: Sequence[Policy],
    examples: int,
    infer: Infer | None = None,
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
        extra_columns=tuple(column for column in candidate.columns if column not in compared),
        notes=(*(f"gold: {note}" for note in gold.notes), *(f"candidate: {note}" for note in candidate.notes)),
    )
    if any(part in base.missing_columns for part in config.key):
        message = f"the candidate has no column {listed(base.missing_columns)}"
        return alike(policies, replace(base, error_type="MISSING_COLUMNS", message=message))
    facts = find_facts(con, config, tables, policies, infer)
    return {p.name: Reader(con, config, facts, p, examples).read(base, tables) for p in policies}


def alike(policies: Sequence[Policy], file: FileComparison) -> dict[str, FileComparison]:
    """Return the same for every policy."""
    return {policy.name: file for policy in policies}
