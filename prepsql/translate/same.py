"""Two output files compared: as they stand, row by row under the policy `strict`, and in any order of rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from string import Template

import duckdb

from prepsql.compare import workspace
from prepsql.compare.config import TableConfig
from prepsql.compare.policy import POLICIES
from prepsql.compare.reading import RawTable, load_output
from prepsql.compare.tables import compare_tables
from prepsql.compare.types import common_type
from prepsql.compare.words import listed
from prepsql.errors import ReadError
from prepsql.sqltext import create_as, literal, named, quote, select
from prepsql.translate.translation import OutputProof, Verdict

_PLACE = "row"
_WHOLE = "(-?[1-9][0-9]*|0)?"
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:[.][0-9]+)?")
_NEAR = 1e-12
_SORTED = Template("""
SELECT *, CAST(row_number() OVER (ORDER BY $keys, rowid) AS VARCHAR) AS $place FROM $side
ORDER BY $keys, rowid
""")
_ALIKE = Template("""
SELECT count(*) FROM (SELECT $cell AS cell, count(*) AS n FROM gold GROUP BY ALL) AS g
FULL JOIN (SELECT $cell AS cell, count(*) AS n FROM candidate GROUP BY ALL) AS c
ON g.cell IS NOT DISTINCT FROM c.cell AND g.n = c.n WHERE g.n IS NULL OR c.n IS NULL
""")
_BOTH = Template("""
SELECT bool_and(regexp_full_match($cell, $form))
FROM (SELECT $cell FROM gold UNION ALL SELECT $cell FROM candidate)
""")
_NUMBER = Template("CAST(printf('%.8e', norm_number($cell)) AS DOUBLE)")


@dataclass(frozen=True)
class Pair:
    """A file of a workflow's and the code's own of the same name.

    `ordered` are columns by which the code puts its rows in order, where it does. With `columns` only those are
    compared, wherever they stand.
    """

    path: str
    own: Path
    made: Path
    ordered: Sequence[str] = ()
    columns: Sequence[str] | None = None


def compare_files(pairs: Sequence[Pair]) -> list[OutputProof]:
    """Compare each pair of files.

    Equal are files with the same columns in the same order, whose rows agree one after the other: cells as `strict` has
    it, of types that all cells of the code's file have. Where they agree once both are sorted, they are `reordered`,
    unless the code puts its rows in order and they stand otherwise (rows equal by that order may change places).
    """
    same = {pair.path: pair.own.read_bytes() == pair.made.read_bytes() or _plainly(pair) for pair in pairs}
    if all(same.values()):
        return [_same(pair) for pair in pairs]
    with workspace() as con:
        return [_same(pair) if same[pair.path] else _compare(con, pair) for pair in pairs]


def _plainly(pair: Pair) -> bool:
    """Return whether two files are equal by their texts but for the last digits of floats.

    So `strict` finds too, since in these columns all cells are numbers with a point; it takes much longer.
    """
    own, made = _columns(_records(pair.own)), _columns(_records(pair.made))
    if not own or not made or (pair.columns is None and list(own) != list(made)):
        return False
    names = own if pair.columns is None else pair.columns
    return all(own.get(name, 0) == made.get(name, 1) or _near(own.get(name, ()), made.get(name, ())) for name in names)


def _columns(records: Sequence[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the cells of each column; none where rows aren't as wide as the header, or it has a name twice."""
    header = records[0] if records else []
    if len(set(header)) < len(header) or any(len(row) != len(header) for row in records):
        return {}
    cells = zip(*records[1:], strict=True) if len(records) > 1 else [()] * len(header)
    return dict(zip(header, cells, strict=True))


