"""Names from elsewhere lead to what they are called here."""

import re

import duckdb
import pytest
import sqlglot
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB

from prepsql.macros import library
from prepsql.macros.aliases import alias, aliases, suggest
from prepsql.macros.library import INNER


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("initcap", "title_case(s)"),
        ("INITCAP", "title_case(s)"),
        ("str.title", "title_case(s)"),
        (".str.title", "title_case(s)"),
        ("title", "title_case(s)"),
        ("nvl", "coalesce(a, b)"),
        ("np.where", "CASE WHEN condition THEN a ELSE b END"),
        ("df.fillna", "coalesce(x, value)"),
        ("safe_divide", "safe_ratio(a, b)"),
        ("add_months", "plus_months(d, n)"),
        ("titel_case", "title_case(s)"),
        ("parsedate", "parse_date(s, formats, pivot_year := 69)"),
    ],
)
def test_the_likeliest_mend(name, meant):
    assert suggest(name) == meant


def test_names_that_are_given_count_and_nothing_near_is_nothing():
    assert suggest("Ordr_Id", ["order_id", "amount"]) == "order_id"
    assert suggest("qqq", ["order_id"]) is None
    assert alias("order_id") is None
    assert suggest("norm_numbr") != "norm_number(s)"


def test_the_table_covers_the_names_people_bring():
    assert len(aliases()) > 300
    assert all(name == name.lower().strip() and mend for name, mend in aliases().items())
    names = "nvl ifnull iif isnull len charindex dateadd datediff to_date to_number to_char initcap str.lower str.strip"
    names += " fillna np.where isin cumsum shift vlookup proper eomonth networkdays to_datetime to_numeric soundex"
    assert [name for name in names.split() if not alias(name)] == []


def test_mends_name_only_functions_that_exist():
    with duckdb.connect() as con:
        there = {name for (name,) in con.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()}
    words = {"coalesce", "count", "case", "over", "in", "join", "nullif", "filter", "by", "as", "where", "interval",
             "try", "decimal", "cast", "try_cast", "and", "or", "distinct", "x", "a"}  # fmt: skip
    called = {name for mend in aliases().values() for name in re.findall(r"\b([a-z_]\w*)\(", mend)}
    assert called - there - set(library()) - words == set()


def test_no_macro_has_a_name_that_the_engine_or_the_parser_knows():
    with duckdb.connect() as con:
        there = {name for (name,) in con.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()}
    parser = {
        name.lower() for name in {*exp.FUNCTION_BY_NAME, *DuckDB.Parser.FUNCTIONS, *DuckDB.Parser.FUNCTION_PARSERS}
    }
    assert set(library()) & (there | parser) == set()
    assert all(isinstance(sqlglot.parse_one(f"{name}(1)", dialect="duckdb"), exp.Anonymous) for name in library())


def test_every_public_macro_says_what_it_does_and_has_an_odd_example():
    public = [macro for macro in library().values() if macro.topic not in INNER]
    assert len(public) >= 83
    for macro in public:
        assert len(macro.examples) >= 3, macro.name
        shown = " ".join(call + result for call, result in macro.examples)
        assert re.search(r"NULL|[^\x00-\x7f]|'x'|false", shown), macro.name
