"""Policy `paper`: keys left over on both sides are paired, one to one, with the nearest within 2 %.

The closest pair first, then the closest of what is left: exactly so for a key with one number and up to a million
rows left over (see `line`), and for any key with up to half a million near pairs. Where there are more, the same from
fine to coarse grids, where the rows of one cell pair in key order, until the pairs left are few enough: what is
paired is near, but need not be the nearest. Either way the order of rows plays no part, and no step is quadratic.
"""

from __future__ import annotations

from itertools import product

import duckdb
import pyarrow as pa

from prepsql.compare.edges import Edges
from prepsql.compare.line import closest_on_line
from prepsql.compare.shape import Shape, same

EDGES_HELD = 500_000
LINE_HELD = 1_000_000
_WIDTHS = (1e-9, 1e-6, 1e-4, 0.02)
_SHIFTS = (0.0, 0.5)
_ADD = "INSERT INTO {table} SELECT g, c FROM found_pairs"
_LEFT = """
CREATE OR REPLACE TABLE {side}_left AS
SELECT k.rowid AS n, k.* FROM {side}_keys AS k JOIN pairs ON k.rowid = pairs.{side}_row AND how = '{how}'"""
_ROWS_LEFT = "SELECT (SELECT count(*) FROM gold_left) + (SELECT count(*) FROM candidate_left)"
_COUNT = "SELECT count(*) FROM (SELECT 1 {edges} LIMIT {limit})"
_CLOSEST = "SELECT g.n, c.n {edges} ORDER BY {distance}, {ties}"
_BY_RANK = """
INSERT INTO near
SELECT g.n, c.n
FROM ({gold}) AS g JOIN ({candidate}) AS c ON {same} AND g.place = c.place
WHERE {near}"""
_RANKED = """
SELECT *, row_number() OVER (PARTITION BY {others} ORDER BY {numbers}) AS place
FROM (SELECT *, {cells} FROM {side}_left WHERE n NOT IN (SELECT {side}_row FROM near))"""


def pair_nearest(con: duckdb.DuckDBPyConnection, shape: Shape) -> int:
    """Fill table `near`(gold_row, candidate_row) from the rows of `pairs` without partner; return the pairs found."""
    con.execute("CREATE OR REPLACE TABLE near (gold_row BIGINT, candidate_row BIGINT)")
    con.execute(_LEFT.format(side="gold", how="missing"))
    con.execute(_LEFT.format(side="candidate", how="extra"))
    if len(shape.numbers) == 1 and _count(con, _ROWS_LEFT) <= LINE_HELD:
        pairs = list(closest_on_line(con, shape))
        add_rows(con, "near", [g for g, _ in pairs], [c for _, c in pairs])
        return len(pairs)
    edges = Edges.between(con, shape, "gold_left", "candidate_left", finite=False)
    for width, shift in product(_WIDTHS, _SHIFTS):
        if _pair_closest(con, edges):
            break
        con.execute(_by_rank(edges, width, shift))
    else:
        _pair_closest(con, edges)
    return _count(con, "SELECT count(*) FROM near")


def _pair_closest(con: duckdb.DuckDBPyConnection, edges: Edges) -> bool:
    """Pair by distance where the edges can be held; return whether they could."""
    found = edges.sql("n NOT IN (SELECT gold_row FROM near)", "near")
    if _count(con, _COUNT.format(edges=found, limit=EDGES_HELD + 1)) > EDGES_HELD:
        return False
    numbers = edges.shape.numbers
    ties = ", ".join([*(f"g.k{j}" for j in numbers), *(f"c.k{j}" for j in numbers), "g.n", "c.n"])
    gold: dict[int, int] = {}
    taken: set[int] = set()
    for g, c in con.execute(_CLOSEST.format(edges=found, distance=edges.distance(), ties=ties)).fetchall():
        if g not in gold and c not in taken:
            gold[g] = c
            taken.add(c)
    add_rows(con, "near", list(gold), list(gold.values()))
    return True


def _by_rank(edges: Edges, width: float, shift: float) -> str:
    """Return what pairs the first gold row of a grid cell with its first candidate row, and so on."""
    numbers, others = edges.shape.numbers, edges.shape.others
    cells = [f"k{j}" for j in others] + [f"m{j}" for j in numbers]

    def ranked(side: str) -> str:
        return _RANKED.format(
            others=", ".join(cells),
            numbers=", ".join(f"k{j}" for j in numbers),
            cells=", ".join(f"magnitude_cell(k{j}, width := {width!r}, shift := {shift!r}) AS m{j}" for j in numbers),
            side=side,
        )

    near = " AND ".join(edges.near(j) for j in numbers)
    return _BY_RANK.format(gold=ranked("gold"), candidate=ranked("candidate"), same=same(cells), near=near)


def add_rows(con: duckdb.DuckDBPyConnection, table: str, gold: list[int], candidate: list[int]) -> None:
    """Append pairs of row numbers to a table."""
    con.register("found_pairs", pa.table({"g": pa.array(gold, pa.int64()), "c": pa.array(candidate, pa.int64())}))
    con.execute(_ADD.format(table=table))
    con.unregister("found_pairs")


def _count(con: duckdb.DuckDBPyConnection, query: str) -> int:
    row = con.execute(query).fetchone()
    return int(row[0]) if row else 0