def _near(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two columns hold numbers with a point, which agree."""
    if len(one) != len(other):
        return False
    if not all("." in "".join(cells) and all(map(_DECIMAL.fullmatch, filter(None, cells))) for cells in (one, other)):
        return False
    return all(
        a == b or (a and b and isclose(float(a), float(b), rel_tol=_NEAR)) for a, b in zip(one, other, strict=True)
    )


def _records(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return [record for record in csv.reader(file) if record]


def _same(pair: Pair) -> OutputProof:
    return OutputProof(pair.path, Verdict.EQUAL, max(0, len(_records(pair.own)) - 1))


def _compare(con: duckdb.DuckDBPyConnection, pair: Pair) -> OutputProof:
    path, columns = pair.path, pair.columns
    try:
        tables = load_output(con, "gold", pair.own), load_output(con, "candidate", pair.made)
    except ReadError as wrong:
        return OutputProof(path, Verdict.DIFFERENT, 0, str(wrong))
    fault = _form_fault(*tables, columns)
    if fault:
        return OutputProof(path, Verdict.DIFFERENT, tables[0].rows, fault)
    names = list(tables[0].columns if columns is None else columns)
    if not names or not tables[0].rows:
        return OutputProof(path, Verdict.EQUAL, tables[0].rows)
    return _Rows(con, path, tables, names).proof(pair.ordered)


def _form_fault(gold: RawTable, candidate: RawTable, columns: Sequence[str] | None) -> str:
    """Return what is wrong with columns and number of rows, if something is."""
    names = list(gold.columns if columns is None else columns)
    lacking = [name for name in names if name not in candidate.columns]
    extra = [name for name in candidate.columns if name not in names] if columns is None else []
    if lacking or extra:
        return f"it lacks column {listed(lacking)}" if lacking else f"column {listed(extra)} is too much"
    if columns is None and names != list(candidate.columns):
        return f"its columns stand in another order: {', '.join(candidate.columns)}; the code's are {', '.join(names)}"
    if gold.rows != candidate.rows:
        return f"it has {candidate.rows:,} rows, the code's {gold.rows:,}"
    return ""


class _Rows:
    """Tables `gold` and `candidate` with the same columns and number of rows."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, path: str, tables: tuple[RawTable, RawTable], names: Sequence[str]
    ) -> None:
        self.con, self.path, self.tables, self.names = con, path, tables, names
        self.place = _PLACE + "_" * max(map(len, names))
        cells = [[table.columns[name] for name in names] for table in tables]
        for side, given in zip(("gold", "candidate"), cells, strict=True):
            picked = [named(quote(cell), f"c{i}") for i, cell in enumerate(given)]
            con.execute(create_as(side, select(picked, side)))
        self.cells = [f"c{i}" for i in range(len(names))]
        # `strict` would take whole numbers that are long enough, as ids are, for one
        self.types = ["text_exact" if self._whole(cell) else common_type(con, cell, cell) for cell in self.cells]

    def proof(self, ordered: Sequence[str]) -> OutputProof:
        """Compare row by row, then in one order of both."""
        rows = self.tables[0].rows
        difference = self._difference(["rowid"], self.names)
        if not difference:
            return OutputProof(self.path, Verdict.EQUAL, rows)
        keys = [name for name in ordered if name in self.names]
        disorder = self._difference(["rowid"], keys) if keys else ""
        if self._difference(self._keys(), self.names):
            return OutputProof(self.path, Verdict.DIFFERENT, rows, difference)
        if disorder:
            return OutputProof(self.path, Verdict.DIFFERENT, rows, f"its rows stand in another order: {disorder}")
        return OutputProof(self.path, Verdict.REORDERED, rows, "the same rows in another order")

    def _difference(self, keys: Sequence[str], names: Sequence[str]) -> str:
        """Return what is the first difference between the rows at the same place, once both are sorted by `keys`."""
        for side in ("gold", "candidate"):
            query = _SORTED.substitute(keys=", ".join(keys), place=quote(self.place), side=side)
            self.con.execute(create_as(f"{side}_given", select(["*"], side)))
            self.con.execute(create_as(side, query))
        try:
            compared = [(self.place, "number")]
            compared += [(n, t) for n, t in zip(self.names, self.types, strict=True) if n in names]
            columns = dict(zip(self.names, self.cells, strict=True)) | {self.place: self.place}
            raw = RawTable(columns, self.tables[0].rows), RawTable(columns, self.tables[1].rows)
            config = TableConfig((self.place,), tuple(compared))
            found = compare_tables(self.con, self.path, config, raw, [POLICIES["strict"]], 1)["strict"]
        finally:
            for side in ("gold", "candidate"):
                self.con.execute(create_as(side, select(self.cells, f"{side}_given")))
        if found.passed:
            return ""
        for column in found.columns:
            for example in column.examples:
                return (
                    f"row {example.gold_row}, column {column.name!r}: {example.candidate!r} is {example.gold!r} "
                    f"by the code ({column.differing:,} of {column.rows:,} rows differ there)"
                )
        return found.message

    def _whole(self, cell: str) -> bool:
        """Return whether a column is of whole numbers on both sides."""
        query = _BOTH.substitute(cell=cell, form=literal(_WHOLE))
        return self.con.execute(query).fetchall() == [(True,)]

    def _keys(self) -> list[str]:
        """Return expressions that put both sides into one order: columns that are alike on both sides come first."""
        keys = [
            f"{_NUMBER.substitute(cell=cell)}" if kind == "number" else f"norm_text_exact({cell})"
            for cell, kind in zip(self.cells, self.types, strict=True)
        ]
        unlike = {key: self._unlike(key) for key in keys}
        return sorted(keys, key=lambda key: unlike[key])

    def _unlike(self, key: str) -> int:
        (count,) = self.con.execute(_ALIKE.substitute(cell=key)).fetchone() or (0,)
        return int(count)
