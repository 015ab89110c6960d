"""The parts of the SQL front end, each alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepsql.errors import NotTranslatable
from prepsql.translate.sql import translate_sql
from prepsql.translate.sql.asking import ASKED, with_in
from prepsql.translate.sql.lens import Lens, mark, squeezed, written
from prepsql.translate.sql.project import Item, alias_mark, project
from prepsql.translate.sql.statements import comment_of, statements
from prepsql.translate.sql.steps import Steps
from prepsql.translate.sql.tree import parse_query, span
from tests.translate.sql.conftest import FIXTURES

SHOP = FIXTURES / "inputs" / "shop"


def texts(query: str) -> list[str]:
    """Return the select list of a query, each column's name with an `x` before."""
    lens = Lens(query, lambda node: mark("x" + "_".join(node["column_names"])))
    return [written(lens.write(item)) for item in parse_query(query)["select_list"]]


@pytest.mark.parametrize(
    ("written_as", "made"),
    [
        ("(a + 1) * 2", "(xa + 1) * 2"),
        ("a::INT", "xa::INT"),
        ("t.a IS NOT NULL", "xt_a IS NOT NULL"),
        ("a.trim().upper()", "xa.trim().upper()"),
        ("[x + 1 FOR x IN a IF x > b]", "[x + 1 FOR x IN xa IF x > xb]"),
        ("list_filter(a, lambda a: a > 1)", "list_filter(xa, lambda a: a > 1)"),
        ("CASE a WHEN 1 THEN 'a' END", "CASE xa WHEN 1 THEN 'a' END"),
        ("a NOT BETWEEN 1 AND b", "xa NOT BETWEEN 1 AND xb"),
        ("sum(a) FILTER (b > 1) OVER (PARTITION BY c)", "sum(xa) FILTER (xb > 1) OVER (PARTITION BY xc)"),
        ("'é' || a", "'é' || xa"),
        ("a -- first\n  + b", "xa + xb"),
    ],
)
def test_an_expression_keeps_its_words(written_as: str, made: str) -> None:
    assert texts(f"SELECT {written_as} FROM t") == [made]


def test_a_named_window_is_written_in_full() -> None:
    (text,) = texts("SELECT sum(a) OVER w FROM t WINDOW w AS (PARTITION BY b ORDER BY c)")
    assert "PARTITION BY xb" in text
    assert "ORDER BY xc" in text


def test_stretches_count_characters() -> None:
    query = "SELECT 'é', (a) IS NULL FROM t"
    node = parse_query(query)["select_list"][1]
    assert query[slice(*span(node) or (0, 0))] == "(a) IS NULL"


def test_text_in_quotes_stays_as_it_is() -> None:
    assert squeezed("f( a,\n   'b  -- c' )  -- d") == "f(a, 'b  -- c')"


def steps_of(*columns: str) -> tuple[Steps, str]:
    steps = Steps()
    return steps, steps.add_data([dict.fromkeys(columns, 1)], "given")


def items(*pairs: tuple[str, str]) -> list[Item]:
    return [Item(*pair) for pair in pairs]


def test_columns_that_change_places_are_renamed() -> None:
    steps, given = steps_of("a", "b")
    made, names, _ = project(steps, given, items(("b", mark("a")), ("a", mark("b"))), "made")
    assert steps.nodes[made]["params"] == {"rename": {"a": "b", "b": "a"}}
    assert names == ["b", "a"]


def test_columns_that_need_one_another_go_by_other_names() -> None:
    steps, given = steps_of("a", "b")
    sums = items(("a", f"{mark('a')} + {mark('b')}"), ("b", f"{mark('a')} - {mark('b')}"))
    made, names, _ = project(steps, given, sums, "made")
    assert steps.nodes[made]["params"]["rename"] == {"a": "a_before", "b": "b_before"}
    assert set(names) <= set(steps.columns(made))


def test_a_column_is_read_before_it_is_overwritten() -> None:
    steps, given = steps_of("a")
    made, _, _ = project(steps, given, items(("a", f"{mark('a')} + 1"), ("double", f"2 * {mark('a')}")), "made")
    assert [entry["as"] for entry in steps.nodes[made]["params"]["compute"]] == ["double", "a"]


def test_an_item_that_names_another_comes_after_it() -> None:
    steps, given = steps_of("a")
    listed = items(("n", f"{mark('a')} + 1"), ("m", f"{alias_mark(0)} * 2"))
    made, _, _ = project(steps, given, listed, "made")
    assert steps.nodes[made]["params"]["compute"][1] == {"as": "m", "expr": "n * 2"}


