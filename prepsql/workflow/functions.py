"""Which functions an expression may call: DuckDB's own and the library's macros."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from prepsql.macros import library
from prepsql.workflow.engine import engine

_CATALOGUE = """
SELECT function_name, max(function_type), bool_or(stability = 'VOLATILE')
FROM duckdb_functions()
WHERE function_type IN ('scalar', 'aggregate', 'macro') AND schema_name IN ('main', 'pg_catalog')
GROUP BY function_name
"""
WINDOWS = frozenset(
    [
        "row_number",
        "rank",
        "dense_rank",
        "percent_rank",
        "cume_dist",
        "ntile",
        "lag",
        "lead",
        "first_value",
        "last_value",
        "nth_value",
    ]
)
"""What goes only over a window; the catalogue lacks it."""

# parts of the grammar that trees show as functions, and `fill`, which is a window function too
_GRAMMAR = WINDOWS | {"count_star", "fill", "unnest"}
# these answer differently each time, or on another machine; a workflow's result must not
_CHANGING = """
random setseed uuid gen_random_uuid uuidv4 uuidv7 nextval currval setval txid_current current_transaction_id
current_connection_id current_query current_query_id sleep_ms write_log stats now today current_date current_time
current_timestamp current_localtime current_localtimestamp get_current_time get_current_timestamp
transaction_timestamp current_setting getvariable current_database current_schema current_schemas in_search_path
version vector_type
"""


@cache
def catalogue() -> Mapping[str, str]:
    """Return each function's kind: scalar, aggregate, macro or volatile, by its name in lower case."""
    rows = engine().execute(_CATALOGUE).fetchall()
    kinds = {name.lower(): kind for name, kind, _ in rows}
    kinds |= dict.fromkeys(_GRAMMAR, "scalar") | dict.fromkeys(library(), "macro")
    return kinds | dict.fromkeys(_CHANGING.split(), "volatile")
