"""LATERAL and tables made of the columns before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node

if TYPE_CHECKING:
    from prepsql.translate.sql.from_ import From


def beside(given: From, left: Rows, node: Node) -> Rows | None:
    """Return the rows of a join whose right side depends on the left's columns, None for any other join."""
    return None
