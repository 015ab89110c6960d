"""The DuckDB that profiles: a session with the macros that the room calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from prepsql.macros import install
from prepsql.session import session

# to define the whole library takes three times as long as to profile a small table's cells
MACROS = (
    "capture", "cell_date_form", "cell_kind", "cell_number_form", "clean_text", "date_form_of", "date_skeleton",
    "first_filled", "first_number", "is_blank", "keep_digits", "map_value", "match_key", "may_be_date",
    "may_be_number", "missing_to_null", "null_word_of", "number_form_of", "ordinal", "parse_any_date",
    "parse_any_timestamp", "parse_boolean", "parse_clock", "parse_duration", "parse_magnitude", "parse_month",
    "parse_number", "parse_percent", "quick_kind", "spelling_key", "split_list", "split_nth", "squeeze_space",
    "strip_html", "strip_space", "text_between", "unix_to_timestamp", "value_mask",
)  # fmt: skip


@contextmanager
def workspace(memory_limit: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection with the macros of a profile; `memory_limit` is as in `prepsql.session.session`."""
    with session("prepsql-profile-", memory_limit) as con:
        install(con, MACROS)
        yield con
