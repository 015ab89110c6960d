"""What to write instead of a function that DuckDB and the library don't have."""

from __future__ import annotations

from prepsql.macros.aliases import suggest
from prepsql.workflow.functions import catalogue


def function_hint(name: str) -> str:
    """Return the likeliest mend for an unknown function, '' where nothing is near.

    >>> function_hint("initcap")
    'write title_case(s)'
    """
    meant = suggest(name, catalogue())
    return f"write {meant}" if meant else ""
