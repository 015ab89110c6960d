"""pivots"""

from __future__ import annotations

from typing import Any

from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable


def pivot(given: Any, node: Node) -> Rows:
    raise Unsayable("pivots")
