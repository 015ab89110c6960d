"""Workflows: a DAG of named steps of eleven kinds, checked before it runs, compiled to one readable query."""

from prepsql.workflow.document import schema
from prepsql.workflow.operators import OPERATORS
from prepsql.workflow.problem import CODES, Problem
from prepsql.workflow.run import Run, StepTrace
from prepsql.workflow.workflow import Workflow

__all__ = ["CODES", "OPERATORS", "Problem", "Run", "StepTrace", "Workflow", "schema"]
