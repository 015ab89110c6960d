"""docs/semantics.md, row by row: what pandas does, and what prepsql does, where SQL and pandas differ."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pytest

from prepsql.errors import WorkflowError
from prepsql.workflow import Workflow
from tests.workflow.tables import read

PAGE = Path(__file__).resolve().parents[2] / "docs" / "semantics.md"


def give(data: Any, kind: str, params: dict[str, Any], other: Any = None) -> list[list[str]]:
    """Return the rows that a step makes of rows in the workflow, as they are written, header first."""
    nodes: dict[str, Any] = {"main": {"kind": "input", "params": {"data": data}}}
    inputs: dict[str, Any] = {"in": "main"}
    if other is not None:
        nodes["other"] = {"kind": "input", "params": {"data": other}}
        inputs = {"items": ["main", "other"]} if kind == "union" else {"left": "main", "right": "other"}
    nodes["step"] = {"kind": kind, "inputs": inputs, "params": params}
    nodes["out"] = {"kind": "output", "inputs": {"in": "step"}, "params": {"path": "o.csv"}}
    with TemporaryDirectory() as folder:
        Workflow({"nodes": nodes}).run(folder, folder)
        header, rows = read(Path(folder) / "o.csv")
    return [header, *rows]


def value(expr: str, **row: Any) -> str:
    """Return what an expression is over one row."""
    return give([row or {"a": 1}], "project", {"compute": [{"as": "result", "expr": expr}]})[1][-1]


def measure(func: str, values: list[Any]) -> str:
    return give([{"v": v, "k": 1} for v in values], "aggregate", {"aggs": [{"as": "m", "func": func, "expr": "v"}]})[1][
        0
    ]


def test_null_keys_match_nothing() -> None:
    left, right = [{"k": None, "a": 1}], [{"k": None, "b": 2}]
    assert len(pd.DataFrame(left).merge(pd.DataFrame(right), on="k")) == 1
    assert give(left, "join", {"how": "inner", "on": ["k"]}, right)[1:] == []
    assert give(left, "join", {"how": "inner", "on": ["k"], "null_equal": True}, right)[1:] == [["", "1", "2"]]


def test_null_is_a_group() -> None:
    rows = [{"k": "a"}, {"k": None}]
    assert len(pd.DataFrame(rows).groupby("k").size()) == 1
    count = {"group_keys": ["k"], "aggs": [{"as": "n", "func": "count"}]}
    assert give(rows, "aggregate", count)[1:] == [["a", "1"], ["", "1"]]
    assert give(rows, "aggregate", count | {"null_group": "drop"})[1:] == [["a", "1"]]


def test_a_comparison_with_null_is_null() -> None:
    rows = [{"a": 1}, {"a": 2}, {"a": None}]
    frame = pd.DataFrame(rows)
    assert len(frame[frame["a"] != 1]) == 2
    assert give(rows, "filter", {"predicate": "a <> 1"})[1:] == [["2"]]
    with pytest.raises(WorkflowError, match="the predicate is null"):
        give(rows, "filter", {"predicate": "a <> 1", "null_as_false": False})


def test_nulls_are_sorted_last() -> None:
    rows = [{"a": None}, {"a": 1}, {"a": 2}]
    assert pd.DataFrame(rows)["a"].sort_values(ascending=False).isna().tolist() == [False, False, True]
    assert give(rows, "sort", {"order_by": [{"expr": "a", "asc": False}]})[1:] == [["2"], ["1"], [""]]
    assert give(rows, "sort", {"order_by": [{"expr": "a", "nulls": "first"}]})[1:] == [[""], ["1"], ["2"]]


def test_ties_keep_their_order() -> None:
    rows = [{"k": i % 2, "v": i} for i in range(100)]
    made = give(rows, "sort", {"order_by": [{"expr": "k"}]})[1:]
    stable = pd.DataFrame(rows).sort_values("k", kind="stable")
    assert made == [[str(k), str(v)] for k, v in stable.itertuples(index=False)]


def test_a_sum_of_nulls_is_null() -> None:
    assert pd.Series([None, None], dtype=float).sum() == 0
    rows = [{"v": None, "w": 1.0}]
    assert give(
        rows,
        "aggregate",
        {"aggs": [{"as": "s", "func": "sum", "expr": "CAST(v AS DOUBLE)"}, {"as": "n", "func": "count", "expr": "v"}]},
    )[1] == ["", "0"]


def test_any_of_nothing_is_null() -> None:
    assert not pd.Series([], dtype=bool).any()
    params = {"aggs": [{"as": "a", "func": "any", "expr": "b", "filter": "b IS NULL"}]}
    assert give([{"b": True, "c": 1}], "aggregate", params)[1] == [""]


def test_first_takes_nulls() -> None:
    assert pd.DataFrame({"k": [1, 1], "v": [None, 2.0]}).groupby("k")["v"].first().tolist() == [2]
    assert measure("first", [None, 2.0]) == ""


def test_deviations_are_of_samples() -> None:
    assert np.std([1.0, 3.0]) == 1
    assert pd.Series([1.0, 3.0]).std() == pytest.approx(2**0.5)
    assert float(measure("stddev", [1.0, 3.0])) == pytest.approx(2**0.5)
    assert measure("stddev", [1.0]) == ""


def test_halves_are_rounded_away_from_zero() -> None:
    assert pd.Series([2.5, -2.5]).round().tolist() == [2, -2]
    assert (value("round(a)", a=2.5), value("round(a)", a=-2.5)) == ("3.0", "-3.0")
    assert value("round_even(a, 0)", a=2.5) == "2.0"


def test_a_remainder_has_the_sign_of_the_dividend() -> None:
    assert (pd.Series([-7]) % 3).tolist() == [2]
    assert value("a % 3", a=-7) == "-1"


def test_whole_division_goes_towards_zero() -> None:
    assert (pd.Series([-7]) // 2).tolist() == [-4]
    assert value("a // 2", a=-7) == "-3"
    assert value("a / 2", a=-7) == "-3.5"


def test_division_by_zero() -> None:
    assert (pd.Series([1]) / 0).tolist() == [np.inf]
    assert value("a / 0", a=1) == DIVIDED_BY_ZERO


DIVIDED_BY_ZERO = "inf"


def test_not_a_number_is_no_null() -> None:
    assert pd.isna(float("nan"))
    assert value("CAST('nan' AS DOUBLE) IS NULL") == "false"
    assert value("CAST('nan' AS DOUBLE) = CAST('nan' AS DOUBLE) AND CAST('nan' AS DOUBLE) > 1e300") == "true"


def test_the_zeros_are_one_value() -> None:
    rows = [{"z": 0.0}, {"z": -0.0}]
    assert pd.DataFrame(rows)["z"].nunique() == 1
    assert len(give(rows, "dedup", {"keys": ["z"]})[1:]) == 1


def test_whole_numbers_stay_whole_beside_nulls() -> None:
    rows = [{"a": 2**53 + 1}, {"a": None}]
    assert pd.DataFrame(rows)["a"].dtype == float
    assert give(rows, "sort", {"order_by": [{"expr": "a"}]})[1:] == [[str(2**53 + 1)], [""]]


def test_empty_text_is_no_null() -> None:
    assert value("a = '' AND a IS NOT NULL", a="") == "true"
    assert value("a || 'x'", a="") == "x"
    assert value("a || 'x'", a="b") == "bx"
    assert value("b || 'x' IS NULL", a="b", b=None) == "true"


def test_text_counts_from_one() -> None:
    assert "abc"[1:2] == "b"
    assert value("substr(a, 1, 1)", a="abc") == "a"


def test_names_are_one_in_any_case() -> None:
    assert pd.DataFrame([[1, 2]], columns=["a", "A"]).shape == (1, 2)
    with pytest.raises(WorkflowError, match="'a' and 'A' are one name"):
        give([{"a": 1, "A": 2}], "dedup", {})


def test_keys_of_two_kinds_are_refused() -> None:
    left, right = [{"k": 1}], [{"k": "1"}]
    with pytest.raises(ValueError, match="merge"):
        pd.DataFrame(left).merge(pd.DataFrame(right), on="k")
    with pytest.raises(WorkflowError, match="'k' is BIGINT in 'main', 'k' is VARCHAR in 'other'"):
        give(left, "join", {"how": "inner", "on": ["k"]}, right)


def test_columns_that_both_sides_have_are_refused() -> None:
    left, right = [{"k": 1, "v": 1}], [{"k": 1, "v": 2}]
    assert list(pd.DataFrame(left).merge(pd.DataFrame(right), on="k")) == ["k", "v_x", "v_y"]
    with pytest.raises(WorkflowError, match="suffixes: both sides have 'v'"):
        give(left, "join", {"how": "inner", "on": ["k"]}, right)


def test_every_join_is_in_the_left_order() -> None:
    left, right = [{"k": 2}, {"k": 1}], [{"k": 1, "b": 1}, {"k": 2, "b": 2}, {"k": 0, "b": 0}]
    assert pd.DataFrame(left).merge(pd.DataFrame(right), on="k", how="right")["k"].tolist() == [1, 2, 0]
    assert give(left, "join", {"how": "right", "on": ["k"]}, right)[1:] == [["2", "2"], ["1", "1"], ["0", "0"]]


def test_tables_are_united_by_name_and_must_have_the_same() -> None:
    one, other = [{"a": 1, "b": 2}], [{"b": 3}]
    assert pd.concat([pd.DataFrame(one), pd.DataFrame(other)])["a"].isna().sum() == 1
    with pytest.raises(WorkflowError, match="'other' has no column 'a'"):
        give(one, "union", {}, other)
    assert give(one, "union", {"fill_missing": "null"}, other)[1:] == [["1", "2"], ["", "3"]]


def test_groups_are_in_the_order_of_their_keys() -> None:
    rows = [{"k": "b"}, {"k": None}, {"k": "a"}, {"k": "B"}]
    assert list(pd.DataFrame(rows).groupby("k").groups) == ["B", "a", "b"]
    made = give(rows, "aggregate", {"group_keys": ["k"], "aggs": [{"as": "n", "func": "count"}]})
    assert [row[0] for row in made[1:]] == ["B", "a", "b", ""]


def test_a_null_category_has_a_column() -> None:
    rows = [{"i": 1, "k": "a", "v": 1}, {"i": 1, "k": None, "v": 2}]
    assert list(pd.DataFrame(rows).pivot_table(index="i", columns="k", values="v", aggfunc="sum")) == ["a"]
    made = give(rows, "pivot", {"mode": "wider", "index": ["i"], "columns": "k", "values": "v", "agg": "sum"})
    assert made == [["i", "a", "null"], ["1", "1", "2"]]


def test_a_count_of_no_rows_is_zero() -> None:
    rows = [{"i": 1, "k": "a", "v": 1}, {"i": 2, "k": "b", "v": 2}]
    assert (
        pd.DataFrame(rows).pivot_table(index="i", columns="k", values="v", aggfunc="count").isna().to_numpy().sum() == 2
    )
    made = give(rows, "pivot", {"mode": "wider", "index": ["i"], "columns": "k", "values": "v", "agg": "count"})
    assert made[1:] == [["1", "1", "0"], ["2", "0", "1"]]


def test_columns_become_rows_row_by_row() -> None:
    rows = [{"a": 1, "b": 2}, {"a": 3, "b": 4}]
    assert pd.DataFrame(rows).melt()["value"].tolist() == [1, 3, 2, 4]
    assert [row[1] for row in give(rows, "pivot", {"mode": "longer"})[1:]] == ["1", "2", "3", "4"]


def test_an_empty_list_leaves_a_row() -> None:
    assert len(pd.DataFrame({"a": [[]]}).explode("a")) == 1
    params = {"compute": [{"as": "l", "expr": "list_filter([a], lambda x: x > 5)"}], "explode": {"col": "l"}}
    assert give([{"a": 1}], "project", params)[1:] == [["1", ""]]


def test_a_running_sum_takes_ties_together() -> None:
    rows = [{"d": 1, "v": 1}, {"d": 1, "v": 2}, {"d": 2, "v": 4}]
    assert pd.DataFrame(rows)["v"].cumsum().tolist() == [1, 3, 7]
    made = give(
        rows,
        "project",
        {
            "compute": [
                {"as": "peers", "expr": "sum(v) OVER (ORDER BY d)"},
                {"as": "rows", "expr": "sum(v) OVER (ORDER BY d ROWS UNBOUNDED PRECEDING)"},
            ]
        },
    )
    assert [row[2:] for row in made[1:]] == [["3", "1"], ["3", "3"], ["7", "7"]]


def test_the_last_value_of_a_tie_is_the_row_itself() -> None:
    rows = [{"d": 1, "v": "a"}, {"d": 1, "v": "b"}]
    made = give(rows, "project", {"compute": [{"as": "l", "expr": "last_value(v) OVER (ORDER BY d)"}]})
    assert [row[2] for row in made[1:]] == ["a", "b"]


def test_sums_of_floats_are_compensated() -> None:
    values = [0.1] * 10
    assert pd.Series(values).cumsum().iloc[-1] != 1
    assert measure("sum", values) == "1.0"


def test_filled_rows_are_added_and_none_goes() -> None:
    rows = [{"d": 1, "v": 1}, {"d": 3, "v": 3}, {"d": None, "v": 9}]
    assert pd.DataFrame(rows).dropna(subset="d").set_index("d").reindex([1, 2, 3])["v"].isna().tolist() == [
        False,
        True,
        False,
    ]
    made = give(rows, "project", {"fill": {"range": {"col": "d"}}})
    assert made[1:] == [["1", "1"], ["2", ""], ["3", "3"], ["", "9"]]


def test_each_row_of_the_page_has_its_test_and_each_test_its_row() -> None:
    rows = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ") and "`test_" in line
    ]
    named = [name for row in rows for name in re.findall(r"`(test_\w+)`", row)]
    assert all(row.count(" | ") == 4 for row in rows)
    here = [name for name in globals() if name.startswith("test_") and not name.startswith("test_each_row_of_the_page")]
    assert sorted(named) == sorted(here)
