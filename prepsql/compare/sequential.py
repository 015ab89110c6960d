"""Policy `published`: gold rows in file order, each takes the one candidate row not yet taken within 2 %.

The first row that finds none, or several, ends it, so gold is taken in growing chunks: a key in which whole
ranges lie within 2 % (a year, a running number) fails in an early, small one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import duckdb

from prepsql.compare.edges import Edges
from prepsql.compare.nearest import add_rows
from prepsql.compare.shape import Shape

_FIRST = 64
_LARGEST = 1 << 19
EDGES_HELD = 1_000_000
_NUMBERED = "CREATE OR REPLACE VIEW {side}_numbered AS SELECT rowid AS n, * FROM {side}_keys"
_FIND = """
CREATE OR REPLACE TABLE edges AS
SELECT g.n AS gold_row, c.n AS candidate_row {edges} LIMIT {limit}"""
_PLAIN = "SELECT count(*), count(DISTINCT gold_row), count(DISTINCT candidate_row) FROM edges"


@dataclass(frozen=True)
class Stop:
    """The first gold row that fails, from 0, and why: `missing_key` or `multiple_matches`."""

    row: int
    reason: str


def align_in_order(con: duckdb.DuckDBPyConnection, shape: Shape, rows: int) -> Stop | None:
    """Fill table `taken`(gold_row, candidate_row) with the pairs of the `rows` gold rows; return where it stops."""
    con.execute("CREATE OR REPLACE TABLE taken (gold_row BIGINT, candidate_row BIGINT)")
    for side in ("gold", "candidate"):
        con.execute(_NUMBERED.format(side=side))
    edges = Edges.between(con, shape, "gold_numbered", "candidate_numbered", finite=True)
    start, size = 0, _FIRST
    while start < rows:
        stop = min(start + size, rows)
        found = edges.sql(f"n >= {start} AND n < {stop}", "taken")
        con.execute(_FIND.format(edges=found, limit=EDGES_HELD + 1))
        count, golds, candidates = con.execute(_PLAIN).fetchone() or (0, 0, 0)
        if count > EDGES_HELD and stop - start > 1:
            size = max(1, (stop - start) // 8)
            continue
        if count == golds == candidates == stop - start:
            con.execute("INSERT INTO taken SELECT gold_row, candidate_row FROM edges")
        elif failed := _take(con, start, stop):
            return failed
        start, size = stop, min(4 * size, _LARGEST)
    return None


def _take(con: duckdb.DuckDBPyConnection, start: int, stop: int) -> Stop | None:
    """Let each row of a chunk take its candidate by the edges at hand; return the first that can't."""
    near: dict[int, list[int]] = defaultdict(list)
    for gold, candidate in con.execute("SELECT gold_row, candidate_row FROM edges").fetchall():
        near[gold].append(candidate)
    taken: dict[int, int] = {}
    for row in range(start, stop):
        free = [candidate for candidate in near[row] if candidate not in taken]
        if len(free) != 1:
            return Stop(row, "multiple_matches" if free else "missing_key")
        taken[free[0]] = row
    add_rows(con, "taken", list(taken.values()), list(taken))
    return None
