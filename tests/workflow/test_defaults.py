"""A parameter that is given its default says no more than one that is left out: models write all of them."""

import json

import pytest

from prepsql.evaluate.suites import open_suite
from prepsql.workflow import OPERATORS, Workflow

TASKS = open_suite().tasks


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_defaults_can_be_written_out(task):
    document = json.loads(task.reference["workflow"].read_text())
    whole = json.loads(json.dumps(document))
    for step in whole["nodes"].values():
        operator = OPERATORS[step["kind"]].model_validate(step["params"])
        step["params"] = json.loads(operator.model_dump_json(by_alias=True))
    assert Workflow(whole, task.folder).check() == []
    assert Workflow(whole, task.folder).statements() == Workflow(document, task.folder).statements()


def test_no_header_is_said_by_null_alone():
    operator = OPERATORS["input"]
    assert operator.model_validate({"path": "a.csv"}).has_header
    assert operator.model_validate({"path": "a.csv", "header": "find"}).has_header
    assert not operator.model_validate({"path": "a.csv", "header": None}).has_header
