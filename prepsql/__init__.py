"""Prepare tables in plain words, checked and compiled to SQL; and measure the agents that do it."""

from prepsql.compare import compare, compare_policies, compare_sql

__all__ = ["compare", "compare_policies", "compare_sql"]
