"""Run the script of one step of a workflow: tables in, a table or a column out, all as Arrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Literal

from prepsql.errors import InputError
from prepsql.sandbox.execute import Kind, Terms, Work, execute
from prepsql.sandbox.outcome import DEFAULT_LIMITS, Limits, Outcome
from prepsql.sandbox.server import Server

if TYPE_CHECKING:
    import pyarrow as pa

Returns = Literal["BIGINT", "DOUBLE", "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP"]


@dataclass(frozen=True)
class Transformed:
    """What came of a script: the outcome and, where its status is ok, the table."""

    outcome: Outcome
    table: pa.Table | None


def run_transform(
    code: str,
    tables: Mapping[str, pa.Table],
    language: Literal["python", "sql"],
    *,
    limits: Limits = DEFAULT_LIMITS,
    accept_risk: bool = False,
    hidden: Sequence[Path] = (),
    stop: Event | None = None,
    server: Server | None = None,
) -> Transformed:
    """Run a script that makes one table of one or more.

    Python defines `transform(df, pd, np)`, or with several tables `transform(tables, pd, np)`, where `tables` is a dict
    of DataFrames by name; it returns a DataFrame. SQL is one SELECT over the tables by their names. Rows come and go
    in order. What frames hold, and what becomes of their types, is told in docs/sandbox.md.

    What the code does never raises: it's in the outcome, as for `run_code`, and code of more than SCRIPT_CHARACTERS
    is refused there. Raises InputError where there is no table or one has a column that can't go into a script,
    SandboxError as `run_code` does. Safe to call from several threads at once.
    """
    kind: Kind = "query" if language == "sql" else "transform"
    return _run(code, tables, kind, {"tables": list(tables)}, Terms(limits, accept_risk, hidden, stop, server=server))


def run_scalar(
    code: str,
    rows: pa.Table,
    returns: Returns | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    accept_risk: bool = False,
    hidden: Sequence[Path] = (),
    stop: Event | None = None,
    server: Server | None = None,
) -> Transformed:
    """Run a Python function of one row over all rows.

    The code defines `transform(row)`: `row` is a dict of column to plain Python value (None, bool, int, float, str,
    Decimal, date, datetime, time), the value returned is the row's; None and NaN are null. The table has one column,
    `value`, with one row for each of `rows`, in order. Its type is `returns`, or else the one type that all values
    have. A value of another type, or an exception, is the code's fault and named with its row, counted from 1.

    What is refused or raised is as for `run_transform`. Give only the columns that the code wants: each costs time.
    """
    from prepsql.sandbox.child.values import TYPES

    if returns is not None and returns not in TYPES:
        raise InputError(f"a scalar script can't return {returns}: choose one of {', '.join(TYPES)}, or None")
    return _run(
        code, {"rows": rows}, "scalar", {"returns": returns}, Terms(limits, accept_risk, hidden, stop, server=server)
    )


def _run(
    code: str, tables: Mapping[str, pa.Table], kind: Kind, options: Mapping[str, object], terms: Terms
) -> Transformed:
    from prepsql.sandbox.exchange import write_all
    from prepsql.sandbox.receive import receive

    given = [_plain(name, table) for name, table in tables.items()]
    if not given:
        raise InputError("a script wants at least one table: name its inputs")
    work = Work(
        kind,
        code,
        bring=lambda folder: write_all(given, folder),
        take=lambda left: receive(left, terms.limits),
        options=options,
    )
    return Transformed(*execute(work, terms))


def _plain(name: str, table: pa.Table) -> pa.Table:
    from prepsql.sandbox.exchange import Uncarried, plain

    names = table.column_names
    twice = next((column for place, column in enumerate(names) if column in names[:place]), None)
    if twice is not None or not names:
        what = "no columns" if twice is None else f"two columns {twice!r}"
        raise InputError(f"table {name!r} has {what}: a script wants columns with names of their own")
    try:
        return plain(table)
    except Uncarried as reason:
        raise InputError(f"table {name!r}: {reason}: cast it before the script") from None
