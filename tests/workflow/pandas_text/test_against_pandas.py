"""Every expression of the fixtures gives in DuckDB what pandas gives."""

import warnings

import pandas as pd
import pytest

from tests.workflow.pandas_text.tables import by_pandas, by_sql, connect, lines, load, orders, same


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
