"""Workflows: a DAG of named steps of eleven kinds, checked before it runs, compiled to one readable query."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prepsql.workflow.document import schema
    from prepsql.workflow.operators import OPERATORS
    from prepsql.workflow.problem import CODES, Problem
    from prepsql.workflow.run import Run, StepTrace
    from prepsql.workflow.workflow import Workflow

# what traces a program wants expressions of this room, and not the compiler, which takes a while to load
_PLACES = {
    "CODES": "problem",
    "OPERATORS": "operators",
    "Problem": "problem",
    "Run": "run",
    "StepTrace": "run",
    "Workflow": "workflow",
    "schema": "document",
}

__all__ = ["CODES", "OPERATORS", "Problem", "Run", "StepTrace", "Workflow", "schema"]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'prepsql.workflow' has no attribute {name!r}")
    return getattr(importlib.import_module(f"prepsql.workflow.{_PLACES[name]}"), name)
