"""A SQL script becomes a draft: statement by statement, each a table of the workflow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from string import Template
from typing import Any

import duckdb

from prepsql.errors import NotTranslatable
from prepsql.macros import install, named_in
from prepsql.sandbox.child.sql import LOCK
from prepsql.sqltext import quote
from prepsql.tables import load_inputs
from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.sql.asking import with_in
from prepsql.translate.sql.context import Context, Source
from prepsql.translate.sql.described import columns_of, common_names
from prepsql.translate.sql.lens import mark
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.query import query, settled, with_common_tables
from prepsql.translate.sql.scope import Column, Rows, Table
from prepsql.translate.sql.scripts import script, tables_read
from prepsql.translate.sql.sorts import drop_idle_sorts
from prepsql.translate.sql.statements import Statement, statements
from prepsql.translate.sql.steps import Steps, plain_name
from prepsql.translate.sql.tree import Node, parse_query
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.translate.terms import DEFAULT_TERMS, Terms

GAVE_WAY = "operators gave this table other rows"
"""Why a table that is to be avoided is a script step."""

_TABLE = Template("CREATE OR REPLACE TEMP TABLE $name ($cells)")
_OUTPUT = re.compile(r"output_\d+", re.IGNORECASE)


def translate_sql(
    script: str, inputs: Path, avoid: frozenset[str] = frozenset(), terms: Terms = DEFAULT_TERMS
) -> Draft:
    """Return the draft of a script of CREATE … AS SELECT statements over the files in the folder `inputs`.

    Tables named in `avoid` become script steps. Nothing runs, on whatever `terms`. Raises NotTranslatable where a
    statement can't even be a script.
    """
    return Translator(statements(script), inputs, avoid).draft()


@dataclass(frozen=True)
class Made:
    """A statement's table: its rows, and what it is called in the draft's origins."""

    statement: Statement
    table: Table
    origin: str


class Translator:
    """One script's translation."""

    def __init__(self, script: list[Statement], inputs: Path, avoid: frozenset[str]) -> None:
        self.script, self.inputs, self.avoid = script, inputs, avoid
        self.steps = Steps()
        self.types: dict[str, dict[str, str]] = {}
        self.tables: dict[str, Source] = {}
        self.made: dict[str, Made] = {}
        self.reads: dict[str, dict[str, Made | None]] = {}
        self.ordered: dict[str, tuple[str, ...]] = {}

    def draft(self) -> Draft:
        """Return the draft of all statements that an output depends on."""
        with duckdb.connect(config={"threads": 1}) as con:
            self._load(con)
            install(con, named_in("\n".join(statement.query for statement in self.script)))
            con.execute(LOCK)
            named = [s.name for s in self.script] + [name for s in self.script for name in common_names(s.query)]
            self.steps.reserved = {plain_name(name) for name in named}
            for statement in self.script:
                self._statement(con, statement)
        return self._finished()

    def _load(self, con: duckdb.DuckDBPyConnection) -> None:
        files = sorted(path for path in self.inputs.iterdir() if path.is_file() and not path.name.startswith("."))
        for raw in load_inputs(con, files):
            table = con.table(quote(raw.path.stem))
            typed = {name: str(kind) for name, kind in zip(table.columns, table.types, strict=True)}
            text = dict.fromkeys(raw.columns, "VARCHAR")
            self._file(raw.path.stem, raw.path.name, typed, "safe")
            self._file(raw.name, raw.path.name, text, "text")

    def _file(self, table: str, path: str, columns: Mapping[str, str], types: str) -> None:
        memo: list[Table] = []

        def source() -> Table:
            if not memo or memo[0].rows.step not in self.steps.nodes:
                step = self.steps.add_file(path, columns, types, table)
                self.steps.owned.add(step)
                memo[:] = [Table(Rows(step, tuple(Column(c, "", c) for c in columns)), numbered=True)]
            return memo[0]

        self.tables[table.lower()] = source

    def _statement(self, con: duckdb.DuckDBPyConnection, statement: Statement) -> None:
        name = statement.name
        origin = self._origin(statement)
        self.steps.origin = origin
        described = columns_of(con, statement)
        text = statement.query if described is not None else with_in(statement.query)
        names = tuple(described or ())
        ctx = Context(
            text, self.steps, dict(self.tables), name, inputs=self.inputs, names=names, final=True, _query=query
        )
        kept = self.steps.keep()
        try:
            tree = parse_query(text)
            rows = self._rows(ctx, tree, described, GAVE_WAY if origin in self.avoid else "")
        except Unsayable as reason:
            self.steps.back(kept)
            raise NotTranslatable(f"{name}: {reason}") from reason
        kinds = self.steps.types(rows.step)
        described = described or {c.name: kinds[c.at] for c in rows.visible}
        rows = settled(ctx, rows, name)
        if statement.comment:
            self.steps.note(rows.step, statement.comment)
        table = Table(rows, numbered=True)
        self.made[name.lower()] = Made(statement, table, origin)
        if _OUTPUT.fullmatch(name):
            self.ordered[f"{name.lower()}.csv"] = _order(tree, rows)
        self.tables[name.lower()] = self._view(ctx, tree, table) if statement.view else lambda: table
        cells = ", ".join(f"{quote(c)} {kind}" for c, kind in described.items())
        con.execute(_TABLE.substitute(name=quote(name), cells=cells))

    def _view(self, ctx: Context, tree: Node, table: Table) -> Source:
        """Return what gives a view's table: as it was made, or anew where a table that it reads was made anew since."""
        read = {name.lower() for name in tables_read(tree)}
        before = {name: self.made.get(name) for name in read}
        self.reads[ctx.wanted.lower()] = before

        def source() -> Table:
            if not self._is_stale(ctx.wanted):
                return table
            now = replace(ctx, tables={**ctx.tables, **{name: self.tables[name] for name in read & set(self.tables)}})
            return Table(settled(now, query(now, tree), ctx.wanted), numbered=False)

        return source

    def _is_stale(self, view: str) -> bool:
        """Return whether a table that a view reads was made anew since."""
        before = self.reads.get(view.lower(), {})
        return any(self.made.get(name) is not made for name, made in before.items())

    def _origin(self, statement: Statement) -> str:
        """Return what a statement's table is called among the origins: the last of a name has it."""
        same = [each for each in self.script if each.name.lower() == statement.name.lower()]
        place = next(i for i, each in enumerate(same) if each is statement)
        return statement.name if statement is same[-1] else f"{statement.name}#{place + 1}"

    def _rows(self, ctx: Context, tree: Node, described: Mapping[str, str] | None, avoided: str) -> Rows:
        """Return the rows of a statement, as a script step where operators don't give the script's columns."""
        kept = self.steps.keep()
        if not avoided:
            try:
                return self._as_described(query(ctx, tree), described, ctx.wanted)
            except Unsayable as reason:
                self.steps.back(kept)
                avoided = str(reason)
        return self._as_described(self._script(ctx, tree, avoided), described, ctx.wanted)

    def _script(self, ctx: Context, tree: Node, why: str) -> Rows:
        """Return the rows of a statement as a script step; where it is too long, its common tables are steps."""
        kept = self.steps.keep()
        try:
            return script(ctx, tree, why)
        except Unsayable:
            self.steps.back(kept)
            return script(with_common_tables(ctx, tree), {**tree, "cte_map": {"map": []}}, why)

    def _as_described(self, rows: Rows, described: Mapping[str, str] | None, name: str) -> Rows:
        """Return the rows with the names and types that the script's own table has."""
        if described is None:
            return rows
        if len(rows.visible) != len(described):
            raise Unsayable("columns that came out other than the script's")
        named = [replace(c, name=new) for c, new in zip(rows.visible, described, strict=True)]
        kinds = self.steps.types(rows.step)
        casts = [
            {"col": c.name, "type": kind}
            for c, kind in zip(named, described.values(), strict=True)
            if not _alike(kinds[c.at], kind)
        ]
        if casts:
            items = [Item(c.name, mark(c.at)) for c in named]
            step, ats, _ = project(self.steps, rows.step, items, name, more={"cast": casts})
            named = [replace(c, at=at) for c, at in zip(named, ats, strict=True)]
            return Rows(step, tuple(named))
        return Rows(rows.step, tuple(named))

    def _finished(self) -> Draft:
        outputs = [made for made in self.made.values() if _OUTPUT.fullmatch(made.statement.name)]
        if not outputs:
            raise NotTranslatable("the script makes no output: CREATE TABLE output_01 AS SELECT …")
        for made in sorted(outputs, key=lambda made: made.statement.name.lower()):
            rows = made.table.rows
            columns = [c.at for c in rows.visible]
            path = f"{made.statement.name.lower()}.csv"
            params: dict[str, Any] = {"path": path}
            if columns != self.steps.columns(rows.step):
                params["columns"] = columns
            self.steps.origin = ""
            self.steps.add("output", params, {"in": rows.step}, f"write_{made.statement.name}")
        nodes = graph.only(self.steps.nodes, [step for _, step in graph.outputs(self.steps.nodes)])
        document = {"name": "", "nodes": nodes}
        made_last = [made for made in self.made.values() if not self._is_stale(made.statement.name)]
        points = {made.origin: made.table.rows.step for made in made_last if made.table.rows.step in nodes}
        draft = Draft(
            document,
            {step: why for step, why in self.steps.reasons.items() if step in nodes},
            {step: why for step, why in self.steps.specialised.items() if step in nodes},
            {step: origin for step, origin in self.steps.origins.items() if step in nodes},
            points,
            {path: names for path, names in self.ordered.items() if names},
        )
        return drop_idle_sorts(draft)


def _order(tree: Node, rows: Rows) -> tuple[str, ...]:
    """Return the columns by which a query orders its rows: its first keys, as far as they are columns of the result."""
    names = [c.name for c in rows.visible]
    found: list[str] = []
    for modifier in tree.get("modifiers", ()):
        for key in modifier["orders"] if modifier["type"] == "ORDER_MODIFIER" else ():
            expr = key["expression"]
            if expr["class"] == "STAR":
                return tuple(names)
            name = ""
            if expr["class"] == "CONSTANT":
                name = names[int(expr["literal"]["text"]) - 1]
            elif expr["class"] == "COLUMN_REF":
                name = next((n for n in names if n.lower() == expr["column_names"][-1].lower()), "")
            if not name:
                return tuple(found)
            found.append(name)
    return tuple(found)


_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")


def _alike(one: str, other: str) -> bool:
    """Return whether values of two types are written alike."""
    return one == other or (one in _WHOLE and other in _WHOLE) or '"NULL"' in (one, other)
