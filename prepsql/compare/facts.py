"""All differences of one pair of tables, computed once for all policies; they stay in DuckDB as tables.

`pairs` holds rows without partner and pairs in which some value may differ, `values_seen` the cells of those pairs
whose raw texts differ, with both values as they are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from prepsql.compare import statements
from prepsql.compare.config import TableConfig
from prepsql.compare.nearest import pair_nearest
from prepsql.compare.policy import Policy
from prepsql.compare.reading import RawTable
from prepsql.compare.sequential import Stop, align_in_order
from prepsql.compare.shape import Shape

Infer = Callable[[tuple[str, ...], Sequence[int]], tuple[str, ...]]
SIDES = ("gold", "candidate")
_UNKNOWN_KEY = "SELECT min(rowid) FROM {side}_keys WHERE {words}"
_WITHOUT_PARTNER = "SELECT count(*) FILTER (how = 'missing'), count(*) FILTER (how = 'extra') FROM pairs"
_TOUCHED = "SELECT count(*) FROM pairs WHERE how NOT IN ('missing', 'extra')"
_DIFFERING = "SELECT DISTINCT col FROM cells ORDER BY col"
_REPEATED = "SELECT count(*) FROM ({keys})"


@dataclass(frozen=True)
class Disorder:
    """How many matched rows stand in the candidate before their predecessor in gold.

    Of the first one: gold's row, the candidate's, and the candidate's of that predecessor; all from 0.
    """

    rows: int
    gold_row: int
    candidate_row: int
    before: int


@dataclass(frozen=True)
class Facts:
    """The facts of one pair of tables that no policy changes; counts are of rows.

    `missing` and `extra` rows have no partner with an equal key; `near` of them were paired by the nearest number.
    `duplicates` and `rough_duplicates` count the keys that repeat per side, with numbers exact or as doubles.
    `stop` says where the published alignment ends, `in_order` that it went through; `unknown_key` is the first row
    per side whose key holds an unknown truth word. `disorder` is None where the order is gold's, or isn't asked for;
    it is that of the rows with equal keys, `near_disorder` that of the near ones too.
    """

    shape: Shape
    exact: bool
    duplicates: tuple[int, int]
    rough_duplicates: tuple[int, int]
    missing: int
    extra: int
    touched: int
    near: int
    in_order: bool
    stop: Stop | None
    unknown_key: tuple[int | None, int | None]
    disorder: Disorder | None
    near_disorder: Disorder | None


def find_facts(
    con: duckdb.DuckDBPyConnection,
    config: TableConfig,
    tables: tuple[RawTable, RawTable],
    policies: Iterable[Policy],
    infer: Infer | None = None,
) -> Facts:
    """Compare tables `gold` and `candidate`; every key column must be in both.

    `infer` gives the types of the columns in which some cell differs where the config has '' for theirs.
    """
    alignments = {policy.alignment for policy in policies}
    published = "sequential" in alignments
    shape = Shape.of(config, absent_columns(config, tables[1]))
    for side, table in zip(SIDES, tables, strict=True):
        con.execute(statements.cells_view(side, [table.columns.get(name) for name, _ in config.columns]))
        con.execute(statements.keys_table(side, shape, published=published))
    (exact,) = _one(con, statements.big_numbers(shape))
    if exact:
        for side in SIDES:
            con.execute(statements.digits(side, shape))
    duplicates = _repeated(con, shape, exact=exact)
    rough = _repeated(con, shape, exact=False) if exact and published else duplicates
    repeated = any(duplicates)
    if repeated:
        for side in SIDES:
            con.execute(statements.occurrences(side, shape, exact=exact))
    con.execute(statements.pairs_table(shape, exact=exact, repeated=repeated))
    missing, extra = _one(con, _WITHOUT_PARTNER)
    near = 0
    if "nearest" in alignments and shape.numbers and missing and extra:
        near = pair_nearest(con, shape)
        con.execute(statements.add_pairs("near", "near"))
    unknown_key = _unknown_keys(con, shape) if published else (None, None)
    stop, in_order = None, False
    alike = tables[0].rows == tables[1].rows and not any(rough) and unknown_key == (None, None)
    if published and shape.numbers and alike and not shape.absent:
        stop = align_in_order(con, shape, tables[0].rows)
        in_order = stop is None
        if in_order:
            con.execute(statements.add_pairs("published", "taken"))
    disorder = near_disorder = None
    if config.ordered:
        disorder = _disorder(con, statements.disorder(shape, exact=exact, repeated=repeated, near=False))
        near_disorder = disorder
        if near:
            near_disorder = _disorder(con, statements.disorder(shape, exact=exact, repeated=repeated, near=True))
    (touched,) = _one(con, _TOUCHED)
    if touched:
        con.execute(statements.cells_table(shape))
        if infer:
            differing = [col for (col,) in con.execute(_DIFFERING).fetchall()]
            shape = replace(shape, types=infer(shape.types, differing))
        con.execute(statements.values_table(shape))
    return Facts(
        shape,
        exact,
        duplicates,
        rough,
        missing,
        extra,
        touched,
        near,
        in_order,
        stop,
        unknown_key,
        disorder,
        near_disorder,
    )


def absent_columns(config: TableConfig, candidate: RawTable) -> tuple[int, ...]:
    """Return the places of the compared columns that the candidate lacks."""
    return tuple(i for i, (name, _) in enumerate(config.columns) if name not in candidate.columns)


def _repeated(con: duckdb.DuckDBPyConnection, shape: Shape, *, exact: bool) -> tuple[int, int]:
    gold, candidate = (
        _one(con, _REPEATED.format(keys=statements.duplicates(side, shape, exact=exact)))[0] for side in SIDES
    )
    return gold, candidate


def _unknown_keys(con: duckdb.DuckDBPyConnection, shape: Shape) -> tuple[int | None, int | None]:
    parts = [f"k{j} NOT IN ('true', 'false')" for j in shape.others if shape.types[shape.key[j]] == "boolean"]
    if not parts:
        return None, None
    gold, candidate = (_one(con, _UNKNOWN_KEY.format(side=side, words=" OR ".join(parts)))[0] for side in SIDES)
    return gold, candidate


def _disorder(con: duckdb.DuckDBPyConnection, query: str) -> Disorder | None:
    found = _one(con, query)
    return Disorder(*found) if found[0] else None


def _one(con: duckdb.DuckDBPyConnection, query: str) -> tuple[Any, ...]:
    """Return the only row of an aggregate."""
    (row,) = con.execute(query).fetchall()
    return tuple(row)
