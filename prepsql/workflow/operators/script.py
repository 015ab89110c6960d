"""script: what no operator says, as code in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from prepsql.workflow.operators.base import Demand, Lowered, Operator, Ports, Scope, bad_type, problem
from prepsql.workflow.problem import Problem

SCRIPT_CHARACTERS = 1500
"""The most characters that a script step's code may have (paper, section 4.3)."""


class Script(Operator):
    """Run `code` on the inputs, in the sandbox; rows come in the order that it gives them.

    Python: `def transform(df, pd, np)` gives a DataFrame, with several inputs `def transform(tables, pd, np)` where
    tables maps their names. SQL: one SELECT over the inputs by their names. With `scalar: true` Python's
    `def transform(row)` gives one value a row: the new last column, named by the one entry of `columns`.

    `columns` maps the columns that it returns to their DuckDB types; without it, what comes after can't be checked
    before the run. The code has at most 1,500 characters.
    """

    kind: ClassVar[str] = "script"
    purpose: ClassVar[str] = "runs code of its own, in the sandbox"
    ports: ClassVar[Ports] = "named"

    language: Literal["python", "sql"]
    code: str
    columns: dict[str, str] | None = None
    scalar: bool = False
    timeout: float = Field(default=120.0, gt=0, strict=False)

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield code that is too long or lacks its function."""
        for name, kind in (self.columns or {}).items():
            yield from bad_type(scope, f"columns.{name}", kind)
        if len(self.code) > SCRIPT_CHARACTERS:
            yield problem(
                scope, "code", "bad_value", f"the code has {len(self.code):,} characters; {SCRIPT_CHARACTERS:,} is "
                "the most", "say part of it by other steps, or split it into two scripts",
            )  # fmt: skip
        if self.language == "python" and "def transform" not in self.code:
            wanted = "def transform(row)" if self.scalar else "def transform(df, pd, np)"
            yield problem(
                scope, "code", "bad_value", "the code defines no function transform", f"define {wanted}: …",
            )  # fmt: skip
        if self.scalar and (self.language != "python" or len(self.columns or ()) != 1 or len(scope.inputs) != 1):
            yield problem(
                scope, "scalar", "bad_value", "a scalar script is Python, has one input, and gives one column",
                'name it with its type: columns: {"result": "VARCHAR"}',
            )  # fmt: skip

    def outline(self, scope: Scope) -> list[tuple[str, str]] | None:
        """Return the declared columns, None without them."""
        if self.columns is None:
            return None
        made = [(name, kind.upper()) for name, kind in self.columns.items()]
        return [*scope.parent.columns.items(), *made] if self.scalar else made

    @property
    def names_all(self) -> bool:
        """Whether the parameters name every column: `columns` does, but for a scalar."""
        return self.columns is not None and not self.scalar

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Code sees rows in an order."""
        return Demand.ROWS

    def lower(self, scope: Scope) -> Lowered:
        """Nothing of it is SQL of the chain: the run cuts the chain here."""
        raise NotImplementedError("a script step isn't part of the chain")
