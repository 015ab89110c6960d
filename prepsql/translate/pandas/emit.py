"""Rows become the steps of a workflow document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from prepsql.sqltext import free_name, step_name
from prepsql.translate.pandas.as_written import as_written
from prepsql.translate.pandas.rows import Beside, FrameSymbol, Rows, settled
from prepsql.workflow.reserved import column_name


def _by_table(rows: Rows) -> list[list[str | Beside]]:
    """Return what is computed first, then each table that stands beside the rows with what is computed after it."""
    parts: list[list[str | Beside]] = [[]]
    for layer in rows.layers:
        if isinstance(layer, Beside):
            parts.append([])
        parts[-1].append(layer)
    return parts


class Emitter:
    """Writes each of the rows that an output needs as a step or two, once."""

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, Any]] = {}
        self.reasons: dict[str, str] = {}
        self.specialised: dict[str, str] = {}
        self.origins: dict[str, str] = {}
        self._steps: dict[tuple[Rows, int], str] = {}
        self._taken: set[str] = set()

    def output(self, name: str, frame: FrameSymbol, real: pd.DataFrame) -> None:
        """Add an output of the frame's columns under their labels, written as pandas writes them."""
        frame = settled(as_written(frame, real))
        source = self._computed(frame.rows)
        names = {frame.rows.name(label, value): str(label) for label, value in frame.columns.items()}
        columns = list(names.values())
        if len(names) < len(frame.columns):
            source, columns = self._again(source, frame)
        elif any(name != label for name, label in names.items()):
            renamed = {name: label for name, label in names.items() if name != label}
            source = self._add("project", {"in": source}, {"select": list(names), "rename": renamed}, f"named_{name}")
        self._add("output", {"in": source}, {"path": f"{name}.csv", "columns": columns}, name)

    def point(self, frame: FrameSymbol) -> str | None:
        """Return a step that has the frame's columns under their labels, None where it can't.

        It comes after the outputs and changes nothing of what they need.
        """
        labels = {str(label): free_name(f"point_{at}", frame.rows.columns) for at, label in enumerate(frame.columns)}
        if not labels or len({label.lower() for label in labels}) < len(frame.columns):
            return None
        pairs = zip(labels.values(), frame.columns.values(), strict=True)
        compute = [{"as": name, "expr": value.sql} for name, value in pairs]
        source = self._add("project", {"in": self._computed(frame.rows)}, {"compute": compute}, "point")
        renamed = {name: label for label, name in labels.items()}
        return self._add("project", {"in": source}, {"select": list(renamed), "rename": renamed}, "point")

    def assume(self, what: list[str]) -> None:
        """Note at every output what the program's course took from these inputs' values."""
        if not what:
            return
        shown = "; ".join(what[:3]) + (f"; and {len(what) - 3} more" if len(what) > 3 else "")
        for name, node in self.nodes.items():
            if node["kind"] == "output":
                node["note"] = self.specialised[name] = f"holds for inputs with {shown}"

    def _again(self, source: str, frame: FrameSymbol) -> tuple[str, list[str]]:
        """Add a step for a frame that has a column under two labels."""
        wanted = {str(label): frame.rows.name(label, value) for label, value in frame.columns.items()}
        compute = [{"as": label, "expr": frame.columns[label].sql} for label, name in wanted.items() if label != name]
        return self._add("project", {"in": source}, {"compute": compute}, "named"), list(wanted)

    def _computed(self, rows: Rows, depth: int | None = None) -> str:
        """Return the step that has the rows' columns, with so many of the tables that stand beside them."""
        depth = rows.depth() if depth is None else depth
        if (rows, depth) in self._steps:
            return self._steps[rows, depth]
        parts = _by_table(rows)[depth]
        if depth:
            name = self._beside(self._computed(rows, depth - 1), parts[0], rows)
        else:
            inputs = {port: self._port(rows, given) for port, given in rows.inputs.items()}
            params = {key: value for key, value in rows.params.items() if value is not None or key == "header"}
            name = self._add(rows.kind, inputs, params, rows.wanted or rows.kind, rows)
        name = self._columns(name, rows, [layer for layer in parts if isinstance(layer, str)])
        self._steps[rows, depth] = name
        return name

    def _columns(self, name: str, rows: Rows, computed: list[str]) -> str:
        """Add the computed columns, in a step for those between two scalar scripts."""
        waiting: list[dict[str, str]] = []

        def flushed(name: str) -> str:
            if not waiting:
                return name
            params = {"compute": list(waiting)}
            waiting.clear()
            return self._add("project", {"in": name}, params, f"{rows.wanted or 'with'}_columns", rows)

        for column in computed:
            if column not in rows.scripted:
                waiting.append({"as": column, "expr": rows.computed[column].sql})
                continue
            code, kind, reason = rows.scripted[column]
            params = {"language": "python", "code": code, "columns": {column: kind}, "scalar": True}
            name = self._add("script", {"in": flushed(name)}, params, column, rows)
            self.reasons[name] = reason
        return flushed(name)

    def _beside(self, name: str, beside: Any, rows: Rows) -> str:
        """Add a join with a table that stands beside the rows."""
        source = self._computed(beside.rows, beside.depth)
        renamed = {old: new for new, old in beside.columns.items() if new != old}
        keys = {key: key for key in beside.right_on}
        if renamed:
            taken = {name.lower() for name in beside.columns}
            for at, key in enumerate(keys, 1):
                while keys[key].lower() in taken:
                    keys[key] = f"{key}_key_{at}"
                taken.add(keys[key].lower())
            compute = [
                {"as": new, "expr": column_name(old)}
                for new, old in beside.columns.items()
                if old in keys or new != old
            ]
            select = list(dict.fromkeys([*keys, *beside.columns.values()]))
            once = {old: new for old, new in renamed.items() if old not in keys}
            both = [entry for entry in compute if beside.columns[entry["as"]] in keys]
            names = {**once, **{old: new for old, new in keys.items() if old != new}}
            for entry in both:
                entry["expr"] = column_name(keys[beside.columns[entry["as"]]])
            params: dict[str, Any] = {"select": select}
            params |= ({"rename": names} if names else {}) | ({"compute": both} if both else {})
            source = self._add("project", {"in": source}, params, f"{rows.wanted or 'rows'}_beside", rows)
        params = {"how": "left" if keys else "cross", "select_right": list(beside.columns)}
        if keys:
            params |= {"left_on": list(beside.left_on), "right_on": list(keys.values()), "validate": "m:1"}
            params |= {"null_equal": True} if beside.nulls else {}
        return self._add("join", {"left": name, "right": source}, params, f"{rows.wanted or 'rows'}_with", rows)

    def _port(self, rows: Rows, given: Any) -> Any:
        if isinstance(given, list):
            return [self._exactly(rows, one) for one in given]
        name = self._computed(given, rows.depths[id(given)])
        if rows.passes is None or rows.passes is not given:
            return name
        # columns that came to the step later, under names that these rows have given to others
        beside = {column for layer in rows.layers if isinstance(layer, Beside) for column in layer.columns}
        own = {*rows.computed, *beside}
        kept = [column for column in rows.columns if column not in own]
        later = {column.lower() for column in given.columns} - {column.lower() for column in kept}
        if later & {column.lower() for column in own}:
            return self._add("project", {"in": name}, {"select": kept}, "to_go_on", given)
        return name

    def _exactly(self, rows: Rows, given: Rows) -> str:
        """Return the step of a table that is united, without columns that came after."""
        name = self._computed(given, rows.depths[id(given)])
        wanted = [column for column in given.columns if column in rows.columns]
        if len(wanted) < len(given.columns):
            return self._add("project", {"in": name}, {"select": wanted}, "to_unite", given)
        return name

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
        name = free_name(step_name(wanted) or "step", self._taken)
        self._taken.add(name)
        return name
