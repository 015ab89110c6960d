"""Prepare tables in plain words, checked and compiled to SQL; and measure the agents that do it.

>>> import prepsql
>>> prepsql.compare("gold.csv", "mine.csv", key=["id"]).passed  # doctest: +SKIP
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prepsql.compare import Comparison, compare
    from prepsql.sandbox import Limits, Outcome, run_code
    from prepsql.tables import Table, read

# where each public name lives; a room loads when one of its names is first used
_ROOMS = {
    "Comparison": "compare",
    "compare": "compare",
    "compare_sql": "compare",
    "Limits": "sandbox",
    "Outcome": "sandbox",
    "run_code": "sandbox",
    "Table": "tables",
    "read": "tables",
}

__all__ = ["Comparison", "Limits", "Outcome", "Table", "compare", "compare_sql", "read", "run_code"]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return getattr(importlib.import_module(f"prepsql.{_ROOMS[name]}"), name)
    raise AttributeError(f"module 'prepsql' has no attribute {name!r} (has: {', '.join(__all__)})")
