"""WHERE: conditions become filters, those on subqueries joins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prepsql.translate.sql import subqueries
from prepsql.translate.sql.conditions import has_query
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens, written
from prepsql.translate.sql.project import Item, inlined
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.steps import plain_name
from prepsql.translate.sql.tree import Node

_EQUAL = re.compile(r"""(?:lower\()?"?(\w+)"?\)? = '([\w ]{1,20})'""")
_KNOWN = re.compile(r'(\w+|"[^"]+") IS NOT NULL', re.IGNORECASE)


def where(ctx: Context, rows: Rows, conditions: Sequence[Node], items: Sequence[Item], lens: Lens) -> Rows:
    """Add the filters and joins of conditions, plain ones first; return the rows that are left."""
    plain = [part for part in conditions if not has_query(part)]
    rows = filtered(ctx, rows, [(part, inlined(lens.write(part), items)) for part in plain])
    for part in conditions:
        if has_query(part):
            rows = subqueries.condition(ctx, rows, part, lens)
    return rows


def filtered(ctx: Context, rows: Rows, conditions: Sequence[tuple[Node, str]]) -> Rows:
    """Add a filter on all of these conditions, none where there are none."""
    if not conditions:
        return rows
    texts = [
        f"({written(expr)})" if len(conditions) > 1 and part["class"] == "CONJUNCTION" else written(expr)
        for part, expr in conditions
    ]
    predicate = " AND ".join(texts)
    of = ctx.steps.subject(rows.step)
    name = filter_name(predicate, of)
    subject = name if name.endswith(f"_{of}") and not name.startswith("filtered_") else of
    return rows.moved(ctx.steps.add("filter", {"predicate": predicate}, {"in": rows.step}, name, subject))


def filter_name(predicate: str, base: str) -> str:
    """Return a name for the step that filters: by its word or column where the condition is that simple.

    >>> filter_name("status = 'paid'", "orders"), filter_name("price IS NOT NULL", "orders")
    ('paid_orders', 'orders_with_price')
    """
    equal, known = _EQUAL.fullmatch(predicate), _KNOWN.fullmatch(predicate)
    if equal and plain_name(equal[2]):
        return f"{plain_name(equal[2])}_{base}"
    if known:
        return f"{base}_with_{plain_name(known[1])}"
    return f"filtered_{base}"
