"""Rows that become several: one for each piece of a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from prepsql.translate.pandas import forks
from prepsql.translate.pandas.cell_lists import Pieces, merged, put
from prepsql.translate.pandas.rows import FrameSymbol, after
from prepsql.translate.pandas.rules.places import kept
from prepsql.workflow.pandas_text.value import Value, made
from prepsql.workflow.reserved import column_name


def spread_rows(frame: FrameSymbol, ways: Sequence[tuple[Any, Pieces | None]]) -> tuple[FrameSymbol, Any]:
    """Return the rows of all pieces, and what is made of a piece there."""
    found = [(way, pieces) for way, pieces in ways if pieces is not None]
    lists = [(way, Value("NULL" if pieces is None else pieces.sql, "null" if pieces is None else "list"))
             for way, pieces in ways]  # fmt: skip
    whole = forks.one_value(lists)
    rows = frame.rows
    listed = rows.define("pieces", replace(whole, family="list"))
    if len(found) < len(ways) or not whole.sql.startswith("string_split("):
        some = made("len(x) > 0", "boolean", listed, nullable=False, x=listed.sql)
        frame = kept(frame, some)
        listed = frame.rows.columns[rows.name("pieces", listed)]
        rows = frame.rows
    name = rows.name("pieces", listed)
    piece = rows.name_for("piece")
    spread = after(rows, "project", {"explode": {"col": name, "as": piece}}, wanted="pieces")
    spread.passes = None
    del spread.columns[name]
    spread.columns[piece] = Value(column_name(piece), "text", False)
    element = merged([(way, put(pieces.element, pieces.variable, column_name(piece))) for way, pieces in found])
    return FrameSymbol(spread, {}, (), True), element
