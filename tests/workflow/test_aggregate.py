"""aggregate and pivot against the model: every function, filters, distinct values, orders; longer and wider."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepsql.errors import WorkflowError
from prepsql.sqltext import quote
from prepsql.workflow.operators.aggregate import Function
from tests.workflow import model
from tests.workflow.expressions import orders, predicates
from tests.workflow.tables import BOOL, DATE, FLOAT, INT, LIST, TEXT, Flow, Table, examples, table, tables

KINDS: dict[str, tuple[str, ...]] = {
    "sum": (INT, FLOAT),
    "avg": (INT, FLOAT),
    "prod": (FLOAT,),
    "median": (INT, FLOAT),
    "stddev": (INT, FLOAT),
    "var": (INT, FLOAT),
    "quantile": (INT, FLOAT),
    "any": (BOOL,),
    "all": (BOOL,),
    "string_agg": (INT, TEXT, DATE, BOOL),
    "list": (INT, TEXT, DATE, BOOL),
}
BY_ROWS = ("first", "last", "string_agg", "list")


@st.composite
def measures(
    draw: st.DrawFn, given: Table, name: str, func: str | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return an aggregate as parameters and as the model's."""
    able = [f for f in get_args(Function) if given.of(*KINDS.get(f, tuple(KIND_ALL)))]
    func = func or draw(st.sampled_from(able))
    of = draw(st.sampled_from(given.of(*KINDS.get(func, tuple(KIND_ALL)))))
    if func == "count" and draw(st.booleans()):
        of = None
    params: dict[str, Any] = {"as": name, "func": func} | ({"expr": quote(of)} if of else {})
    said: dict[str, Any] = {
        "as": name,
        "func": func,
        "of": of,
        "holds": None,
        "distinct": False,
        "by": [],
        "q": 0.5,
        "separator": ", ",
    }
    if draw(st.booleans()) and of:
        params["distinct"] = said["distinct"] = True
    if draw(st.booleans()):
        params["filter"], said["holds"] = draw(predicates(given))
    if func in BY_ROWS and draw(st.booleans()):
        columns = [of] if said["distinct"] and of else given.columns
        params["order_by"], said["by"] = draw(orders(columns))
        if said["distinct"]:
            params["order_by"] = [key | {"expr": quote(of or "")} for key in params["order_by"]]
    if func == "quantile":
        params["q"] = said["q"] = draw(st.sampled_from([0, 0.25, 0.9, 1]))
    if func == "string_agg":
        params["separator"] = said["separator"] = draw(st.sampled_from([", ", "", "'"]))
    return params, said


KIND_ALL = (INT, FLOAT, TEXT, DATE, BOOL)


@examples(30)
@given(st.data())
def test_aggregate(data: st.DataObject) -> None:
    main = data.draw(tables(need=(INT, FLOAT), columns=3))
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=main)
        for _ in range(4):
            source, now = "main", main
            if data.draw(st.booleans()):
                by, order = data.draw(orders(main.columns))
                source, now = flow.step("sort", {"order_by": by}), model.sort(main, order)
            keys = data.draw(st.permutations(main.columns))[: data.draw(st.integers(0, 2))]
            drawn = [data.draw(measures(now, f"m{i}")) for i in range(data.draw(st.integers(0 if keys else 1, 3)))]
            params: dict[str, Any] = {"group_keys": keys, "aggs": [p for p, _ in drawn]}
            drop = data.draw(st.booleans())
            params |= {"null_group": "drop"} if drop else {}
            whole = model.aggregate(now, keys, [m for _, m in drawn], drop_nulls=drop)
            if data.draw(st.booleans()) and not set(whole.kinds.values()) & {LIST, "about"}:
                params["having"], having = data.draw(predicates(whole))
                whole = model.filtered(whole, having)
            flow.expect(flow.step("aggregate", params, source), whole, data.draw(st.booleans()))
        flow.check()


