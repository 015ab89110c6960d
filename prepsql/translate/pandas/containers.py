"""Lists, dicts and numbers that a program makes of tables, carried from script to script as a table of one cell."""

from __future__ import annotations

import collections
import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from prepsql.translate.pandas.rows import Rows
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

_TABLES = (pd.DataFrame, pd.Series)
_MOST_CHARACTERS = 2_000_000
# names that the written form of a thing may have, and what a script has for them
_NAMES: Mapping[str, tuple[Any, str]] = {
    "np": (np, "np"), "nan": (np.nan, "np.nan"), "inf": (np.inf, "np.inf"), "NaT": (pd.NaT, "pd.NaT"),
    "Timestamp": (pd.Timestamp, "pd.Timestamp"), "Timedelta": (pd.Timedelta, "pd.Timedelta"),
    "datetime": (datetime, "__import__('datetime')"),
    "Counter": (collections.Counter, "__import__('collections').Counter"),
    "deque": (collections.deque, "__import__('collections').deque"),
}  # fmt: skip
EVERY_NAME = ("NaT", "Timestamp", "datetime")
"""The names that reading a thing may need of which nothing is known."""
_KNOWN = {name: thing for name, (thing, _) in _NAMES.items()}


@dataclass(frozen=True, eq=False)
class CarrierSymbol:
    """The rows of one cell that hold a thing as it is written, and the names that reading it needs."""

    rows: Rows
    names: tuple[str, ...]

    def reading(self, table: str) -> str:
        """Return the expression that makes the thing again."""
        # other inputs may bring in what is missing
        missing = ["nan", *(["NaT"] if "Timestamp" in self.names else [])]
        names = ", ".join(f"{name!r}: {_NAMES[name][1]}" for name in dict.fromkeys([*missing, *self.names]))
        return f"eval({table}.iat[0, 0], {{{names}}})"


def names_of(value: Any) -> tuple[str, ...] | None:
    """Return the names that reading a written thing needs, None where it can't be written."""
    if isinstance(value, _TABLES) or callable(value) or type(value).__name__ == "module":
        return None
    try:
        text = repr(value)
        if len(text) > _MOST_CHARACTERS or repr(eval(text, dict(_KNOWN))) != text:
            return None
    except Exception:
        return None
    return tuple(sorted(name for name in _NAMES if re.search(rf"(?<![\w.'\"]){name}\b", text)))


def one_cell(rows: Rows) -> None:
    """Give rows the one column of a written thing."""
    rows.columns = {"value": Value(column_name("value"), "text", False)}
