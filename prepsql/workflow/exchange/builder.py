"""The workflow while it is being made: steps, the columns they give, and the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prepsql.errors import ConfigError, NotTranslatable
from prepsql.sqltext import free_name, step_name
from prepsql.workflow.exchange.imported import Entry, What
from prepsql.workflow.exchange.text import qualified, script_code
from prepsql.workflow.operators.script import SCRIPT_CHARACTERS
from prepsql.workflow.pandas_text import Translated, translate_expression
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

Columns = dict[str, Value]


def column(name: str, family: Any = "unknown", nullable: bool = True) -> Value:
    """Return a column of a type family."""
    return Value(column_name(name), family, nullable)


class Builder:
    """Steps by name, in order. `columns` has what is known of each step's columns; some may be missing there."""

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, Any]] = {}
        self.columns: dict[str, Columns] = {}
        self.report: list[Entry] = []
        self._taken: set[str] = set()

    def name(self, wanted: str) -> str:
        """Return a step name like `wanted` that nobody else has."""
        name = free_name(step_name(wanted) or "step", self._taken)
        self._taken.add(name)
        return name

    def add(self, name: str, kind: str, inputs: Mapping[str, Any], params: Mapping[str, Any], columns: Columns) -> str:
        """Add a step and return its name."""
        node: dict[str, Any] = {"kind": kind}
        if inputs:
            node["inputs"] = dict(inputs)
        node["params"] = {key: value for key, value in params.items() if value is not None}
        self.nodes[name] = node
        self.columns[name] = columns
        return name

    def tell(self, step: str, what: What, reason: str) -> None:
        """Add a line to the report."""
        self.report.append(Entry(step, what, reason))

    def translate(self, text: str, columns: Columns, predicate: bool = False) -> Translated:
        """Return pandas text as SQL over a step's columns."""
        return translate_expression(qualified(text), columns, predicate=predicate)

    def compute(self, base: str, source: str, entries: list[tuple[str, str]]) -> str:
        """Add columns by pandas text: project steps, and a script step for each that SQL can't say. Return the last.

        `base` is the flow's own step, in whose name it is reported.
        """
        computed: list[dict[str, str]] = []
        columns = dict(self.columns[source])

        def project() -> str:
            if not computed:
                return source
            return self.add(self.name(base), "project", {"in": source}, {"compute": list(computed)}, dict(columns))

        for name, text in entries:
            try:
                result = self.translate(text, columns)
            except NotTranslatable as why:
                source = self.script(base, project(), f"    df[{name!r}] = {qualified(text, script=True)}", text, why)
                computed.clear()
                columns[name] = column(name)
                self.columns[source] = dict(columns)
            else:
                computed.append({"as": name, "expr": result.sql})
                columns[name] = column(name, "unknown" if result.family == "null" else result.family, result.nullable)
        return project()

    def script(self, base: str, source: str, lines: str, text: str, why: NotTranslatable) -> str:
        """Add a step that runs pandas text in the sandbox, and say why."""
        code = script_code(lines, text)
        if len(code) > SCRIPT_CHARACTERS:
            size = f"{len(code):,} characters and may have {SCRIPT_CHARACTERS:,}"
            raise ConfigError(f"step '{base}': {why}; as a script it has {size}: split it")
        self.tell(base, "script", str(why))
        params = {"language": "python", "code": code}
        return self.add(self.name(f"{base}_script"), "script", {"df": source}, params, dict(self.columns[source]))
