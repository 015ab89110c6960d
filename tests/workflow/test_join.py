"""join against the model: every way to match, names, order and validation."""

from collections.abc import Callable
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
from tests.workflow.tables import FLOAT, INT, TEXT, Flow, Table, examples, table, tables

HOWS = ["inner", "left", "right", "full", "semi", "anti", "cross"]
OTHERS = ["b", "from", "c d", "é", 'q"q', "Key"]


def equal(pairs: list[tuple[str, str]], nulls: bool) -> Callable[[Row, Row], bool]:
    def matches(a: Row, b: Row) -> bool:
        return all((nulls or a[m] is not None) and a[m] == b[t] for m, t in pairs)

    return matches


class Sides:
    """Two tables, and what each gives to a join."""

    def __init__(self, data: st.DataObject, left: Table, right: Table) -> None:
        self.draw, self.left, self.right = data.draw, left, right
        self.params: dict[str, Any] = {}

    def ways(self, how: str) -> tuple[Callable[[Row, Row], bool | None], dict[str, str]]:
        """Add the parameters of a way to match; return it, and the columns that both share as keys."""
        if how == "cross":
            return lambda a, b: True, {}
        fitting = [
            (a, b) for a in self.left.columns for b in self.right.columns if self.left.kinds[a] == self.right.kinds[b]
        ]
        shared = [(a, b) for a, b in fitting if a.lower() == b.lower()]
        way = self.draw(
            st.sampled_from((["on"] * 2 if shared else []) + (["pairs"] * 2 if fitting else []) + ["condition"])
        )
        if way == "condition":
            a, b = self.draw(st.sampled_from(self.left.of(INT))), self.draw(st.sampled_from(self.right.of(INT)))
            self.params["condition"] = f"main.{quote(a)} > other.{quote(b)}"
            return lambda x, y: None if x[a] is None or y[b] is None else x[a] > y[b], {}
        pairs = self.draw(
            st.lists(st.sampled_from(shared if way == "on" else fitting), min_size=1, max_size=2, unique=True)
        )
        nulls = self.draw(st.booleans())
        self.params["null_equal"] = nulls
        if way == "on":
            self.params["on"] = [self.draw(st.sampled_from(pair)) for pair in pairs]
        else:
            self.params |= {"left_on": [a for a, _ in pairs], "right_on": [b for _, b in pairs]}
        return equal(pairs, nulls), dict(pairs) if way == "on" else {}

    def names(self, how: str, shared: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Add the parameters that choose and name columns; return what each side gives under which name."""
        mine, theirs = self.left.columns, self.right.columns
        if self.draw(st.booleans()):
            mine = self.draw(st.permutations(mine))[: self.draw(st.integers(1, len(mine)))]
            self.params["select_left"] = mine
        if self.draw(st.booleans()):
            theirs = self.draw(st.permutations(theirs))[: self.draw(st.integers(1, len(theirs)))]
            self.params["select_right"] = theirs
        if how in ("semi", "anti"):
            return {n: n for n in mine}, {}
        theirs = [n for n in theirs if n not in shared.values()]
        both = {n.lower() for n in mine} & {n.lower() for n in theirs}
        ends = ("", "")
        if both or self.draw(st.booleans()):
            ends = self.draw(st.sampled_from([(" l", " r"), ("", "_right")]))
            self.params["suffixes"] = list(ends)
        return (
            {n: n + ends[0] if n.lower() in both else n for n in mine},
            {n: n + ends[1] if n.lower() in both else n for n in theirs},
        )


@examples(30)
@given(st.data())
def test_join(data: st.DataObject) -> None:
    left = data.draw(tables(need=(INT,), most=13))
    names = [*data.draw(st.permutations(left.columns)), *OTHERS]
    names = [
        n.upper() if n.isascii() and data.draw(st.booleans()) else n for n in names[: len(left.columns) // 2 + 1]
    ] + OTHERS
    right = data.draw(tables(need=(INT,), names=list(dict.fromkeys(names)), most=13))
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=left, other=right)
        for _ in range(4):
            source, now = "main", left
            how = data.draw(st.sampled_from(HOWS))
            sides = Sides(data, now, right)
            matches, shared = sides.ways(how)
            chosen = sides.names(how, shared)
            if data.draw(st.booleans()) and "condition" not in sides.params:
                by, keys = data.draw(orders(left.columns))
                source, now = flow.step("sort", {"order_by": by}), model.sort(left, keys)
            step = flow.step("join", {"how": how} | sides.params, {"left": source, "right": "other"})
            expected = model.join(now, right, how, matches, shared, chosen)
            if shared and how in ("right", "full"):
                expected.kinds |= {chosen[0][k]: model.signless(now.kinds[k]) for k in shared if k in chosen[0]}
            flow.expect(step, expected, data.draw(st.booleans()))
        flow.expect("main", left)
        flow.expect("other", right)
        flow.check()


@pytest.mark.parametrize("how", HOWS[:-1])
def test_five_thousand_rows(tmp_path: Path, how: str) -> None:
    left = table({"id": INT, "größe": TEXT}, [[(i * 7919) % 6000 if i % 50 else None, str(i)] for i in range(5000)])
    right = table({"id": INT, "x": INT}, [[i // 2 if i % 40 else None, i] for i in range(5000)])
    flow = Flow(tmp_path, main=left, other=right)
    expected = _by_hash(left, right, how)
    flow.expect(flow.step("join", {"how": how, "on": ["id"]}, {"left": "main", "right": "other"}), expected, False)
    flow.check()


def _by_hash(left: Table, right: Table, how: str) -> Table:
    """Return the join that pandas makes, null keys set apart, and rows put in order by their numbers."""
    a, b = left.frame.assign(mine=range(len(left))), right.frame.assign(theirs=range(len(right)))
    a["id"] = [f"left {i}" if v is None else str(v) for i, v in enumerate(a["id"])]
    b["id"] = [f"right {i}" if v is None else str(v) for i, v in enumerate(b["id"])]
    merged = a.merge(b, on="id", how="outer" if how in ("full", "semi", "anti") else how)
    if how in ("semi", "anti"):
        merged = merged[merged["mine"].notna() & (merged["theirs"].notna() == (how == "semi"))].drop_duplicates("mine")
    merged = merged.sort_values(["mine", "theirs"], na_position="last", kind="stable")
    kinds = {"id": INT, "größe": TEXT} | ({} if how in ("semi", "anti") else {"x": INT})
    cells = {c: merged[c].astype(object).where(merged[c].notna(), None).tolist() for c in kinds}
    cells["id"] = [None if " " in v else int(v) for v in cells["id"]]
    if "x" in cells:
        cells["x"] = [None if v is None else int(v) for v in cells["x"]]
    return table(kinds, list(zip(*cells.values(), strict=True)))


@pytest.mark.parametrize(("said", "side"), [("1:1", "main"), ("1:m", "main"), ("m:1", "other")])
def test_validate_ends_the_run_and_shows_the_keys(tmp_path: Path, said: str, side: str) -> None:
    twice, once = (
        table({"k": INT, "a": TEXT}, [[1, "x"], [1, "y"], [None, "z"], [None, "w"]]),
        table({"k": INT, "b": INT}, [[1, 5], [None, 6]]),
    )
    given = {"main": twice, "other": once} if side == "main" else {"main": once, "other": twice}
    flow = Flow(tmp_path, **given)
    flow.expect(
        flow.step("join", {"how": "inner", "on": ["k"], "validate": said}, {"left": "main", "right": "other"}), twice
    )
    with pytest.raises(WorkflowError, match=rf"validate: '{side}' has keys more than once: 1 \(2×\)"):
        flow.check()


@pytest.mark.parametrize("said", ["1:1", "1:m", "m:1", "m:m"])
def test_validate_lets_null_keys_be(tmp_path: Path, said: str) -> None:
    left, right = (
        table({"k": INT, "a": TEXT}, [[1, "x"], [None, "z"], [None, "w"]]),
        table({"k": INT, "b": INT}, [[1, 5], [None, 6], [None, 7]]),
    )
    flow = Flow(tmp_path, main=left, other=right)
    flow.expect(
        flow.step("join", {"how": "inner", "on": ["k"], "validate": said}, {"left": "main", "right": "other"}),
        table({"k": INT, "a": TEXT, "b": INT}, [[1, "x", 5]]),
    )
    flow.check()


def test_numbers_of_two_types_are_keys_of_one_another(tmp_path: Path) -> None:
    left, right = table({"k": INT}, [[1], [2]]), table({"k": FLOAT, "b": INT}, [[1.0, 5], [2.5, 6]])
    flow = Flow(tmp_path, main=left, other=right)
    flow.expect(
        flow.step("join", {"how": "left", "on": ["k"]}, {"left": "main", "right": "other"}),
        table({"k": INT, "b": INT}, [[1, 5], [2, None]]),
    )
    flow.check()


def test_a_table_joins_itself(tmp_path: Path) -> None:
    main = table({"id": INT, "boss": INT}, [[1, None], [2, 1], [3, 1]])
    flow = Flow(tmp_path, main=main)
    params = {"how": "left", "left_on": ["boss"], "right_on": ["id"], "suffixes": ["", " of boss"]}
    expected = table(
        {"id": INT, "boss": INT, "id of boss": INT, "boss of boss": INT},
        [[1, None, None, None], [2, 1, 1, None], [3, 1, 1, None]],
    )
    flow.expect(flow.step("join", params, {"left": "main", "right": "main"}), expected)
    flow.check()
