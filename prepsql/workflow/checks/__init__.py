"""What is checked of a document's form, in this order; each check is a function of a file of its own."""

from prepsql.workflow.checks.cycles import cycles
from prepsql.workflow.checks.parameters import read_document
from prepsql.workflow.checks.reach import reach
from prepsql.workflow.checks.references import references

CHECKS = (references, cycles, reach)
"""Functions document → problems."""

__all__ = ["CHECKS", "read_document"]
