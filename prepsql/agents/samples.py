"""The first rows of the raw tables, as text: what an agent sees of them without a profile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from prepsql.tables import read

ROWS = 5
_CELL = 60
_COLUMNS = 60


def samples(inputs: Sequence[Path], rows: int = ROWS) -> str:
    """Return each raw table's name, size, columns and first rows, as cells between bars; long cells are cut.

    An input without a readable table says why.
    """
    return "\n\n".join(_sample(path, rows) for path in inputs)


def _sample(path: Path, rows: int) -> str:
    from prepsql.errors import PrepsqlError

    with duckdb.connect() as con:
        try:
            table = read(path, con, "sample")
        except PrepsqlError as wrong:
            return f"raw_{path.stem} ({path.name}): can't be read: {wrong}"
        names = list(table.columns)[:_COLUMNS]
        more = f"; the first {_COLUMNS} are shown" if len(table.columns) > _COLUMNS else ""
        lines = [f"raw_{path.stem} ({path.name}): {table.rows:,} rows, {len(table.columns)} columns{more}"]
        lines.append(_line(names))
        lines += [_line(row[: len(names)]) for row in table.relation.limit(rows).fetchall()]
    return "\n".join(lines)


def _line(cells: Sequence[object]) -> str:
    shown = ("" if cell is None else str(cell).replace("|", "\\|").replace("\n", "\\n") for cell in cells)
    return "| " + " | ".join(text if len(text) <= _CELL else f"{text[: _CELL - 1]}…" for text in shown) + " |"
