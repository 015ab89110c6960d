"""The comparator: all differences of two tables as facts in SQL, and policies that read a verdict from them."""

from prepsql.compare.config import TYPE_NAMES
from prepsql.compare.policy import POLICIES, Policy
from prepsql.compare.result import ColumnComparison, Comparison, Example, FileComparison, RowExample
from prepsql.compare.run import compare, compare_policies
from prepsql.compare.session import workspace
from prepsql.compare.sql import compare_sql

__all__ = [
    "POLICIES",
    "TYPE_NAMES",
    "ColumnComparison",
    "Comparison",
    "Example",
    "FileComparison",
    "Policy",
    "RowExample",
    "compare",
    "compare_policies",
    "compare_sql",
    "workspace",
]
