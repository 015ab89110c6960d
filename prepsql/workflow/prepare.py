"""From a document and its input tables to a chain of compiled steps, on one connection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb

from prepsql.errors import WorkflowError
from prepsql.macros import install, library
from prepsql.sqltext import create_as
from prepsql.workflow.blame import explain
from prepsql.workflow.checks.cycles import uncircled
from prepsql.workflow.compile import Chain
from prepsql.workflow.document import Document
from prepsql.workflow.expression import parse
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import Relation
from prepsql.workflow.statement import statement


def install_used(con: duckdb.DuckDBPyConnection, document: Document) -> None:
    """Define the macros that the steps' expressions call."""
    used = {name for text in texts_of(document) for name in parse(text).functions if name in library()}
    install(con, sorted(used))


def texts_of(document: Document) -> list[str]:
    """Return every expression of a document's parameters."""
    found: list[str] = []

    def walk(value: Any, key: str = "") -> None:
        if isinstance(value, dict):
            for name, part in value.items():
                walk(part, name)
        elif isinstance(value, list):
            for part in value:
                walk(part, key)
        elif isinstance(value, str) and key in ("expr", "predicate", "filter", "having", "condition"):
            found.append(value)

    for step in document.steps.values():
        walk(dict(step.params))
    return found


def ask(con: duckdb.DuckDBPyConnection, chain: Chain, name: str, question: str) -> Sequence[tuple[Any, ...]] | None:
    """Answer a question over the rows of a sound step, which are kept as a table."""
    if not chain.done[name].kept:
        try:
            con.execute(create_as(name, statement(chain.ancestors(name)))).fetchall()
        except duckdb.Error as bad:
            raise explain(con, chain, name, bad) from bad
        chain.put(chain.steps[name], chain.done[name].relation)
    return con.execute(question).fetchall()


def compiled_chain(con: duckdb.DuckDBPyConnection, document: Document, sources: dict[str, Relation]) -> Chain:
    """Return the chain with every step compiled as far as can be; pivots may ask the data for their columns."""
    steps, _ = uncircled(document.steps)
    chain = Chain(
        steps, sources, ask=lambda chain, name, question: ask(con, chain, name, question), known=document.compiled
    )
    for step in chain:
        chain.add(step)
    return chain


def refused(problems: Sequence[Problem]) -> WorkflowError:
    """Return the error that says all of the problems."""
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return WorkflowError(f"{problems[0]}{more}", tuple(problems))
