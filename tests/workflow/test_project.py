"""project against the model: every parameter, in their order, and windows."""

from collections.abc import Callable
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepsql.errors import WorkflowError
from prepsql.sqltext import quote
from tests.workflow import model
from tests.workflow.expressions import orders
from tests.workflow.model import Row
from tests.workflow.tables import ABOUT, BOOL, DATE, FLOAT, INT, LIST, TEXT, Flow, Table, examples, table, tables

COMPUTED: dict[str, list[tuple[str, Callable[[Any], Any], str]]] = {
    INT: [
        ("{} + 1", lambda v: v + 1, INT),
        ("-{}", lambda v: -v, INT),
        ("CAST({} AS VARCHAR)", str, TEXT),
        (
            "CASE WHEN {0} > 0 THEN [{0}, NULL] WHEN {0} < 0 THEN [] END",
            lambda v: [v, None] if v > 0 else [] if v < 0 else None,
            LIST,
        ),
    ],
    FLOAT: [("{} * 2", lambda v: v * 2, FLOAT), ("abs({})", abs, FLOAT)],
    TEXT: [
        ("upper({})", str.upper, TEXT),
        ("length({})", len, INT),
        ("{} || '!'", lambda v: v + "!", TEXT),
        ("string_split({}, 'a')", lambda v: v.split("a"), LIST),
    ],
    DATE: [("year({})", lambda v: v.year, INT), ("{} + 1", lambda v: v + timedelta(1), DATE)],
    BOOL: [("NOT {}", lambda v: not v, BOOL)],
    LIST: [("len({})", len, INT)],
}
CASTS: dict[str, list[tuple[str, Callable[[Any], Any]]]] = {
    INT: [(TEXT, str), (FLOAT, float)],
    FLOAT: [(FLOAT, float)],
    TEXT: [(INT, lambda v: 10 if v == "10" else None), (TEXT, str)],
    DATE: [(TEXT, lambda v: v.isoformat())],
    BOOL: [(INT, int), (TEXT, lambda v: str(v).lower())],
}


def _with(given: Table, name: str, kind: str, of: Callable[[Row], Any]) -> Table:
    """Return the table with a column more, or one replaced: in any case of its name, which stays."""
    name = next((c for c in given.columns if c.lower() == name.lower()), name)
    rows = [row | {name: of(row)} for row in model.rows_of(given)]
    return model.made(given.kinds | {name: kind}, rows)


def _lift(of: Callable[[Any], Any], column: str) -> Callable[[Row], Any]:
    return lambda row: None if row[column] is None else of(row[column])


