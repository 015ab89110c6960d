"""Stars in a select list: `*`, `t.*` with EXCLUDE, REPLACE and RENAME, and COLUMNS(…), one item a column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from string import Template

import duckdb

from prepsql.sqltext import named
from prepsql.translate.sql.lens import copy_of, mark
from prepsql.translate.sql.scope import Column, Rows
from prepsql.translate.sql.tree import Node, bare, children, placed
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow.engine import engine
from prepsql.workflow.expression import to_sql

_MATCHED = Template("SELECT $columns FROM (SELECT $cells) AS given")


@dataclass
class Listed:
    """One column of a select list: its name, and its expression: a node, or a column where `at` tells one.

    `replaced` are the stars in the node, each with the column that it stands for here. `alias` is false where the
    query gives no name.
    """

    name: str
    node: Node | None = None
    at: str = ""
    replaced: dict[int, str] = field(default_factory=dict)
    alias: bool = True


def select_list(nodes: Sequence[Node], rows: Rows) -> list[Listed]:
    """Return the columns of a select list over these rows."""
    found: list[Listed] = []
    for node in nodes:
        stars = _stars(node)
        if not stars:
            found.append(Listed(node.get("alias") or name_of(node), node, alias=bool(node.get("alias"))))
        elif not all(star.get("columns") for star in stars) and node is not stars[0]:
            raise Unsayable("a star inside of an expression")
        elif node is stars[0] and not node.get("columns"):
            found += _starred(node, rows)
        else:
            found += _each(node, stars, rows)
    return found


def _stars(node: Node) -> list[Node]:
    """Return the outermost stars of an expression."""
    if node.get("class") == "STAR":
        return [node]
    return [star for child in children(node) if "node" not in child for star in _stars(child)]


def name_of(node: Node) -> str:
    """Return the name that DuckDB gives a column without an alias."""
    if node["class"] == "COLUMN_REF":
        return str(node["column_names"][-1])
    try:
        return to_sql(bare(node) | {"query_location": 0, "query_location_length": 0})
    except (duckdb.Error, KeyError):
        return "column"


def _chosen(node: Node, rows: Rows) -> list[Column]:
    """Return the columns that a star brings, without those of EXCLUDE."""
    table = str(node.get("relation_name", "")).lower()
    columns = [c for c in rows.columns if c.table.lower() == table] if table else rows.visible
    if table and not columns:
        raise Unsayable(f"{table}.*, which is no table here")
    out = {name.lower() for name in node.get("exclude_list", ())}
    out_of = {(str(e.get("table", "")).lower(), e["column"].lower()) for e in node.get("qualified_exclude_list", ())}
    return [
        c for c in columns
        if c.name.lower() not in out and (c.table.lower(), c.name.lower()) not in out_of
    ]  # fmt: skip


def _starred(node: Node, rows: Rows) -> list[Listed]:
    new = {entry["key"].lower(): entry["value"] for entry in node.get("replace_list", ())}
    names = {entry["key"]["column"].lower(): entry["value"] for entry in node.get("rename_list", ())}
    found = []
    for c in _chosen(node, rows):
        name = names.get(c.name.lower(), c.name)
        replacing = new.get(c.name.lower())
        found.append(Listed(name, replacing) if replacing else Listed(name, at=c.at))
    return found


def _each(node: Node, stars: Sequence[Node], rows: Rows) -> list[Listed]:
    """Return an item for each column that COLUMNS brings; several of them go side by side."""
    matched = [_matched(star, rows) for star in stars]
    if len({len(columns) for columns in matched}) > 1:
        raise Unsayable("several COLUMNS(…) of different length in an expression")
    found = []
    for columns in zip(*matched, strict=True):
        first = columns[0]
        name, alias = first.name, node.get("alias", "")
        if alias:
            name = alias.replace("\\0", first.name) if "\\" in alias else alias
            groups = _groups(stars[0], first.name)
            name = re.sub(r"\\(\d)", lambda found, g=groups: g.get(int(found[1]), ""), name)  # type: ignore[misc]
        if node is stars[0]:
            found.append(Listed(name, at=first.at))
            continue
        own = copy_of(node)
        replaced = {id(star): mark(c.at) for star, c in zip(_stars(own), columns, strict=True)}
        found.append(Listed(name, own, replaced=replaced))
    return found


def _groups(star: Node, name: str) -> dict[int, str]:
    """Return what the groups of a regular expression in COLUMNS('…') take of a column's name."""
    pattern = (star.get("expr") or {}).get("literal", {}).get("text")
    try:
        found = re.search(pattern, name) if pattern else None
    except re.error as bad:
        raise Unsayable("names made of a regular expression") from bad
    return {i: found[i] or "" for i in range(1, (found.re.groups if found else 0) + 1)} if found else {}


def _matched(star: Node, rows: Rows) -> list[Column]:
    """Return the columns that COLUMNS(…) brings."""
    expr = star.get("expr")
    if not expr:
        if star.get("replace_list") or star.get("rename_list"):
            raise Unsayable("COLUMNS(* REPLACE …)")
        return _chosen(star, rows)
    visible = rows.visible
    names = [c.name for c in visible]
    if len({name.lower() for name in names}) < len(names):
        raise Unsayable("COLUMNS(…) over columns of one name")
    cells = ", ".join(named("NULL", name) for name in names)
    try:
        text = to_sql(_plain(star))
        found = engine().sql(_MATCHED.substitute(columns=text, cells=cells)).columns
    except duckdb.Error as bad:
        raise Unsayable(f"COLUMNS(…) ({' '.join(str(bad).split())[:80]})") from bad
    by_name = {c.name: c for c in visible}
    return [by_name[name] for name in found]


def _plain(star: Node) -> Node:
    node: Node = placed({**bare(star), "alias": ""})
    return node
