"""filter, sort, dedup and union against the model."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepsql.errors import WorkflowError
from prepsql.sqltext import quote
from tests.workflow import model
from tests.workflow.expressions import orders, predicates
from tests.workflow.tables import FLOAT, INT, TEXT, VALUES, Flow, Table, examples, table, tables

BRANCHES = 4


@examples(12)
@given(st.data())
def test_filter(data: st.DataObject) -> None:
    main = data.draw(tables(most=5000))
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=main)
        for _ in range(BRANCHES):
            sql, holds = data.draw(predicates(main))
            strict = data.draw(st.booleans()) and all(holds(row) is not None for row in model.rows_of(main))
            step = flow.step("filter", {"predicate": sql, "null_as_false": not strict})
            flow.expect(step, model.filtered(main, holds), data.draw(st.booleans()))
        flow.check()


def test_a_null_predicate_ends_the_run_where_it_is_no_false(tmp_path: Path) -> None:
    main = table({"a": INT}, [[1], [None]])
    flow = Flow(tmp_path, main=main)
    flow.expect(flow.step("filter", {"predicate": "a = 1", "null_as_false": False}), main)
    with pytest.raises(WorkflowError, match=r"step 'step\d+'.*the predicate is null"):
        flow.check()


@examples(12)
@given(st.data())
def test_sort(data: st.DataObject) -> None:
    main = data.draw(tables(most=5000))
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=main)
        for _ in range(BRANCHES):
            by, keys = data.draw(orders(main.columns))
            params: dict[str, Any] = {"order_by": by}
            limit = data.draw(st.sampled_from([None, None, 0, 1, 3, 10_000]))
            groups, most = [], 0
            if limit is not None:
                params["limit"] = limit
            if data.draw(st.booleans()):
                groups = data.draw(st.lists(st.sampled_from(main.columns), min_size=1, max_size=2, unique=True))
                most = data.draw(st.integers(1, 3))
                params |= {"partition_by": groups, "limit_per_group": most}
            step = flow.step("sort", params)
            flow.expect(step, model.sort(main, keys, limit, groups, most), data.draw(st.booleans()))
        flow.check()


@examples(12)
@given(st.data())
def test_dedup(data: st.DataObject) -> None:
    main = data.draw(tables(most=5000))
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=main)
        for _ in range(BRANCHES):
            keep = data.draw(st.sampled_from(["first", "last", "none", "all"]))
            keys = data.draw(st.none() | st.lists(st.sampled_from(main.columns), min_size=1, max_size=2, unique=True))
            least, most = {"none": (0, 0), "all": (1, 3)}.get(keep, (0, 3))
            by, order = data.draw(orders(main.columns, least)) if most else ([], [])
            params = {"keep": keep, "order_by": by} | ({"keys": keys} if keys else {})
            flow.expect(flow.step("dedup", params), model.dedup(main, keys, keep, order), data.draw(st.booleans()))
        flow.check()


@examples(12)
@given(st.data())
def test_union(data: st.DataObject) -> None:
    one = data.draw(tables(columns=4))
    other = _like(data, one)
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=one, other=other)
        flow.expect("other", other)
        flow.expect("main", one)
        for _ in range(BRANCHES):
            names = data.draw(st.lists(st.sampled_from(["main", "other"]), min_size=1, max_size=2, unique=True))
            steps = {name: {"main": one, "other": other}[name] for name in names}
            if data.draw(st.booleans()):
                by, keys = data.draw(orders(one.columns))
                steps[flow.step("sort", {"order_by": by})] = model.sort(one, keys)
            lower = [{c.lower() for c in item.columns} for item in steps.values()]
            alike = all(names == lower[0] for names in lower)
            params: dict[str, Any] = {"distinct": data.draw(st.booleans())}
            if not alike or data.draw(st.booleans()):
                params["fill_missing"] = "null"
            if data.draw(st.booleans()):
                params["source_column"] = "from step"
            step = flow.step("union", params, {"items": list(steps)})
            whole = model.union(steps, params["distinct"], params.get("source_column"))
            flow.expect(step, whole, data.draw(st.booleans()))
        flow.check()


def _like(data: st.DataObject, one: Table) -> Table:
    """Return a table with some of the columns of another, in other places and cases, and perhaps one more."""
    chosen = data.draw(st.permutations(one.columns))[: data.draw(st.integers(1, len(one.columns)))]
    kinds = {}
    for column in chosen:
        kind = one.kinds[column]
        kinds[column.upper() if data.draw(st.booleans()) and column.isascii() else column] = (
            data.draw(st.sampled_from([INT, FLOAT])) if kind in (INT, FLOAT) else kind
        )
    if data.draw(st.booleans()):
        kinds["more"] = TEXT
    values = [st.none() | st.sampled_from(VALUES[kind]) for kind in kinds.values()]
    return table(kinds, data.draw(st.lists(st.tuples(*values), max_size=5)))


def test_a_union_of_tables_that_differ_names_the_columns(tmp_path: Path) -> None:
    one, other = table({"a": INT, 'a "b"': TEXT}, [[1, "x"]]), table({"A": INT}, [[2]])
    flow = Flow(tmp_path, main=one, other=other)
    flow.expect(flow.step("union", {}, {"items": ["main", "other"]}), one)
    with pytest.raises(WorkflowError, match=r"""'other' has no column '{}'""".format('a "b"')):
        flow.check()


def test_quoting_of_every_name_in_a_sort_and_a_filter(tmp_path: Path) -> None:
    names = ["select", 'a "b"', "größe", "two words", "Group", "🙂", "rowid"]
    main = table(dict.fromkeys(names, INT), [[3] * 7, [1] * 7, [2] * 7])
    flow = Flow(tmp_path, main=main)
    for name in names:
        step = flow.step("sort", {"order_by": [{"expr": quote(name)}]})
        flow.expect(flow.step("filter", {"predicate": f"{quote(name)} < 3"}, step), model.taken(main, [1, 2]))
    flow.check()