class Draft:
    """A project step in the making: parameters, and what the table is after them."""

    def __init__(self, data: st.DataObject, given: Table) -> None:
        self.data, self.now = data, given
        self.params: dict[str, Any] = {}

    def chosen(self) -> None:
        draw = self.data.draw
        if draw(st.booleans()):
            names = draw(st.permutations(self.now.columns))[: draw(st.integers(1, len(self.now.columns)))]
            self.params["select"] = names
            self._keep({n: n for n in names})
        if draw(st.booleans()) and len(self.now.columns) > 1:
            gone = draw(st.sampled_from(self.now.columns))
            self.params["drop"] = [gone]
            self._keep({n: n for n in self.now.columns if n != gone})
        if draw(st.booleans()):
            old = draw(st.permutations(self.now.columns))[: draw(st.integers(1, 3))]
            new = draw(st.sampled_from([[*old[1:], old[0]], [f"{n} 2" for n in old], [n.swapcase() for n in old]]))
            self.params["rename"] = dict(zip(old, new, strict=True))
            self._keep({n: self.params["rename"].get(n, n) for n in self.now.columns})

    def _keep(self, names: dict[str, str]) -> None:
        frame = self.now.frame[list(names)].rename(columns=names)
        self.now = Table(frame, {new: self.now.kinds[old] for old, new in names.items()})

    def computed(self, most: int = 3) -> None:
        entries = []
        for _ in range(self.data.draw(st.integers(0, most))):
            column = self.data.draw(st.sampled_from(self.now.columns))
            sql, of, kind = self.data.draw(st.sampled_from(COMPUTED[self.now.kinds[column]]))
            name = self.data.draw(st.sampled_from([column, column.upper(), "made", "made 2", self.now.columns[0]]))
            if name.upper() == column.upper() and not column.isascii():
                name = column
            entries.append({"as": name, "expr": sql.format(quote(column))})
            self.now = _with(self.now, name, kind, _lift(of, column))
        if entries:
            self.params["compute"] = entries

    def cast(self) -> None:
        able = [c for c in self.now.columns if self.now.kinds[c] in CASTS]
        if able and self.data.draw(st.booleans()):
            column = self.data.draw(st.sampled_from(able))
            kind, of = self.data.draw(st.sampled_from(CASTS[self.now.kinds[column]]))
            self.params["cast"] = [{"col": column, "type": kind, "errors": "null"}]
            self.now = _with(self.now, column, kind, _lift(of, column))

    def explode(self) -> None:
        able = self.now.of(LIST)
        if able and self.data.draw(st.booleans()):
            column = self.data.draw(st.sampled_from(able))
            name = self.data.draw(st.sampled_from([column, "element"]))
            position = self.data.draw(st.sampled_from([None, "place"]))
            self.params["explode"] = {"col": column, "as": name} | ({"position": position} if position else {})
            lists = self.now.frame[column].tolist()
            kinds = {type(v) for cell in lists for v in cell or () if v is not None}
            self.now = model.exploded(self.now, column, lists, name, position)
            self.now.kinds[name] = TEXT if kinds == {str} else INT
            if not kinds:
                # nothing tells whether they were lists of numbers or of text; all are null
                self.now.kinds[name] = TEXT

    def fill(self) -> None:
        able = [c for c, kind in self.now.kinds.items() if kind != LIST]
        if len(able) > 1 and len(self.now) < 50 and self.data.draw(st.booleans()):
            keys = self.data.draw(st.permutations(able))[:2]
            self.params["fill"] = {"keys": keys}
            have = [list(dict.fromkeys(self.now.frame[k].tolist())) for k in keys]
            self.now = model.filled(self.now, keys, list(product(*have)))


@examples(30)
@given(st.data())
def test_project(data: st.DataObject) -> None:
    main = data.draw(tables(most=5000))
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=main)
        for _ in range(4):
            source, now = "main", main
            if data.draw(st.booleans()):
                by, keys = data.draw(orders(main.columns))
                source, now = flow.step("sort", {"order_by": by}), model.sort(main, keys)
            draft = Draft(data, now)
            draft.chosen()
            draft.computed()
            draft.cast()
            draft.explode()
            draft.fill()
            if not draft.params:
                draft.params["drop"] = []
            flow.expect(flow.step("project", draft.params, source), draft.now, data.draw(st.booleans()))
        flow.check()