@pytest.mark.parametrize("func", get_args(Function))
def test_each_function_over_groups_of_many_rows_and_of_nulls(tmp_path: Path, func: str) -> None:
    kinds = {"g": TEXT, "größe": INT, 'a "b"': FLOAT, "t": TEXT, "d": DATE, "b": BOOL}
    rows = [["all null", *[None] * 5]] * 3
    half = 0.999 if func == "prod" else 0.25
    rows += [
        [f"g{i % 7}", i % 11, half * (1 + i % 3), f"t{i % 3}", None, i % 2 == 0]
        for i in range(5000 if func != "prod" else 500)
    ]
    main = table(kinds, rows)
    flow = Flow(tmp_path, main=main)
    of = (
        'a "b"'
        if FLOAT in KINDS.get(func, ())
        else "t"
        if TEXT in KINDS.get(func, ())
        else "b"
        if func in ("any", "all")
        else "größe"
    )
    q = {"q": 0.3} if func == "quantile" else {}
    params = {"group_keys": ["g"], "aggs": [{"as": "m", "func": func, "expr": quote(of)} | q]}
    said = {"as": "m", "func": func, "of": of, "holds": None, "distinct": False, "by": [], "q": 0.3, "separator": ", "}
    flow.expect(flow.step("aggregate", params), model.aggregate(main, ["g"], [said]))
    flow.check()


def _name(value: Any) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@examples(25)
@given(st.data())
def test_wider(data: st.DataObject) -> None:
    main = data.draw(tables(need=(INT, FLOAT, data.draw(st.sampled_from([TEXT, BOOL, DATE, INT]))), columns=3))
    able = [c for c in main.columns if main.kinds[c] != FLOAT]
    for column in main.of(TEXT):
        main.frame[column] = pd.Series(["e" if v in ("", "null", "A") else v for v in main.frame[column]], dtype=object)
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=main)
        for _ in range(4):
            columns = data.draw(st.permutations(able))[: data.draw(st.integers(1, 2))]
            columns = columns[:1] if len(columns) > 1 and any(main.kinds[c] == TEXT for c in columns) else columns
            index = data.draw(st.permutations(main.columns))[: data.draw(st.integers(0, 2))]
            index = [c for c in index if c not in columns]
            func = data.draw(
                st.sampled_from(["count", "sum", "avg", "max", "first", "last", "count_distinct", "median"])
            )
            values = data.draw(st.permutations(main.of(INT, FLOAT)))[: data.draw(st.integers(1, 2))]
            params: dict[str, Any] = {
                "mode": "wider",
                "index": index,
                "agg": func,
                "values": values,
                "columns": columns,
            }
            if len(columns) == 1 and data.draw(st.booleans()):
                params["columns"] = columns[0]
            if len(values) == 1:
                params["values"] = values[0]
            fill = data.draw(st.sampled_from([None, 0, -1]))
            params |= {} if fill is None else {"fill_value": fill}
            known = model.by_keys(list(model.groups(model.rows_of(main), columns)))
            fixed = None
            if data.draw(st.booleans()) and known and main.kinds[columns[0]] != DATE:
                fixed = data.draw(st.lists(st.sampled_from(known), min_size=1, unique=True))
                params["column_values"] = (
                    [_json(v) for v in fixed] if len(columns) > 1 else [_json(v)[0] for v in fixed]
                )
                if any(c in main.of(DATE) for c in columns):
                    del params["column_values"]
                    fixed = None
            if not known and not index:
                continue
            whole = model.wider(main, index, columns, values, func, fill, fixed, _name)
            flow.expect(flow.step("pivot", params), whole, data.draw(st.booleans()))
        flow.expect("main", main)
        flow.check()


def _json(category: tuple[Any, ...]) -> list[Any]:
    return list(category)


