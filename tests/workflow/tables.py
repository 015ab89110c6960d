"""Random tables, and workflows run on them: what goes in and comes out of `Workflow.run`, value by value."""

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import Phase, settings
from hypothesis import strategies as st

from prepsql.sqltext import quote
from prepsql.workflow import Workflow

INT, FLOAT, TEXT, DATE, BOOL = "BIGINT", "DOUBLE", "VARCHAR", "DATE", "BOOLEAN"
ABOUT = "about"
"""A column of floating-point numbers that were computed: equal to within rounding."""
LIST = "list"


def examples(most: int) -> settings:
    """Return settings for tests that run workflows: so many examples, without the hundreds of runs that shrink one."""
    return settings(max_examples=most, phases=(Phase.explicit, Phase.generate), report_multiple_bugs=False)


NAMES = ["a", "select", 'a "b"', "größe", "two words", "Group", "x.y", "🙂", "rowid", "main", "order", "1st"]
VALUES: Mapping[str, list[Any]] = {
    INT: [0, 1, 2, 3, -1, 10**12, -(2**53) - 1],
    FLOAT: [0.0, -0.0, 0.5, -1.25, 0.1, 1e18, 3.0],
    TEXT: ["", "a", "A", "ä", "b ", "🙂", 'x"y', "a,b", "null", "line\nbreak", "10"],
    DATE: [date(2024, 2, 27) + timedelta(days) for days in range(5)] + [date(1999, 12, 31)],
    BOOL: [True, False],
}


@dataclass
class Table:
    """Columns of Python values (null is None), each of a kind, rows in order."""

    frame: pd.DataFrame
    kinds: dict[str, str]

    @property
    def columns(self) -> list[str]:
        return list(self.kinds)

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        return list(zip(*(self.frame[c].tolist() for c in self.columns), strict=True)) if self.columns else []

    def __len__(self) -> int:
        return len(self.frame)

    def of(self, *kinds: str) -> list[str]:
        """Return the columns of these kinds."""
        return [c for c, kind in self.kinds.items() if kind in kinds]


def table(kinds: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> Table:
    """Return a table of rows."""
    columns = {c: pd.Series([row[i] for row in rows], dtype=object) for i, c in enumerate(kinds)}
    return Table(pd.DataFrame(columns, columns=list(kinds), dtype=object), dict(kinds))


@st.composite
def tables(
    draw: st.DrawFn, need: Sequence[str] = (), names: Sequence[str] = NAMES, most: int = 40, columns: int = 5
) -> Table:
    """Return a table that has a column of each kind in `need`, and others; nulls, duplicates, none or many rows."""
    kinds = [*need, *draw(st.lists(st.sampled_from(list(VALUES)), min_size=0 if need else 1, max_size=columns))]
    chosen = draw(st.permutations(names))[: len(kinds)]
    rows = draw(st.sampled_from([n for n in (0, 1, 2, 3, 5, 8, 13, 40, 5000) if n <= most]))
    by = Random(draw(st.integers(0, 2**32)))
    nulls = [draw(st.sampled_from([0.0, 0.2, 0.2, 1.0])) for _ in kinds]
    cells = [
        [None if by.random() < share else by.choice(VALUES[kind]) for _ in range(rows)]
        for kind, share in zip(kinds, nulls, strict=True)
    ]
    return table(dict(zip(chosen, kinds, strict=False)), list(zip(*cells, strict=True)))


def feed(folder: Path, name: str, given: Table) -> dict[str, Any]:
    """Write a table to a file; return the steps, the last one called `name`, that give its values with their types."""
    texts = {c: pa.array([_text(v) for v in given.frame[c]], pa.string()) for c in given.columns}
    pq.write_table(pa.table(texts), folder / f"{name}.parquet")
    cast = [{"col": c, "type": kind} for c, kind in given.kinds.items() if kind != TEXT]
    return {
        f"{name}_file": {"kind": "input", "params": {"path": f"{name}.parquet", "types": "text"}},
        name: {"kind": "project", "inputs": {"in": f"{name}_file"}, "params": {"cast": cast}},
    }


def _text(value: Any) -> str | None:
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)


class Flow:
    """One workflow of several branches over the same tables, each with what is expected of it."""

    def __init__(self, folder: Path, **given: Table) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True, parents=True)
        self.nodes: dict[str, Any] = {}
        self.expected: dict[str, tuple[Table, bool]] = {}
        for name, content in given.items():
            self.nodes |= feed(folder, name, content)

    def step(self, kind: str, params: Mapping[str, Any], inputs: Any = "main") -> str:
        """Add a step; return its name."""
        name = f"step{len(self.nodes)}"
        given = {"in": inputs} if isinstance(inputs, str) else inputs
        self.nodes[name] = {"kind": kind, "inputs": given, "params": dict(params)}
        return name

    def expect(self, step: str, expected: Table, marked: bool = True) -> None:
        """Let a step's result be written; `marked` as JSON, which tells null from empty text and from 'null'."""
        name = f"out{len(self.expected)}"
        self.expected[name] = expected, marked
        if marked:
            cells = [{"as": c, "expr": f"CAST(to_json({quote(c)}) AS VARCHAR)"} for c in expected.columns]
            step = self.step("project", {"compute": cells}, step)
        self.nodes[name] = {"kind": "output", "inputs": {"in": step}, "params": {"path": f"{name}.csv"}}

    def check(self, **settings: Any) -> None:
        """Run it, and compare each output's columns and rows, in order."""
        out = self.folder / "out"
        Workflow({"nodes": self.nodes}).run(self.folder, out, **settings)
        for name, (expected, marked) in self.expected.items():
            columns, rows = read(out / f"{name}.csv")
            assert columns == expected.columns, self.tell(name)
            want, got = expected.rows, [tuple(row) for row in rows]
            kinds = list(expected.kinds.values())
            for place, (a, b) in enumerate(zip(got, want, strict=False)):
                fits = [same(cell, value, kind, marked) for cell, value, kind in zip(a, b, kinds, strict=True)]
                assert all(fits), f"{self.tell(name)}\nrow {place}: got {a}, expected {b}\n{got[:20]}\n{want[:20]}"
            assert len(got) == len(want), f"{self.tell(name)}\n{got[:20]}\n{want[:20]}"

    def tell(self, name: str) -> str:
        """Return the steps that an output rests on."""
        said, todo = [], [name]
        while todo:
            step = todo.pop()
            said.append(f"{step}: {self.nodes[step]}")
            todo += self.nodes[step].get("inputs", {}).get("items", self.nodes[step].get("inputs", {}).values())
        return "\n".join(said)


def read(path: Path) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


def same(cell: str, value: Any, kind: str, marked: bool) -> bool:
    """Return whether a written cell is the value."""
    if not marked:
        if value is None or value == "":
            return cell == ""
        if kind == LIST:
            return same(cell, value, kind, True)
        if kind in (FLOAT, ABOUT):
            return bool(cell) and _close(float(cell), float(value), kind)
        return cell == _text(value)
    found = json.loads(cell) if cell else None
    if value is None or found is None:
        return value is None and found is None
    if kind in (FLOAT, ABOUT):
        return isinstance(found, int | float) and _close(float(found), float(value), kind)
    if kind == LIST:
        return [_plain(v) for v in found] == [_plain(v) for v in value]
    return type(found) is type(_plain(value)) and found == _plain(value)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _close(a: float, b: float, kind: str) -> bool:
    if kind == ABOUT:
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return a == b and math.copysign(1, a) == math.copysign(1, b)
