"""The workflow in the making: steps are added one by one, each compiled at once, so that its columns are known."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from prepsql.errors import PrepsqlError
from prepsql.sqltext import free_name, step_name
from prepsql.translate import graph
from prepsql.translate.polish.edit import rewired
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow.checks.parameters import read_document
from prepsql.workflow.compile import Chain
from prepsql.workflow.relation import Relation
from prepsql.workflow.sources import load_sources

Params = dict[str, Any]

_LONGEST = 50
_NOWHERE = Path()
_STATE = ("nodes", "relations", "reasons", "specialised", "origins", "tables", "owned", "subjects")


class Steps:
    """Steps by name, in the order in which they were added, with the columns that each gives.

    `add` raises Unsayable where the engine refuses the step. `owned` are the steps that bear a table's name; `tables`
    holds what was made of common tables, by their node.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, Any]] = {}
        self.relations: dict[str, Relation] = {}
        self.reasons: dict[str, str] = {}
        self.specialised: dict[str, str] = {}
        self.origins: dict[str, str] = {}
        self.origin = ""
        self.reserved: set[str] = set()
        self.tables: dict[int, Any] = {}
        self.owned: set[str] = set()
        self.subjects: dict[str, str] = {}

    def free(self, wanted: str) -> str:
        """Return a name for a step that none has yet, near to the wanted one."""
        return free_name(plain_name(wanted) or "step", {*self.nodes, *self.reserved})

    def subject(self, step: str) -> str:
        """Return what a step's rows are, in a word for the names of steps after it."""
        return self.subjects.get(step, step)

    def add(self, kind: str, params: Params, inputs: Mapping[str, Any], wanted: str, subject: str = "") -> str:
        """Add a step under a name near to the wanted one; return its name.

        Its rows are what those of its first input are, unless `subject` says what.
        """
        name = self.free(wanted)
        node: dict[str, Any] = {"kind": kind}
        if inputs:
            node["inputs"] = dict(inputs)
        node["params"] = params
        self.relations[name] = self._compiled(name, node)
        self.nodes[name] = node
        sources = graph.sources(node)
        self.subjects[name] = plain_name(subject) or (self.subject(sources[0]) if sources else name)
        if self.origin:
            self.origins[name] = self.origin
        return name

    def add_file(self, path: str, columns: Mapping[str, str], types: str, wanted: str) -> str:
        """Add the input step of a file whose columns are known."""
        name = self.free(wanted)
        self.nodes[name] = {"kind": "input", "params": {"path": path, **({"types": types} if types != "safe" else {})}}
        self.relations[name] = Relation(name, dict(columns))
        return name

    def add_data(self, data: Sequence[Mapping[str, Any]], wanted: str) -> str:
        """Add an input step with its rows in it."""
        name = self.free(wanted)
        node = {"kind": "input", "params": {"data": list(data)}}
        document = read_document({"nodes": {name: node}})
        try:
            with duckdb.connect() as con:
                relations, problems = load_sources(con, document.steps, _NOWHERE)
        except PrepsqlError as bad:
            raise Unsayable(str(bad)) from bad
        if problems or document.problems:
            raise Unsayable(str([*problems, *document.problems][0]))
        self.nodes[name] = node
        self.relations[name] = replace(relations[name], name=name)
        if self.origin:
            self.origins[name] = self.origin
        return name

    def columns(self, step: str) -> list[str]:
        """Return the names of a step's columns."""
        return list(self.relations[step].columns)

    def types(self, step: str) -> Mapping[str, str]:
        """Return the types of a step's columns."""
        return self.relations[step].columns

    def rename(self, step: str, wanted: str) -> str:
        """Give a step the name of its table; return it."""
        kept, self.reserved = self.reserved, set()
        name = self.free(wanted) if plain_name(wanted) != step else step
        self.reserved = kept
        self.subjects[name] = name
        self.nodes = {name if n == step else n: dict(rewired(node, step, name)) for n, node in self.nodes.items()}
        relation = self.relations.pop(step)
        self.relations[name] = relation.renamed(name)
        for mapping in (self.reasons, self.specialised, self.origins):
            if step in mapping:
                mapping[name] = mapping.pop(step)
        return name

    def note(self, step: str, text: str) -> None:
        """Give a step a note, unless it has one."""
        if text and "note" not in self.nodes[step]:
            self.nodes[step]["note"] = text

    def keep(self) -> dict[str, Any]:
        """Return what `back` needs to undo all that comes after."""
        state = vars(self)
        kept = {name: copy.copy(state[name]) for name in _STATE}
        return kept | {"nodes": {name: dict(node) for name, node in self.nodes.items()}}

    def back(self, kept: Mapping[str, Any]) -> None:
        """Undo all that was added since."""
        for name in _STATE:
            setattr(self, name, copy.copy(kept[name]))

    def _compiled(self, name: str, node: Mapping[str, Any]) -> Relation:
        sources = list(dict.fromkeys(graph.sources(node)))
        stubs = {source: {"kind": "input", "params": {"data": [{"x": 1}]}} for source in sources}
        document = read_document({"nodes": {**stubs, name: node}})
        if document.problems:
            raise Unsayable(str(document.problems[0]))
        chain = Chain(document.steps, {})
        for source in sources:
            chain.put(document.steps[source], self.relations[source])
        made = chain.add(document.steps[name])
        if made.problems:
            raise Unsayable(str(made.problems[0]))
        return replace(made.relation, order=(), hidden={})


def plain_name(text: str) -> str:
    """Return a text as a step's name of readable length, '' where nothing of it can be one."""
    return step_name(text, _LONGEST)
