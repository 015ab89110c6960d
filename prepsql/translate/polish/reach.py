"""Steps from which no output is reached go."""

from __future__ import annotations

from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.polish.columns import Columns
from prepsql.translate.polish.edit import nodes_of, with_nodes


def drop_unreached(draft: Draft, columns: Columns) -> Draft:
    """Return the draft with only those steps that an output depends on."""
    nodes = nodes_of(draft)
    return with_nodes(draft, graph.only(nodes, [step for _, step in graph.outputs(nodes)]))