def _window(data: st.DataObject, given: Table) -> tuple[str, Callable[[Table], list[Any]], str]:
    """Return a window's SQL, what it gives for each row, and its kind."""
    pick = st.sampled_from(given.columns)
    group, key, of = data.draw(pick), data.draw(pick), data.draw(pick)
    g, k, v = quote(group), quote(key), quote(of)

    def over(give: Callable[[list[Row]], list[Any]], partition: bool, order: bool) -> Callable[[Table], list[Any]]:
        def values(given: Table) -> list[Any]:
            rows, found = model.rows_of(given), [None] * len(given)
            sets = model.groups(rows, [group]).values() if partition else [list(range(len(rows)))]
            for places in sets:
                places = model.ordered(rows, [(key, True, "last")], places) if order else places
                for place, value in zip(places, give([rows[i] for i in places]), strict=True):
                    found[place] = value
            return found

        return values

    def peers(give: Callable[[list[Any]], Any]) -> Callable[[list[Row]], list[Any]]:
        return lambda rows: [
            give([r[of] for r in rows if model.compare(r[key], row[key], True, "last") <= 0]) for row in rows
        ]

    def total(values: list[Any]) -> Any:
        return model.measure("sum", values, given.kinds[of])[0]

    kind = given.kinds[of]
    shapes = [
        ("row_number() OVER ()", over(lambda rows: list(range(1, len(rows) + 1)), False, False), INT),
        (
            f"row_number() OVER (PARTITION BY {g} ORDER BY {k})",
            over(lambda rows: list(range(1, len(rows) + 1)), True, True),
            INT,
        ),
        (
            f"count({v}) OVER (PARTITION BY {g})",
            over(lambda rows: [sum(r[of] is not None for r in rows)] * len(rows), True, False),
            INT,
        ),
        (
            f"lag({v}) OVER (ORDER BY {k})",
            over(lambda rows: [None, *(r[of] for r in rows)][: len(rows)], False, True),
            kind,
        ),
        (
            f"first_value({v}) OVER (PARTITION BY {g} ORDER BY {k})",
            over(lambda rows: [rows[0][of]] * len(rows) if rows else [], True, True),
            kind,
        ),
        (
            f"rank() OVER (PARTITION BY {g} ORDER BY {k})",
            over(
                lambda rows: [1 + sum(model.compare(o[key], r[key], True, "last") < 0 for o in rows) for r in rows],
                True,
                True,
            ),
            INT,
        ),
        (
            f"min({v}) OVER (PARTITION BY {g} ORDER BY {k})",
            over(peers(lambda values: model.measure("min", values, kind)[0]), True, True),
            model.signless(kind),
        ),
    ]
    if kind in (INT, FLOAT):
        small = INT if kind == INT else ABOUT
        shapes += [
            (
                f"sum({v}) OVER (PARTITION BY {g})",
                over(lambda rows: [total([r[of] for r in rows])] * len(rows), True, False),
                small,
            ),
            (f"sum({v}) OVER (PARTITION BY {g} ORDER BY {k})", over(peers(total), True, True), small),
            (
                f"avg({v}) OVER (PARTITION BY {g} ORDER BY {k})",
                over(peers(lambda x: model.measure("avg", x, kind)[0]), True, True),
                ABOUT,
            ),
            (
                f"sum({v}) OVER (ORDER BY {k} ROWS UNBOUNDED PRECEDING)",
                over(lambda rows: [total([r[of] for r in rows[: i + 1]]) for i in range(len(rows))], False, True),
                small,
            ),
        ]
    return data.draw(st.sampled_from(shapes))


@examples(25)
@given(st.data())
def test_windows(data: st.DataObject) -> None:
    main = data.draw(tables(need=(INT, FLOAT), columns=3))
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=main)
        for _ in range(5):
            windows = [_window(data, main) for _ in range(data.draw(st.integers(1, 2)))]
            compute = [{"as": f"w{i}", "expr": sql} for i, (sql, _, _) in enumerate(windows)]
            kinds = main.kinds | {f"w{i}": kind for i, (_, _, kind) in enumerate(windows)}
            found = [of(main) for _, of, _ in windows]
            rows = [(*row, *more) for row, more in zip(main.rows, zip(*found, strict=True), strict=True)]
            flow.expect(flow.step("project", {"compute": compute}), table(kinds, rows), data.draw(st.booleans()))
        flow.check()


def test_promote_header_names_columns_by_a_row(tmp_path: Path) -> None:
    main = table({"x": TEXT, "y": TEXT, "z": TEXT}, [["report", None, ""], ["id", "Id", None], ["1", "2", "3"]])
    flow = Flow(tmp_path, main=main)
    second = table({"id": TEXT, "Id_2": TEXT, "column_3": TEXT}, [["1", "2", "3"]])
    step = flow.step("project", {"promote_header": 2})
    flow.expect(step, second)
    picked = {
        "promote_header": 2,
        "select": ["column_3", "id"],
        "rename": {"column_3": "c"},
        "compute": [{"as": "d", "expr": "c || id"}],
    }
    flow.expect(flow.step("project", picked), table({"c": TEXT, "id": TEXT, "d": TEXT}, [["3", "1", "31"]]))
    backwards = flow.step("sort", {"order_by": [{"expr": "x"}]})
    flow.expect(
        flow.step("project", {"promote_header": 1}, backwards),
        table({"1": TEXT, "2": TEXT, "3": TEXT}, [["id", "Id", None], ["report", None, ""]]),
    )
    flow.check()


