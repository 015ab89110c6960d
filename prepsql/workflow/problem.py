"""What is wrong with a workflow: one problem a fault, found before any row moves."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

CODES = {
    "bad_document": "the document isn't JSON of a workflow's shape",
    "unknown_kind": "a step's kind is none of the operators",
    "bad_name": "a step's or column's name can't be used",
    "bad_ports": "a step's inputs aren't those of its kind",
    "unknown_step": "an input names a step that isn't there",
    "cycle": "steps depend on one another in a circle",
    "unused_step": "a step reaches no output",
    "no_output": "the workflow writes nothing",
    "unknown_parameter": "a parameter that the operator doesn't have",
    "missing_parameter": "a parameter that the operator needs",
    "bad_value": "a parameter's value can't be used",
    "bad_input": "a file that an input step names can't be read",
    "bad_expression": "an expression isn't one SQL expression",
    "not_allowed": "an expression holds what its place doesn't allow",
    "missing_column": "a column that the step's input doesn't have",
    "ambiguous_column": "a column that both sides of a join have",
    "unknown_function": "a function that is neither DuckDB's nor the library's",
    "wrong_type": "an expression's types don't fit",
    "duplicate_column": "two columns would have one name",
    "unknown_columns": "the columns a step makes can't be known before it runs",
    "not_portable": "a step that the dialect can't say",
}
"""Each code, and what it stands for."""


@dataclass(frozen=True)
class Problem:
    """One fault: in which step and parameter (a path such as `compute[0].expr`), what it is, and the likeliest mend.

    `step` is '' where the document as a whole is at fault; `suggestion` is '' where there is none.
    """

    step: str
    parameter: str
    code: str
    message: str
    suggestion: str = ""

    def __str__(self) -> str:
        """Return the problem as one line."""
        where = f"step '{self.step}'" if self.step else "workflow"
        place = f"{where}, {self.parameter}" if self.parameter else where
        return f"{place}: {self.message}" + (f"; {self.suggestion}" if self.suggestion else "")

    def to_dict(self) -> dict[str, Any]:
        """Return the problem as plain values, for JSON."""
        return asdict(self)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the name of `known` that is spelt most like `name`, '' where none is near. Case doesn't count.

    >>> nearest("amout", ["id", "Amount"])
    'Amount'
    """
    folded = {other.lower(): other for other in known}
    close = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.6)
    if close:
        return folded[close[0]]
    within = [other for low, other in folded.items() if name and (low.startswith(name.lower()) or name.lower() in low)]
    return min(within, key=len) if within else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return 'did you mean …?', '' where nothing is near."""
    near = nearest(name, known)
    return f"did you mean '{near}'?" if near else ""


def listing(names: Sequence[str], most: int = 12) -> str:
    """Return names for a message: all, or the first of them and how many more there are.

    >>> listing(["id", "amount"])
    'id, amount'
    """
    shown = ", ".join(names[:most]) or "none"
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
