"""Expanded calls say what the macros say."""

import duckdb
import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from prepsql.errors import MacroError
from prepsql.macros import library
from prepsql.macros.expand import expand
from prepsql.macros.library import library as read_library


def expanded(sql, macros=None):
    return expand(sqlglot.parse_one(sql, dialect="duckdb"), macros).sql(dialect="duckdb")


@pytest.fixture(scope="module")
def bare():
    with duckdb.connect() as con:
        yield con


@pytest.mark.parametrize("name", library())
def test_every_example_gives_the_same_without_the_macro(bare, name):
    examples = library()[name].examples
    cells = [f"({expanded(call)}) IS NOT DISTINCT FROM ({expanded(result)})" for call, result in examples]
    assert bare.execute("SELECT " + ", ".join(cells)).fetchone() == (True,) * len(examples)


def test_no_call_is_left_and_the_tree_that_was_given_stays():
    tree = sqlglot.parse_one("SELECT x.title_case().initials() AS i FROM t WHERE is_blank(y)", dialect="duckdb")
    before = tree.sql(dialect="duckdb")
    names = {node.name.lower() for node in expand(tree).find_all(exp.Anonymous)}
    assert names.isdisjoint(library())
    assert tree.sql(dialect="duckdb") == before
    assert expanded("other(a) + sum(b)") == "OTHER(a) + SUM(b)"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A library that is awkward to expand."""
    folder = tmp_path_factory.mktemp("macros")
    bodies = {
        "less(a, b := 1)": "a - b",
        "pair(a, b)": "less(b, less(a, b := b)) * 2",
        "ladder(xs, times := 3)": "list_transform(xs, lambda x: less(x * times, x))",
        "shadow(x)": "list_transform([1, 2], lambda x: x + 1)[1] + x",
        "outer_x(y)": "list_sum(list_transform([1, 2], lambda x: x * y))",
        "same(a)": "a",
    }
    for signature, body in bodies.items():
        name, parameters = signature[:-1].split("(")
        text = f"-- name: {name}\n-- topic: text\n-- parameters: {parameters}\n-- purpose: p\n-- nulls: n\n"
        (folder / f"{name}.sql").write_text(f"{text}-- example: 1 => 1\n{body}\n")
    return read_library(folder)


@pytest.fixture(scope="module")
def twice(small):
    """Evaluate an expression with the macros and expanded."""
    with duckdb.connect() as con:
        for name in ("less", "pair", "ladder", "shadow", "outer_x", "same"):
            con.execute(small[name].create_sql())
        con.execute("CREATE TABLE t AS SELECT 5 AS x, 7 AS y, [1, 2] AS xs, {'x': 4} AS st")

        def twice(sql):
            return con.execute(f"SELECT {sql}, {expanded(sql, small)} FROM t").fetchone()

        yield twice


CALLS = st.recursive(
    st.sampled_from(["x", "y", "3", "t.x", "st.x", "-2"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(" ".join),
        st.builds("less({})".format, inner),
        st.builds("less({}, b := {})".format, inner, inner),
        st.builds("less(b => {}, a => {})".format, inner, inner),
        st.builds("pair({}, {})".format, inner, inner),
        st.builds("shadow({})".format, inner),
        st.builds("same({})".format, inner),
        st.builds("- same({})".format, inner),
        st.builds("list_sum(ladder(xs, {}))".format, inner),
        st.builds("list_sum(list_transform(xs, lambda z: less(z, {})))".format, inner),
        st.builds("list_sum(list_transform(xs, lambda a: pair(a, {})))".format, inner),
        st.builds("CASE WHEN {} > {} THEN 1 ELSE same({}) END".format, inner, inner, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=60)
@given(CALLS)
def test_any_nesting_of_calls_and_operators_keeps_its_value(twice, sql):
    with_macros, plain = twice(sql)
    assert with_macros == plain, sql


def test_variables_of_lambdas_capture_nothing(small, bare):
    # x is the column, not the lambda's own; the macro itself would take the wrong one
    plain = expanded("outer_x(x + 1)", small)
    assert bare.execute(f"SELECT {plain} FROM (SELECT 10 AS x)").fetchone() == (33,)
    inside = expanded("list_transform([10], lambda x: outer_x(x + 1))", small)
    assert bare.execute(f"SELECT {inside}").fetchone() == ([33],)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("pad_left(x)", "width is missing"),
        ("pad_left(x, 1, '0', 4)", "4 arguments"),
        ("pad_left(x, w := 2)", "no parameter w"),
        ("pad_left(x, 1, width := 3)", "given twice"),
    ],
)
def test_calls_that_do_not_fit_are_explained(call, says):
    with pytest.raises(MacroError, match=rf"^pad_left: .*{says}.*; it is pad_left\(s, width, fill := '0'\)$"):
        expanded(call)


def test_a_macro_that_calls_itself_is_refused(tmp_path):
    for name, body in {"ping": "pong(s)", "pong": "ping(s)"}.items():
        head = f"-- name: {name}\n-- topic: text\n-- parameters: s\n-- purpose: p\n-- nulls: n\n-- example: 1 => 1\n"
        (tmp_path / f"{name}.sql").write_text(head + body)
    with pytest.raises(MacroError, match="ping → pong → ping"):
        expanded("ping(x)", read_library(tmp_path))
