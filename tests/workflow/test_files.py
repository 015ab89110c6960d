"""input and output against the model: every option of reading, every form of writing."""

import csv
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepsql.errors import WorkflowError
from prepsql.workflow import Workflow
from tests.workflow import model
from tests.workflow.expressions import orders
from tests.workflow.tables import BOOL, DATE, FLOAT, INT, TEXT, Flow, Table, examples, read, table, tables

CELLS = {
    INT: ["0", "7", "-12", "999999999999"],
    FLOAT: ["0.5", "-1.25", "3", "1e-5"],
    TEXT: ["a", "007", "1,5", 'q"q', "🙂", "N/A", "x;y"],
    DATE: ["2024-02-29", "1999-12-31"],
    BOOL: ["true", "false"],
}
KIND_OF = {INT: int, FLOAT: float, TEXT: str, DATE: date.fromisoformat, BOOL: "true".__eq__}


def flow_of(folder: Path, params: dict[str, Any], expected: Table, marked: bool = True) -> None:
    """Run an input step, and compare what it gives."""
    flow = Flow(folder)
    flow.nodes["main"] = {"kind": "input", "params": params}
    flow.expect("main", expected, marked)
    flow.check()


@examples(30)
@given(st.data())
def test_delimited_files(data: st.DataObject) -> None:
    draw = data.draw
    kinds = draw(st.lists(st.sampled_from(list(CELLS)), min_size=2, max_size=4))
    names = [f"{n}" for n in draw(st.permutations(["id", "größe", "select", 'a "b"', "Two Words", "🙂"]))[: len(kinds)]]
    by = Random(draw(st.integers(0, 2**32)))
    gaps = [draw(st.sampled_from(["", "n/a", "-"])) for _ in kinds]
    rows = [
        [by.choice([gap, *CELLS[k]]) for k, gap in zip(kinds, gaps, strict=True)]
        for _ in range(draw(st.integers(1, 12)))
    ]
    delimiter, encoding = (
        draw(st.sampled_from([",", ";", "\t", "|"])),
        draw(st.sampled_from(["utf-8", "utf-16", "utf-8-sig"])),
    )
    words = draw(st.sampled_from([[], ["N/A", "-"]]))
    params: dict[str, Any] = {"path": "in.csv"}
    params |= {"delimiter": delimiter} if draw(st.booleans()) else {}
    params |= {"encoding": encoding} if draw(st.booleans()) else {}
    params |= {"null_words": words} if words else {}
    head: list[list[str]] = []
    header = draw(st.sampled_from(["plain", "skip", "row", "none"]))
    if header in ("skip", "row"):
        head = [["report"] * len(kinds), ["made", *[""] * (len(kinds) - 1)]]
        params |= {"skip": 2} if header == "skip" else {"header": 3}
    if header == "none":
        params["header"] = None
        names = [f"column_{i + 1}" for i in range(len(kinds))]
    known = [["" if cell.lower() in [w.lower() for w in words] else cell for cell in row] for row in rows]
    types = draw(st.sampled_from(["safe", "text", "some"]))
    found = {n: model.safe_kind([row[i] for row in known]) for i, n in enumerate(names)}
    # an exponent is a number to us; the model's patterns know none
    found |= {
        n: FLOAT
        for i, n in enumerate(names)
        if "1e-5" in [r[i] for r in known]
        and model.safe_kind([r[i] for r in known if r[i] != "1e-5"] or ["1.5"]) in (INT, FLOAT)
    }
    found |= {
        n: FLOAT
        for i, n in enumerate(names)
        if {r[i] for r in known} <= {"1e-5", ""} and "1e-5" in {r[i] for r in known}
    }
    if types == "text":
        params["types"], found = "text", dict.fromkeys(names, TEXT)
    elif types == "some":
        params["types"] = {names[0]: TEXT}
        found[names[0]] = TEXT
    chosen = names
    if draw(st.booleans()):
        chosen = draw(st.permutations(names))[: draw(st.integers(1, len(names)))]
        params["columns"] = chosen
        if isinstance(params.get("types"), dict) and names[0] not in chosen:
            params["types"] = {chosen[0]: TEXT}
            found[chosen[0]] = TEXT
    with TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "in.csv").open("w", encoding=encoding, newline="") as file:
            csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(
                [*head, *([] if header == "none" else [names]), *rows]
            )
        values = [
            [
                (KIND_OF[found[n]](row[names.index(n)]) if row[names.index(n)] or types == "text" else None)
                for n in chosen
            ]
            for row in known
        ]
        flow_of(folder, params, table({n: found[n] for n in chosen}, values))


