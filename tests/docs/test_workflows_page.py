"""The page on workflows tells every operator, every parameter and every function."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from prepsql.workflow import OPERATORS, Workflow
from prepsql.workflow.operators.aggregate import Function

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "workflows.md").read_text()


@pytest.mark.parametrize("kind", OPERATORS)
def test_each_operator_has_a_section_that_names_its_parameters(kind):
    section = re.search(rf"^### {kind}\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, kind
    words = set(re.findall(r"\w+", section[1]))
    parameters = [field.alias or name for name, field in OPERATORS[kind].model_fields.items()]
    assert [name for name in parameters if name not in words] == []


def test_every_aggregate_function_is_named():
    assert [name for name in get_args(Function) if not re.search(rf"\b{name}\b", PAGE)] == []


def test_the_example_is_a_workflow(tmp_path):
    example = json.loads(re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1])
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "input_01.csv").write_text(
        "reg_date,track,paid\n2024-01-31,A,3\n2024-02-01,A,\n2024-03-31,A,4\n2024-05-01,B,5\n"
    )
    flow = Workflow(example, tmp_path)
    assert flow.check() == []
    flow.run(out=tmp_path)
    assert (tmp_path / "output_01.csv").read_text().splitlines()[1:] == ["2024-Q1,A,3.5", "2024-Q2,B,5.0"]
