"""Prepare tables in plain words, checked and compiled to SQL; and measure the agents that do it.

>>> import prepsql
>>> prepsql.compare("gold.csv", "mine.csv", key=["id"]).passed  # doctest: +SKIP
True
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prepsql.compare import Comparison, compare, compare_policies, compare_sql
    from prepsql.profile import Finding, Profile, profile, profile_sql
    from prepsql.sandbox import Limits, Outcome, run_code
    from prepsql.tables import Table, read
    from prepsql.translate import Translation, translate
    from prepsql.workflow import Problem, Run, Workflow

# where each public name lives; a room loads when one of its names is first used
_ROOMS = {
    "Comparison": "compare",
    "Finding": "profile",
    "Limits": "sandbox",
    "Outcome": "sandbox",
    "Problem": "workflow",
    "Profile": "profile",
    "Run": "workflow",
    "Table": "tables",
    "Translation": "translate",
    "Workflow": "workflow",
    "compare": "compare",
    "compare_policies": "compare",
    "compare_sql": "compare",
    "profile": "profile",
    "profile_sql": "profile",
    "read": "tables",
    "run_code": "sandbox",
    "translate": "translate",
}

__all__ = [
    "Comparison",
    "Finding",
    "Limits",
    "Outcome",
    "Problem",
    "Profile",
    "Run",
    "Table",
    "Translation",
    "Workflow",
    "compare",
    "compare_policies",
    "compare_sql",
    "profile",
    "profile_sql",
    "read",
    "run_code",
    "translate",
]


class _Face(ModuleType):
    """Keeps a public function where the import system would put the room of the same name in its place."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _ROOMS and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'prepsql' has no attribute {name!r} (has: {', '.join(__all__)})")
    return getattr(importlib.import_module(f"prepsql.{_ROOMS[name]}"), name)


def __dir__() -> list[str]:
    return __all__


sys.modules[__name__].__class__ = _Face
