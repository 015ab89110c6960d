"""What is compared: the output files of two folders under a config, or two files of any format under a key."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from string import Template
from typing import TypeVar

import duckdb

from prepsql.compare.config import TableConfig, load_config
from prepsql.compare.facts import SIDES, Infer, absent_columns, find_facts
from prepsql.compare.policy import Policy
from prepsql.compare.reading import RawTable, load_output
from prepsql.compare.result import FileComparison
from prepsql.compare.types import TEXT, check_types, common_type
from prepsql.compare.verdict import Reader
from prepsql.compare.words import hint, listed
from prepsql.errors import ConfigError, InputError, ReadError
from prepsql.sqltext import quote
from prepsql.tables import Table, read

T = TypeVar("T")
EXTRA_SHOWN = 20
_RENAME = Template("ALTER TABLE $table RENAME COLUMN $given TO $name")


def gold_files(gold: Path) -> Mapping[str, TableConfig]:
    """Return the entries of gold's files in name order; InputError or ConfigError where they can't be used."""
    config, names = load_config(gold), csv_names(gold)
    if not names:
        raise InputError(f"{gold}: no *.csv in the gold folder")
    unknown = [name for name in names if name not in config]
    if unknown:
        raise ConfigError(f"{gold / 'config.json'}: no entry for {unknown[0]} (has: {', '.join(config)})")
    for name in names:
        if not (gold / name).is_file():
            raise InputError(f"{gold / name}: not a regular file; write the table to one")
    return {name: config[name] for name in names}


def csv_names(folder: Path) -> list[str]:
    """Return the names of the `*.csv` of a folder, in order."""
    return sorted(path.name for path in folder.iterdir() if path.suffix.lower() == ".csv")


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
    if refused := _refused(candidate):
        return alike(policies, FileComparison(name, False, "READ_ERROR", message=refused))
    compared = {column for column, _ in config.columns}
    load_gold, load_candidate = _side_by_side(con, partial(load_output, compared=compared), gold, candidate)
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
        # the account names the file itself
        message = str(wrong).removeprefix(f"{name}: ")
        return alike(policies, FileComparison(name, False, "READ_ERROR", message=message, gold_rows=expected.rows))
    return compare_tables(con, name, config, (expected, given), policies, examples)


def _refused(output: Path) -> str:
    """Return why an output isn't opened, if so: it may be a device or a pipe, or a link to what isn't the folder's."""
    if not output.is_file():
        return "not a regular file"
    if not output.resolve().is_relative_to(output.parent.resolve()):
        return "a link to a file outside the folder"
    return ""


def load_files(
    con: duckdb.DuckDBPyConnection, gold: Path, candidate: Path, key: Sequence[str], types: Mapping[str, str]
) -> tuple[TableConfig, tuple[Table, Table], Infer]:
    """Load two files as tables `gold` and `candidate`, all gold's columns to be compared.

    Of the types only the key's and those that `types` gives are known, the others are '' until they are inferred.
    """
    loading = _side_by_side(con, lambda cursor, side, path: read(path, cursor, side), gold, candidate)
    tables = loading[0](), loading[1]()
    for side, table in zip(SIDES, tables, strict=True):
        for given, name in as_raw(table).columns.items():
            if name != given:
                con.execute(_RENAME.substitute(table=side, given=quote(given), name=quote(name)))
    columns = [as_raw(table).columns for table in tables]
    names = tables[0].columns
    for part in key:
        if part not in names:
            raise InputError(f"{gold}: {_no_key(part, names)}")
    check_types(str(gold), types, names)

    def infer(known: tuple[str, ...], places: Sequence[int]) -> tuple[str, ...]:
        unknown = {names[i] for i in places if not known[i]}
        shared = unknown & columns[1].keys()
        found = {n: common_type(con, columns[0][n], columns[1][n]) if n in shared else TEXT for n in unknown}
        return tuple(found.get(name, known[i]) for i, name in enumerate(names))

    first = infer(tuple(types.get(name, "") for name in names), [names.index(part) for part in key])
    return TableConfig(tuple(dict.fromkeys(key)), tuple(zip(names, first, strict=True))), tables, infer


def _no_key(part: str, names: Sequence[str]) -> str:
    """Return what is wrong with a part of the key, and how to say it right."""
    several = [name.strip() for name in part.split(",")]
    if len(several) > 1 and set(several) <= set(names):
        options = " ".join(f"-k {shlex.quote(name)}" for name in several)
        return f"no column {part!r}; name each column of the key on its own: {options} (in Python key={several})"
    return f"no column {part!r} for the key{hint(part, names)}"


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


def as_raw(table: Table) -> RawTable:
    """Return a table of `prepsql.read` as one to compare, its ledger as notes.

    A column named rowid, which would hide the row's number, has another name in DuckDB.
    """
    taken = {name.lower() for name in table.columns}
    free = next(name for name in ("rowid" + "_" * i for i in count(1)) if name not in taken)
    columns = {name: free if name.lower() == "rowid" else name for name in table.columns}
    notes = tuple(str(entry) for entry in table.ledger.entries)
    return RawTable(columns, table.rows, notes)


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
    extra = [column for column in candidate.columns if column not in compared]
    base = FileComparison(
        name,
        False,
        gold_rows=gold.rows,
        candidate_rows=candidate.rows,
        missing_columns=tuple(config.columns[i][0] for i in absent_columns(config, candidate)),
        extra_columns=tuple(extra[:EXTRA_SHOWN]),
        extra_column_count=len(extra),
        notes=(
            *config.notes,
            *(f"gold: {note}" for note in gold.notes),
            *(f"candidate: {note}" for note in candidate.notes),
        ),
    )
    if any(part in base.missing_columns for part in config.key):
        message = f"the candidate has no column {listed(base.missing_columns)}"
        return alike(policies, replace(base, error_type="MISSING_COLUMNS", message=message))
    facts = find_facts(con, config, tables, policies, infer)
    return {p.name: Reader(con, config, facts, p, examples).read(base, tables) for p in policies}


def alike(policies: Sequence[Policy], file: FileComparison) -> dict[str, FileComparison]:
    """Return the same for every policy."""
    return {policy.name: file for policy in policies}