def test_a_header_of_several_rows(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("title,,\n2023,,2024\nqty,price,qty\n1,2.5,3\n", encoding="utf-8")
    flow_of(
        tmp_path,
        {"path": "in.csv", "header": [2, 3]},
        table({"2023 qty": INT, "2023 price": FLOAT, "2024 qty": INT}, [[1, 2.5, 3]]),
    )
    flow_of(
        tmp_path,
        {"path": "in.csv", "skip": 1, "header": [1, 2]},
        table({"2023 qty": INT, "2023 price": FLOAT, "2024 qty": INT}, [[1, 2.5, 3]]),
    )


def test_lines_end_as_an_editor_has_them(tmp_path: Path) -> None:
    text = "first\r\n\u2028second\x0c\n\nfourth é"
    for encoding in ("utf-8", "latin-1"):
        known = text if encoding == "utf-8" else text.replace("\u2028", "")
        (tmp_path / "in.txt").write_bytes(known.encode(encoding))
        rows = [[line, i] for i, line in enumerate(known.replace("\r", "").split("\n"), start=1)]
        params = {"path": "in.txt", "format": "lines"} | ({"encoding": "latin-1"} if encoding == "latin-1" else {})
        flow_of(tmp_path, params, table({"raw": TEXT, "line": INT}, rows))


def test_other_formats(tmp_path: Path) -> None:
    expected = table({"id": INT, "größe": TEXT}, [[1, "a"], [2, None]])
    (tmp_path / "in.jsonl").write_text('{"id": 1, "größe": "a"}\n{"id": 2, "größe": null}\n', encoding="utf-8")
    flow_of(tmp_path, {"path": "in.jsonl", "format": "json"}, expected)
    book = openpyxl.Workbook()
    book.active.append(["other"])
    sheet = book.create_sheet("Zwei")
    for row in (["id", "größe"], [1, "a"], [2, None]):
        sheet.append(row)
    book.save(tmp_path / "in.xlsx")
    flow_of(tmp_path, {"path": "in.xlsx", "format": "xlsx", "sheet": "Zwei"}, expected)
    expected.frame.to_parquet(tmp_path / "in.parquet")
    flow_of(tmp_path, {"path": "in.parquet", "format": "parquet"}, expected)


def test_data_in_the_workflow(tmp_path: Path) -> None:
    rows = [{"a": 1, 'b "c"': "", "d": True}, {"a": None, "e": 1.5}, {"d": None, 'b "c"': "🙂", "a": -3}]
    expected = table(
        {"a": INT, 'b "c"': TEXT, "d": BOOL, "e": FLOAT},
        [[1, "", True, None], [None, None, None, 1.5], [-3, "🙂", None, None]],
    )
    flow_of(tmp_path, {"data": rows}, expected)
    flow_of(tmp_path, {"data": [{"a": None}]}, table({"a": TEXT}, [[None]]))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"data": [{"a": 1}], "columns": ["a"]}, "columns isn't for data"),
        ({"path": "in.txt", "format": "lines", "null_words": ["x"]}, "null_words isn't for lines"),
        ({"data": []}, "data has no columns"),
        ({"data": [{"a": 1, "A": 2}]}, "'a' and 'A' are one name"),
        ({"data": [{"a": 1}, {"a": "x"}]}, "column 'a' mixes kinds of values"),
    ],
)
def test_inputs_that_cant_be_are_refused_by_name(tmp_path: Path, params: dict[str, Any], message: str) -> None:
    (tmp_path / "in.txt").write_text("x\n")
    with pytest.raises(WorkflowError, match=rf"step 'main'.*{message}"):
        flow_of(tmp_path, params, table({"a": INT}, []))


@examples(20)
@given(st.data())
def test_output(data: st.DataObject) -> None:
    main = data.draw(tables(need=(INT, DATE), columns=3))
    for column in main.of(FLOAT):
        main.frame[column] = pd.Series([0.5 if v == 1e18 else v for v in main.frame[column]], dtype=object)
    with TemporaryDirectory() as folder:
        flow = Flow(Path(folder), main=main)
        by, keys = data.draw(orders(main.columns))
        sorted_ = model.sort(main, keys)
        source = flow.step("sort", {"order_by": by})
        wanted = {}
        for i in range(4):
            columns = data.draw(st.none() | st.permutations(main.columns))
            params: dict[str, Any] = {"path": f"o{i}.csv"} | ({"columns": columns[:2]} if columns else {})
            shown = columns[:2] if columns else main.columns
            of = dict.fromkeys(shown, str)
            formats, types = {}, {}
            for column in shown:
                kind = main.kinds[column]
                if data.draw(st.booleans()):
                    if kind == DATE:
                        formats[column], of[column] = "%d/%m/%y", lambda v: v.strftime("%d/%m/%y")
                    elif kind in (INT, FLOAT):
                        formats[column], of[column] = 2, _two_places
                elif data.draw(st.booleans()) and kind == INT:
                    types[column], of[column] = (
                        "DOUBLE",
                        lambda v: str(float(v)) if abs(v) < 1e15 else f"{int(float(v))}.0",
                    )
            params |= ({"formats": formats} if formats else {}) | ({"types": types} if types else {})
            flow.nodes[f"o{i}"] = {"kind": "output", "inputs": {"in": source}, "params": params}
            rows = model.rows_of(sorted_)
            wanted[f"o{i}.csv"] = shown, [[_cell(r[c], of[c]) for c in shown] for r in rows]
        flow.expect("main", main)
        flow.check()
        for name, (columns, rows) in wanted.items():
            assert read(Path(folder) / "out" / name) == (list(columns), rows), flow.nodes[name.removesuffix(".csv")]


def _two_places(value: float) -> str:
    return str(
        Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP).copy_abs()
        if value == 0
        else Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP)
    )


def _cell(value: Any, of: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else of(value)


def test_rows_and_outputs_are_counted(tmp_path: Path) -> None:
    nodes: dict[str, Any] = {"main": {"kind": "input", "params": {"data": [{"a": 2}, {"a": 1}]}}}
    nodes |= {f"o{i}": {"kind": "output", "inputs": {"in": "main"}, "params": {"path": f"o{i}.csv"}} for i in range(2)}
    run = Workflow({"nodes": nodes}).run(tmp_path, tmp_path)
    assert run.rows == (2, 2)
    assert [p.read_text() for p in run.outputs] == ["a\n2\n1\n"] * 2