@examples(20)
@given(st.data())
def test_longer(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([INT, TEXT, DATE]))
    main = data.draw(tables(need=(kind, kind, kind), columns=3))
    values = main.of(kind)
    rest = [c for c in main.columns if c not in values]
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=main)
        for _ in range(4):
            source, now = "main", main
            if data.draw(st.booleans()):
                by, order = data.draw(orders(main.columns))
                source, now = flow.step("sort", {"order_by": by}), model.sort(main, order)
            params: dict[str, Any] = {"mode": "longer"}
            way = data.draw(st.sampled_from(["value_vars", "id_cols", "pattern"]))
            chosen = values
            if way == "value_vars":
                chosen = data.draw(st.permutations(values))[: data.draw(st.integers(1, len(values)))]
                params["value_vars"] = chosen
            elif way == "pattern":
                chosen = [c for c in main.columns if c in values[:2]]
                params["pattern"] = "|".join(map(re.escape, chosen))
            ids = [c for c in main.columns if c not in chosen]
            if way == "id_cols":
                params["id_cols"] = ids = rest
            elif data.draw(st.booleans()):
                params["id_cols"] = ids = data.draw(st.permutations(ids))[: data.draw(st.integers(0, len(ids)))]
            name, value = "name", "value"
            if data.draw(st.booleans()):
                name, value = params["names_to"], params["values_to"] = 'the "name"', "from"
            cells = [({name: c}, {value: c}) for c in chosen]
            expected = model.longer(now, ids, cells, {name: TEXT, value: kind})
            flow.expect(flow.step("pivot", params, source), expected, data.draw(st.booleans()))
        flow.check()


def test_longer_takes_names_apart_and_values_to_columns_of_their_own(tmp_path: Path) -> None:
    kinds = {"id": INT, "qty_2023": INT, "price_2023": FLOAT, "qty_2024": INT, "note": TEXT}
    main = table(kinds, [[1, 10, 0.5, None, "x"], [2, None, 1.5, 7, None]])
    flow = Flow(tmp_path, main=main)
    params = {"mode": "longer", "pattern": "(.+)_([0-9]+)", "names_to": [".value", "year"]}
    cells = [
        ({"year": "2023"}, {"qty": "qty_2023", "price": "price_2023"}),
        ({"year": "2024"}, {"qty": "qty_2024", "price": ""}),
    ]
    flow.expect(
        flow.step("pivot", params),
        model.longer(main, ["id", "note"], cells, {"year": TEXT, "qty": INT, "price": FLOAT}),
    )
    two = params | {"names_to": ["what", "year"], "pattern": "(qty)_([0-9]+)", "id_cols": ["id"]}
    cells = [({"what": "qty", "year": year}, {"value": f"qty_{year}"}) for year in ("2023", "2024")]
    flow.expect(flow.step("pivot", two), model.longer(main, ["id"], cells, {"what": TEXT, "year": TEXT, "value": INT}))
    flow.check()


def test_column_values_name_numbers_however_they_are_written(tmp_path: Path) -> None:
    main = table({"k": FLOAT, "v": INT}, [[1.0, 3], [2.5, 4], [None, 5], [-0.0, 6], [0.0, 7]])
    flow = Flow(tmp_path, main=main)
    params = {
        "mode": "wider",
        "index": [],
        "columns": "k",
        "values": "v",
        "agg": "sum",
        "column_values": [1, 2.5, None, 0, 9],
    }
    flow.expect(
        flow.step("pivot", params),
        table({"1": INT, "2.5": INT, "null": INT, "0": INT, "9": INT}, [[3, 4, 5, 13, None]]),
    )
    flow.check()


def test_categories_that_differ_in_case_or_are_empty_are_refused_by_name(tmp_path: Path) -> None:
    for values, message in ((["a", "A"], "would have one name"), (["a", ""], "a category is empty text")):
        main = table({"k": TEXT, "v": INT}, [[k, 1] for k in values])
        flow = Flow(tmp_path / values[1], main=main)
        flow.expect(
            flow.step("pivot", {"mode": "wider", "index": [], "columns": "k", "values": "v", "agg": "sum"}), main
        )
        with pytest.raises(WorkflowError, match=message):
            flow.check()
