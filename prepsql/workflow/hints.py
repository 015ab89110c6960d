"""What to write instead of a function that DuckDB and the library don't have."""

from __future__ import annotations

from prepsql.macros import library
from prepsql.workflow.functions import catalogue
from prepsql.workflow.problem import did_you_mean


def function_hint(name: str) -> str:
    """Return the likeliest mend for an unknown function."""
    return did_you_mean(name, [*library(), *catalogue()])
