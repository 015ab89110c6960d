"""Random expressions: each as SQL text and as a Python function of a row, with SQL's three truth values."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from hypothesis import strategies as st

from prepsql.sqltext import quote
from tests.workflow.model import Key, Row
from tests.workflow.tables import BOOL, DATE, FLOAT, INT, TEXT, Table

Pair = tuple[str, Callable[[Row], Any]]


def lifted(of: Callable[[Any], Any], column: str) -> Callable[[Row], Any]:
    """Return a function of a row that is null where the column is."""
    return lambda row: None if row[column] is None else of(row[column])


def conditions(column: str, kind: str) -> list[Pair]:
    name = quote(column)
    found: list[Pair] = [
        (f"{name} IS NULL", lambda row: row[column] is None),
        (f"{name} IS NOT NULL", lambda row: row[column] is not None),
    ]
    own: dict[str, list[tuple[str, Callable[[Any], Any]]]] = {
        INT: [("{} > 1", lambda v: v > 1), ("{} IN (0, 2)", lambda v: v in (0, 2))],
        FLOAT: [("{} >= 0", lambda v: v >= 0), ("{} = 0.0", lambda v: v == 0)],
        TEXT: [
            ("{} = 'a'", lambda v: v == "a"),
            ("{} LIKE 'a%'", lambda v: v.startswith("a")),
            ("{} = ''", lambda v: v == ""),
        ],
        DATE: [("{} > DATE '2024-02-28'", lambda v: v > date(2024, 2, 28))],
        BOOL: [("{}", lambda v: v), ("NOT {}", lambda v: not v)],
    }
    return found + [(sql.format(name), lifted(of, column)) for sql, of in own[kind]]


def conjunction(a: Pair, b: Pair) -> Pair:
    def both(row: Row) -> bool | None:
        x, y = a[1](row), b[1](row)
        return False if x is False or y is False else None if x is None or y is None else True

    return f"({a[0]}) AND ({b[0]})", both


def disjunction(a: Pair, b: Pair) -> Pair:
    def either(row: Row) -> bool | None:
        x, y = a[1](row), b[1](row)
        return True if x is True or y is True else None if x is None or y is None else False

    return f"({a[0]}) OR ({b[0]})", either


def negation(a: Pair) -> Pair:
    return f"NOT ({a[0]})", lambda row: None if a[1](row) is None else not a[1](row)


@st.composite
def predicates(draw: st.DrawFn, given: Table) -> Pair:
    column = draw(st.sampled_from(given.columns))
    found = draw(st.sampled_from(conditions(column, given.kinds[column])))
    if draw(st.booleans()):
        column = draw(st.sampled_from(given.columns))
        other = draw(st.sampled_from(conditions(column, given.kinds[column])))
        found = draw(st.sampled_from([conjunction, disjunction]))(found, other)
    return negation(found) if draw(st.booleans()) else found


@st.composite
def orders(draw: st.DrawFn, columns: Sequence[str], least: int = 1) -> tuple[list[dict[str, Any]], list[Key]]:
    """Return keys of an order as parameters and as the model's; a key may be an expression that orders alike."""
    keys: list[Key] = draw(
        st.lists(
            st.tuples(st.sampled_from(list(columns)), st.booleans(), st.sampled_from(["first", "last"])),
            min_size=least,
            max_size=3,
        )
    )
    form = draw(st.sampled_from(["{}", "{}", "coalesce({}, NULL)"]))
    return [{"expr": form.format(quote(c)), "asc": up, "nulls": nulls} for c, up, nulls in keys], keys
