"""Workflows whose SQL is kept for every dialect: `tests/fixtures/workflow/sql/NAME.json`, and their tables."""

from __future__ import annotations

import csv
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from prepsql.errors import WorkflowError
from prepsql.workflow import Workflow
from prepsql.workflow.export import Export
from tests.workflow.dialects.engines import Engine, Rows

FOLDER = Path(__file__).parents[2] / "fixtures" / "workflow" / "sql"
FLOWS = sorted(path.stem for path in FOLDER.glob("*.json"))
TYPES = {
    "orders": {"id": "BIGINT", "customer": "VARCHAR", "day": "DATE", "amount": "DOUBLE", "qty": "BIGINT",
               "paid": "BOOLEAN", 'unit "price"': "DOUBLE"},
    "rates": {"customer": "VARCHAR", "first_day": "DATE", "rate": "DOUBLE"},
}  # fmt: skip
_READ: dict[str, Any] = {
    "BIGINT": int, "DOUBLE": float, "DATE": date.fromisoformat, "VARCHAR": str, "BOOLEAN": lambda cell: cell == "true",
}  # fmt: skip


def flow(name: str) -> Workflow:
    """Return a workflow of the fixtures."""
    return Workflow.load(FOLDER / f"{name}.json")


@cache
def exporting(name: str, dialect: str) -> Export:
    """Return a workflow's export."""
    return flow(name).export(dialect)


@cache
def exported(name: str, dialect: str) -> dict[str, str] | list[str]:
    """Return the queries of a workflow, or why it can't be said."""
    try:
        return exporting(name, dialect).queries()
    except WorkflowError as no:
        return [str(problem) for problem in no.problems]


def load(engine: Engine) -> None:
    """Load the fixtures' tables."""
    for table, types in TYPES.items():
        with (FOLDER / "inputs" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            rows = [
                [_READ[kind](cell) if cell else None for cell, kind in zip(line, types.values(), strict=True)]
                for line in list(csv.reader(file))[1:]
            ]
        put(engine, table, rows)


def put(engine: Engine, table: str, rows: Rows | list[list[Any]]) -> None:
    """Load rows as one of the fixtures' tables."""
    shown = [
        [cell.isoformat() if isinstance(cell, date) and engine.dialect == "sqlite" else cell for cell in row]
        for row in rows
    ]
    engine.load(table, TYPES[table], shown)
