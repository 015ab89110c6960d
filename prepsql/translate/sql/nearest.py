"""ASOF and POSITIONAL joins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prepsql.translate.sql.context import Context
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable

if TYPE_CHECKING:
    from prepsql.translate.sql.from_ import From


def asof(given: From, left: Rows, right: Rows, node: Node, using: Sequence[str]) -> Rows:
    raise Unsayable("an ASOF join")


def positional(ctx: Context, left: Rows, right: Rows) -> Rows:
    raise Unsayable("a positional join")
