"""Which columns each step of a draft gives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from prepsql.errors import PrepsqlError
from prepsql.scratch import scratch_folder
from prepsql.translate.draft import Draft
from prepsql.workflow.checks import read_document
from prepsql.workflow.expression import parse_all
from prepsql.workflow.prepare import compiled_chain, install_used, texts_of
from prepsql.workflow.settings import Settings, connect
from prepsql.workflow.sources import load_sources

Columns = Mapping[str, tuple[str, ...]]
"""The columns of each step, in order, as they are written."""


def columns_of(draft: Draft, inputs: Path) -> Columns | None:
    """Return the columns of each step; None where they aren't all known, as after a script that declares none."""
    document = read_document(draft.document)
    if document.problems:
        return None
    parse_all(texts_of(document))
    try:
        with scratch_folder("prepsql-columns-") as scratch, connect(Settings(), scratch) as con:
            install_used(con, document)
            sources, unread = load_sources(con, document.steps, inputs)
            chain = compiled_chain(con, document, sources)
            if unread or chain.problems:
                return None
            return {name: tuple(step.relation.columns) for name, step in chain.done.items()}
    except PrepsqlError:
        return None
