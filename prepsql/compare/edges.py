"""Which keys are near each other: other parts equal, every number within 2 %, found without comparing all with all."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from prepsql.compare.shape import Shape, same

# number parts that are hashed by their cell of a logarithmic grid; any more are only checked
_HASHED = 3
# up to so many comparisons, all with all is faster
SMALL = 1_000_000
_SIZES = "SELECT (SELECT count(*) FROM {gold}) * (SELECT count(*) FROM {candidate})"
_SELECTIVE = "SELECT {counts} FROM {table}"
_TARGETS = """
CREATE OR REPLACE TABLE {name} AS
SELECT n, {keys}{cells}
FROM {source}{unnested}"""
_WITH_CELLS = "(SELECT *{cells} FROM {source} WHERE {rows})"
_EDGES = """
FROM (SELECT n, {keys}{cells} FROM {source}{unnested}) AS g
JOIN {targets} AS c ON {same}
WHERE c.n NOT IN (SELECT candidate_row FROM {taken}) AND {near}"""


@dataclass(frozen=True)
class Edges:
    """How near keys are found between table `gold` and the candidate's `targets`: row number `n` and key columns."""

    shape: Shape
    gold: str
    targets: str
    hashed: tuple[int, ...]
    finite: bool

    @classmethod
    def between(cls, con: duckdb.DuckDBPyConnection, shape: Shape, gold: str, candidate: str, *, finite: bool) -> Edges:
        """Prepare the candidate's side; `finite` says that an infinite number isn't near itself."""
        (size,) = con.execute(_SIZES.format(gold=gold, candidate=candidate)).fetchone() or (0,)
        if size <= SMALL:
            return cls(shape, gold, candidate, (), finite)
        counts = ", ".join(f"approx_count_distinct(magnitude_cell(k{j}))" for j in shape.numbers)
        found = con.execute(_SELECTIVE.format(counts=counts, table=candidate)).fetchone() or ()
        ranked = sorted(zip(found, shape.numbers, strict=True), key=lambda pair: (-pair[0], pair[1]))
        edges = cls(shape, gold, f"{candidate}_targets", tuple(j for _, j in ranked[:_HASHED]), finite)
        con.execute(
            _TARGETS.format(
                name=edges.targets,
                keys=edges._keys,
                cells=edges._cells,
                source=edges._source(candidate, "true"),
                unnested=edges._unnested("cells_of"),
            )
        )
        return edges

    @property
    def _keys(self) -> str:
        return ", ".join(self.shape.key_columns(exact=False))

    @property
    def _cells(self) -> str:
        return "".join(f", b{j}" for j in self.hashed)

    def _unnested(self, macro: str) -> str:
        return "".join(f", unnest({macro}(k{j}, m{j})) AS u{j}(b{j})" for j in self.hashed)

    def _source(self, table: str, rows: str) -> str:
        cells = "".join(f", magnitude_cell(k{j}) AS m{j}" for j in self.hashed)
        return _WITH_CELLS.format(cells=cells, source=table, rows=rows)

    def sql(self, rows: str, taken: str) -> str:
        """Return FROM and WHERE of the edges of gold's `rows` to candidates that table `taken` doesn't hold."""
        equal = [f"k{j}" for j in self.shape.others] + [f"b{j}" for j in self.hashed]
        near = [self.near(j) for j in self.shape.numbers]
        return _EDGES.format(
            keys=self._keys,
            cells=self._cells,
            source=self._source(self.gold, rows),
            unnested=self._unnested("cells_near"),
            targets=self.targets,
            same=same(equal) or "true",
            taken=taken,
            near=" AND ".join(near),
        )

    def near(self, part: int) -> str:
        """Return the condition under which one number part of two keys is near, or null in both."""
        near = f"is_close(g.k{part}, c.k{part}, 0.02, 0.02)"
        finite = f" AND isfinite(g.k{part}) AND isfinite(c.k{part})" if self.finite else ""
        return f"coalesce({near}{finite}, g.k{part} IS NULL AND c.k{part} IS NULL)"

    def distance(self) -> str:
        """Return the sum of the relative errors of an edge."""
        return " + ".join(f"coalesce(relative_error(g.k{j}, c.k{j}), 0)" for j in self.shape.numbers)
