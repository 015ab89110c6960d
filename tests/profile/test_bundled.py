import json

import pytest

from prepsql import profile
from prepsql.resources import tasks_dir

TASKS = sorted(path.parent for path in tasks_dir().glob("*/task.json"))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_irregularity_that_a_task_names_is_found_where_it_is(task):
    findings = profile(sorted((task / "inputs").iterdir())).findings
    for named in json.loads((task / "task.json").read_text(encoding="utf-8"))["irregularities"]:
        # findings about rows are of no column
        columns = {None, named["column"]} if named["pattern"] in ("HI", "RI") else {named["column"]}
        there = [
            finding
            for finding in findings
            if finding.pattern == named["pattern"]
            and named["table"] in finding.tables
            and (named["column"] is None or finding.column in columns)
        ]
        assert there, named
