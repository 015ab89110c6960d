"""A join's `validate`: the sides that say 1 have each key once."""

from __future__ import annotations

from string import Template

import duckdb

from prepsql.errors import WorkflowError
from prepsql.sqltext import quote
from prepsql.workflow.document import Step
from prepsql.workflow.operators.base import Scope
from prepsql.workflow.operators.join import Join

_TWICE = Template(
    "SELECT $keys, count(*) FROM $table WHERE $known GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT 5"
)


def validate(con: duckdb.DuckDBPyConnection, step: Step, scope: Scope) -> None:
    """Raise WorkflowError where a key stands twice on a side that says 1, with up to five of them.

    Both inputs are tables by now. A null key matches nothing and doesn't count, unless `null_equal` says so.
    """
    join = step.operator
    assert isinstance(join, Join)
    assert join.validate_
    sides = {"left": join.on or join.left_on or [], "right": join.on or join.right_on or []}
    for side, (port, names) in zip(join.validate_.split(":"), sides.items(), strict=True):
        if side != "1":
            continue
        relation = scope.inputs[port]
        keys = [quote(relation.named(name) or name) for name in names]
        known = "true" if join.null_equal else " AND ".join(f"{key} IS NOT NULL" for key in keys)
        query = _TWICE.substitute(keys=", ".join(keys), table=quote(relation.name), known=known)
        rows = con.execute(query).fetchall()
        if rows:
            shown = ", ".join(f"{'/'.join(map(str, row[:-1]))} ({row[-1]}×)" for row in rows)
            raise WorkflowError(
                f"step '{step.name}', validate: '{relation.name}' has keys more than once: {shown}; "
                "dedup it in a step before, or relax validate"
            )
