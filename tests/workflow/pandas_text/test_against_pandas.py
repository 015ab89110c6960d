"""Every expression of the fixtures gives in DuckDB what pandas gives."""

import re
import warnings

import pandas as pd
import pytest

from prepsql.workflow.pandas_text import NotTranslatable, translate_expression
from prepsql.workflow.pandas_text.scope import Table
from tests.workflow.pandas_text.tables import by_pandas, by_sql, connect, lines, load, orders, same, translated


@pytest.fixture(scope="module")
def table():
    df = orders()
    with connect() as con:
        load(con, df)
        yield df, con


@pytest.mark.parametrize("text", lines("columns.txt"))
def test_sql_equals_pandas(text: str, table):
    df, con = table
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("ignore", FutureWarning)
        wanted = by_pandas(text, df)
    given = by_sql(text, df, con)
    assert same(given, wanted), pd.DataFrame({"sql": given, "pandas": wanted}).to_string()


@pytest.mark.parametrize("line", lines("refused.txt"))
def test_what_is_not_certain_is_refused(line: str):
    text, reason = line.split(" # ")
    with pytest.raises(NotTranslatable, match=re.escape(reason)):
        translated(text, orders())


def test_conditions_of_a_filter_count_null_as_false():
    assert translated("df['price'] > 1", orders(), predicate=True).sql == "price > 1"
    assert translated("df['price'] > 1", orders()).sql == "coalesce(price > 1, FALSE)"


def test_reductions_of_a_group_are_aggregates():
    assert translated("df['qty'].sum() / df['qty'].count()", orders(), aggregate=True).sql == (
        "nullif(coalesce(sum(qty), 0) / count(qty), 'nan'::DOUBLE)"
    )


def test_a_condition_of_two_tables():
    others = {"left": Table({}, "orders"), "right": Table({}, "rates")}
    found = translate_expression("left['day'] >= right['first']", {}, predicate=True, others=others)
    assert found.sql == "orders.day >= rates.first"
