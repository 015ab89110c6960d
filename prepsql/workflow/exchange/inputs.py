"""What is known of an input's columns: their types, as a run will read them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prepsql.scratch import scratch_folder
from prepsql.workflow.checks import read_document
from prepsql.workflow.exchange.builder import Columns, column
from prepsql.workflow.pandas_text.value import Family
from prepsql.workflow.settings import Settings, connect
from prepsql.workflow.sources import load_sources

_FAMILIES: tuple[tuple[str, Family], ...] = (
    (r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", "integer"),
    (r"DOUBLE|FLOAT", "float"),
    (r"DECIMAL.*", "number"),
    (r"VARCHAR", "text"),
    (r"BOOLEAN", "boolean"),
    (r"DATE", "date"),
    (r"TIMESTAMP", "timestamp"),
)


def file_columns(node: Mapping[str, Any], folder: Path) -> Columns:
    """Return the columns of an input step with their type families; none where it can't be read."""
    document = read_document({"nodes": {"input": node}})
    with scratch_folder("import") as scratch, connect(Settings(), scratch) as con:
        relations, _ = load_sources(con, document.steps, folder)
    found = relations.get("input")
    return {} if found is None else {name: column(name, _family(kind)) for name, kind in found.columns.items()}


def _family(kind: str) -> Family:
    return next((family for pattern, family in _FAMILIES if re.fullmatch(pattern, kind)), "unknown")
