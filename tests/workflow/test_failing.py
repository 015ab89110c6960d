"""Workflows that fail while they run: each file holds one, with its inputs and the error it ends with."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from prepsql.errors import WorkflowError
from prepsql.workflow import Workflow

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "workflow" / "failing"
CASES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
# a pivot asks its columns before anything runs, so it is checked
CHECKED = ("input_cells_before_pivot",)


@pytest.mark.parametrize("trace", [False, True], ids=["plain", "traced"])
@pytest.mark.parametrize("name", CASES)
def test_the_error_names_step_parameter_cause_and_rows(
    name: str, trace: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    scratch, inputs, out = tmp_path / "scratch", tmp_path / "inputs", tmp_path / "out"
    scratch.mkdir()
    inputs.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    for file, text in case["inputs"].items():
        (inputs / file).write_text(text, encoding="utf-8")
    flow = Workflow(case["workflow"])
    if name not in CHECKED:
        assert flow.check(inputs) == []
    with pytest.raises(WorkflowError) as failed:
        flow.run(inputs, out, trace=trace)
    error, _, sql = str(failed.value).partition("; its SQL: ")
    assert error == case["error"]
    assert sql.startswith(("SELECT", "WITH")) == case["shows_sql"]
    assert "\n" not in str(failed.value)
    assert not out.exists()
    assert list(scratch.iterdir()) == []


def test_at_most_five_rows_are_shown(tmp_path: Path) -> None:
    rows = [{"id": i, "code": str(i) if i % 3 else f"x{i}"} for i in range(1000)]
    nodes = {
        "main": {"kind": "input", "params": {"data": rows}},
        "typed": {
            "kind": "project", "inputs": {"in": "main"}, "params": {"cast": [{"col": "code", "type": "INTEGER"}]},
        },
        "out": {"kind": "output", "inputs": {"in": "typed"}, "params": {"path": "output_01.csv"}},
    }  # fmt: skip
    with pytest.raises(WorkflowError) as failed:
        Workflow({"nodes": nodes}).run(tmp_path, tmp_path / "out")
    shown = [f'{{"row": {i + 1}, "code": "x{i}"}}' for i in (0, 3, 6, 9, 12)]
    assert f"; rows: {', '.join(shown)}; its SQL" in str(failed.value)