def test_nothing_changed_is_no_step() -> None:
    steps, given = steps_of("a", "b")
    assert project(steps, given, items(("b", mark("b"))), "made")[0] == given


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("-- 1. Orders\n-- of the year.\n", "Orders of the year."),
        ("/* Step 2: paid */\n", "paid"),
        ("-- about the file\n\n", ""),
        ("\n\n-- ------\n-- Totals\n", "Totals"),
    ],
)
def test_a_comment_is_what_stands_right_above(text: str, said: str) -> None:
    assert comment_of(text) == said


def test_a_statement_that_makes_no_table_is_refused() -> None:
    with pytest.raises(NotTranslatable, match="statement 2"):
        statements("CREATE TABLE a AS SELECT 1; DROP TABLE a")


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("PIVOT t ON a USING sum(b)", 1),
        ("PIVOT t ON a IN (1, 2), c USING sum(b) GROUP BY d", 1),
        ("SELECT * FROM (PIVOT (SELECT * FROM t) ON a, b USING sum(c))", 2),
        ("SELECT * FROM t PIVOT (sum(a) FOR b IN (1))", 0),
    ],
)
def test_a_pivot_without_values_asks_for_them(query: str, asked: int) -> None:
    assert with_in(query).count(ASKED) == asked


def kinds(script: str, avoid: frozenset[str] = frozenset(), inputs: Path = SHOP) -> dict[str, str]:
    draft = translate_sql(script, inputs, avoid)
    return {name: node["kind"] for name, node in draft.document["nodes"].items()}


def test_what_is_to_be_avoided_is_a_script() -> None:
    script = """CREATE TABLE dear AS SELECT code, price FROM input_04 WHERE price > 10;
        CREATE TABLE output_01 AS WITH m AS (SELECT max(price) AS most FROM dear) SELECT * FROM m"""
    assert kinds(script, frozenset(["output_01"]))["output_01"] == "script"
    assert kinds(script, frozenset(["dear"]))["dear"] == "script"
    assert "script" not in kinds(script).values()


def test_steps_tell_which_table_they_are_of() -> None:
    draft = translate_sql(
        """CREATE TABLE t AS SELECT code, price * 2 AS price FROM input_04;
        CREATE OR REPLACE TABLE t AS SELECT code, max(price) AS most FROM t GROUP BY code;
        CREATE TABLE output_01 AS SELECT * FROM t ORDER BY most DESC, lower(code), code""",
        SHOP,
    )
    assert draft.origins["t"] == "t#1"
    assert draft.checkpoints["t"] == "t_2"
    assert draft.checkpoints["output_01"] == "output_01"
    assert draft.ordered == {"output_01.csv": ("most",)}


def test_columns_from_the_data_are_told() -> None:
    draft = translate_sql("CREATE TABLE output_01 AS PIVOT input_01 ON channel USING sum(qty) GROUP BY status", SHOP)
    (told,) = draft.specialised.values()
    assert told.startswith("holds for inputs with phone, store, web in channel")


def test_an_order_that_nothing_goes_by_is_no_step() -> None:
    script = """CREATE TABLE sorted AS SELECT code, price FROM input_04 ORDER BY price;
        CREATE TABLE output_01 AS SELECT code, max(price) AS most FROM sorted GROUP BY code ORDER BY code"""
    assert list(kinds(script).values()).count("sort") == 1
    assert kinds(script.replace("max(price)", "last(price)"))["sorted"] == "sort"


def test_comments_and_names_of_the_script_are_the_steps() -> None:
    draft = translate_sql(
        """-- 1. What was paid.
        CREATE TABLE paid AS
        WITH -- each order once
        once AS (SELECT DISTINCT * FROM input_01)
        SELECT order_id, qty FROM once WHERE status = 'shipped';
        CREATE TABLE output_01 AS SELECT count(*) AS n FROM paid""",
        SHOP,
    )
    nodes = draft.document["nodes"]
    assert nodes["once"]["note"] == "each order once"
    assert nodes["paid"]["note"] == "What was paid."


def test_a_script_that_is_too_long_keeps_its_subqueries_as_steps() -> None:
    long = ", ".join(f"price + {i} AS price_with_{i}_added" for i in range(60))
    script = f"""CREATE TABLE output_01 AS SELECT t.*, random() < 2 AS yes
        FROM (SELECT code, {long} FROM input_04) AS t"""
    draft = translate_sql(script, SHOP)
    assert draft.document["nodes"]["output_01"]["kind"] == "script"
    assert "price_with_59_added" not in draft.document["nodes"]["output_01"]["params"]["code"]