def test_a_cast_raises_or_gives_null(tmp_path: Path) -> None:
    main = table({"a": TEXT, "n": INT}, [["10", 1], ["ten", 2], [None, 3]])
    flow = Flow(tmp_path, main=main)
    step = flow.step("project", {"cast": [{"col": "A", "type": "INTEGER", "errors": "null"}]})
    flow.expect(step, table({"a": INT, "n": INT}, [[10, 1], [None, 2], [None, 3]]))
    flow.check()
    flow.expect(flow.step("project", {"cast": [{"col": "a", "type": "INTEGER"}]}), main)
    with pytest.raises(WorkflowError, match=r"step 'step\d+', cast\[0\].col: .*'ten'"):
        flow.check()


def test_a_cast_reads_dates_by_the_first_pattern_that_fits(tmp_path: Path) -> None:
    main = table({"a": TEXT}, [["2024-02-29"], ["1.3.2024"], ["03/04/2024"], ["?"], [None]])
    flow = Flow(tmp_path, main=main)
    cast = {"col": "a", "type": "DATE", "errors": "null", "formats": ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y"]}
    expected = [[date(2024, 2, 29)], [date(2024, 3, 1)], [date(2024, 3, 4)], [None], [None]]
    flow.expect(flow.step("project", {"cast": [cast]}), table({"a": DATE}, expected))
    flow.check()
    flow.expect(flow.step("project", {"cast": [cast | {"errors": "raise"}]}), main)
    with pytest.raises(WorkflowError, match=r"cast\[0\]"):
        flow.check()


@examples(15)
@given(st.data())
def test_fill_range(data: st.DataObject) -> None:
    kind, names = data.draw(st.sampled_from([INT, DATE])), ["k", "größe", "v"]
    first = date(2024, 2, 27)
    values = st.none() | st.integers(-3, 6).map(lambda n: n if kind == INT else first + timedelta(n))
    rows = data.draw(st.lists(st.tuples(values, st.sampled_from(["a", "b", None]), st.integers(0, 9)), max_size=12))
    main = table(dict(zip(names, [kind, TEXT, INT], strict=True)), rows)
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=main)
        for _ in range(3):
            step = data.draw(st.integers(1, 2))
            params: dict[str, Any] = {"col": "k", "step": step if kind == INT else f"{step} day"}
            by = data.draw(st.sampled_from([[], ["größe"]]))
            given = [data.draw(st.none() | st.integers(-1, 5)) for _ in range(2)]
            bounds = [n if n is None or kind == INT else first + timedelta(n) for n in given]
            params |= {"by": by} if by else {}
            params |= {
                w: v if kind == INT else str(v) for w, v in zip(("start", "end"), bounds, strict=True) if v is not None
            }
            wanted = []
            for key, places in model.groups(rows_ := model.rows_of(main), by).items():
                known = [rows_[i]["k"] for i in places if rows_[i]["k"] is not None]
                low = bounds[0] if bounds[0] is not None else min(known, default=None)
                high = bounds[1] if bounds[1] is not None else max(known, default=None)
                while low is not None and high is not None and low <= high:
                    wanted.append((*key, low))
                    low = low + step if kind == INT else low + timedelta(step)
            if not rows and not by and None not in bounds:
                low = bounds[0]
                while low <= bounds[1]:
                    wanted.append((low,))
                    low = low + step if kind == INT else low + timedelta(step)
            expected = model.filled(main, [*by, "k"], wanted)
            flow.expect(flow.step("project", {"fill": {"range": params}}), expected, data.draw(st.booleans()))
        flow.check()
