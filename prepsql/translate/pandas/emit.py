"""Rows become the steps of a workflow document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from prepsql.translate.pandas.rows import FrameSymbol, Rows, settled
from prepsql.workflow.pandas_text.value import made


def _as_written(frame: FrameSymbol, real: pd.DataFrame) -> FrameSymbol:
    """Return the frame with truth values as True and False, and times without a clock as dates."""
    columns = dict(frame.columns)
    for at, (label, value) in enumerate(frame.columns.items()):
        if value.family == "boolean":
            columns[label] = made("CASE WHEN x THEN 'True' WHEN NOT x THEN 'False' END", "text", value, x=value.sql)
        elif value.family == "timestamp":
            times = real.iloc[:, at].dropna()
            if (times == times.dt.normalize()).all():
                columns[label] = made("x::DATE", "date", value, x=value.sql)
    return frame.with_columns(columns)


class Emitter:
    """Writes each of the rows that an output needs as a step or two, once."""

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, Any]] = {}
        self.reasons: dict[str, str] = {}
        self.specialised: dict[str, str] = {}
        self.origins: dict[str, str] = {}
        self._steps: dict[Rows, str] = {}
        self._taken: set[str] = set()

    def output(self, name: str, frame: FrameSymbol, real: pd.DataFrame) -> None:
        """Add an output of the frame's columns under their labels, written as pandas writes them."""
        frame = settled(_as_written(frame, real))
        source = self._computed(frame.rows)
        names = {frame.rows.name(label, value): str(label) for label, value in frame.columns.items()}
        columns = list(names.values())
        if len(names) < len(frame.columns):
            source, columns = self._again(source, frame)
        elif any(name != label for name, label in names.items()):
            renamed = {name: label for name, label in names.items() if name != label}
            source = self._add("project", {"in": source}, {"select": list(names), "rename": renamed}, f"named_{name}")
        self._add("output", {"in": source}, {"path": f"{name}.csv", "columns": columns}, name)

    def _again(self, source: str, frame: FrameSymbol) -> tuple[str, list[str]]:
        """Add a step for a frame that has a column under two labels."""
        wanted = {str(label): frame.rows.name(label, value) for label, value in frame.columns.items()}
        compute = [{"as": label, "expr": frame.columns[label].sql} for label, name in wanted.items() if label != name]
        return self._add("project", {"in": source}, {"compute": compute}, "named"), list(wanted)

    def _computed(self, rows: Rows) -> str:
        """Return the step that has the rows' columns, the computed ones too."""
        if rows in self._steps:
            return self._steps[rows]
        inputs = {port: self._port(given) for port, given in rows.inputs.items()}
        params = {key: value for key, value in rows.params.items() if value is not None or key == "header"}
        name = self._add(rows.kind, inputs, params, rows.wanted or rows.kind, rows)
        if rows.computed:
            compute = [{"as": column, "expr": value.sql} for column, value in rows.computed.items()]
            name = self._add("project", {"in": name}, {"compute": compute}, f"{rows.wanted or 'with'}_columns", rows)
        self._steps[rows] = name
        return name

    def _port(self, given: Any) -> Any:
        return [self._computed(one) for one in given] if isinstance(given, list) else self._computed(given)

    def _add(
        self, kind: str, inputs: Mapping[str, Any], params: Mapping[str, Any], wanted: str, rows: Rows | None = None
    ) -> str:
        name = self._name(wanted)
        node: dict[str, Any] = {"kind": kind}
        if inputs:
            node["inputs"] = dict(inputs)
        node["params"] = dict(params)
        if rows is not None:
            if rows.origin:
                self.origins[name] = rows.origin
            if rows.note and kind == rows.kind:
                node["note"] = rows.note
                self.specialised[name] = rows.note
            if kind == "script":
                self.reasons[name] = rows.reason
        self.nodes[name] = node
        return name

    def _name(self, wanted: str) -> str:
        plain = re.sub(r"\W+", "_", wanted, flags=re.ASCII).strip("_").lower() or "step"
        plain = f"step_{plain}" if plain[0].isdigit() else plain
        name, number = plain, 1
        while name in self._taken:
            number += 1
            name = f"{plain}_{number}"
        self._taken.add(name)
        return name
