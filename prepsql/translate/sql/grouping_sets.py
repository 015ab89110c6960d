"""GROUPING SETS, ROLLUP and CUBE: a union of aggregates."""

from __future__ import annotations

from typing import Any

from prepsql.translate.sql.unsayable import Unsayable


def union(*given: Any) -> Any:
    """Add an aggregate step for each set."""
    raise Unsayable("grouping sets")
