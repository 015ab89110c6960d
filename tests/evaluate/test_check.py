"""The bundled tasks are proven, and the proof can fail."""

import json
import shutil
import sys

import pytest

from prepsql.evaluate.check import check_task
from prepsql.evaluate.solve import Solved, solve
from prepsql.evaluate.suites import open_suite
from prepsql.evaluate.task import AMBIGUITY_KINDS, IRREGULARITY_PATTERNS
from prepsql.sandbox import Limits, Status, stage
from prepsql.sandbox.child import sql
from prepsql.sandbox.job import job_folder
from prepsql.workflow import OPERATORS

TASKS = [task.id for task in open_suite().tasks]
# each starts a handful of processes: two are for every day
_SOME = [name if n % 6 == 5 else pytest.param(name, marks=pytest.mark.slow) for n, name in enumerate(TASKS)]


@pytest.mark.parametrize("name", _SOME)
def test_a_bundled_task_is_whole(name):
    assert check_task(open_suite().select((name,)).tasks[0]) == []


def unrun(codes, sets, out, *_, **__):
    """Leave a folder without outputs for each variant."""
    for name in codes:
        (out / name).mkdir()
    return dict.fromkeys(codes, "")


def solve_here(task, way, code, out, terms):
    """Run a task's SQL in this process, its workflow as always, and take gold for what its program gives."""
    if way == "workflow":
        return solve(task, way, code, out, terms)
    if way == "pandas":
        shutil.copytree(task.gold, out, ignore=lambda folder, names: [n for n in names if not n.startswith("output_")])
        return Solved(Status.OK, "", 0)
    limit = sys.getrecursionlimit()
    with job_folder() as job:
        stage(task.inputs, job.inputs)
        try:
            assert sql.run(code, job.root, Limits()).status == Status.OK
        finally:
            sys.setrecursionlimit(limit)
        shutil.copytree(job.out, out)
    return Solved(Status.OK, "", 0)


@pytest.mark.parametrize("name", TASKS)
def test_a_bundled_task_is_whole_but_for_its_program_and_its_variants(name, monkeypatch):
    monkeypatch.setattr("prepsql.evaluate.check.solve", solve_here)
    monkeypatch.setattr("prepsql.evaluate.check.run_several", unrun)
    assert check_task(open_suite().select((name,)).tasks[0]) == []


def test_wrong_gold_is_found_in_this_process(broken, monkeypatch):
    monkeypatch.setattr("prepsql.evaluate.check.solve", solve_here)
    folder, problems = broken
    gold = sorted(folder.glob("output_*.csv"))[0]
    gold.write_text("\n".join(gold.read_text().splitlines()[:-1]) + "\n")
    monkeypatch.setattr("prepsql.evaluate.check.run_several", unrun)
    found = problems()
    assert "the sql solution doesn't reproduce gold" in found
    assert "the workflow solution doesn't reproduce gold" in found


def test_together_they_cover_the_paper():
    tasks = open_suite().tasks
    described = [json.loads((task.folder / "task.json").read_text()) for task in tasks]
    assert {e["pattern"] for d in described for e in d["irregularities"]} == set(IRREGULARITY_PATTERNS)
    assert {entry.kind for task in tasks for entry in task.ambiguities} == set(AMBIGUITY_KINDS)
    assert len({d["domain"] for d in described}) == len(tasks)
    assert all(3 <= d["steps"] <= 12 for d in described)


@pytest.fixture
def broken(tmp_path):
    """A copy of a bundled task, and a function that returns what the check finds wrong with it."""
    folder = shutil.copytree(open_suite().tasks[0].folder, tmp_path / "suite" / "task")

    def problems():
        return " | ".join(check_task(open_suite(tmp_path / "suite").tasks[0]))

    return folder, problems


def edit_kb(folder, **changes):
    path = folder / "amb_kb.json"
    base = json.loads(path.read_text())
    base["ambiguities"] = base["ambiguities"][:1]
    base["ambiguities"][0].update(changes)
    path.write_text(json.dumps(base))


def test_an_idle_ambiguity_is_found(broken):
    folder, problems = broken
    first = (folder / "solution.sql").read_text().splitlines()[0]
    edit_kb(folder, variant={"reading": "the same", "edits": [{"replace": first, "with": f"{first} and more"}]})
    assert "the ambiguity doesn't matter" in problems()


@pytest.mark.slow
def test_a_request_that_settles_its_ambiguity_is_found(broken):
    folder, problems = broken
    stated = json.loads((folder / "amb_kb.json").read_text())["ambiguities"][0]["stated"]
    with (folder / "query.md").open("a") as out:
        out.write(stated)
    assert "already in query.md" in problems()


@pytest.mark.slow
def test_wrong_gold_and_wrong_inputs_are_found(broken):
    folder, problems = broken
    gold = sorted(folder.glob("output_*.csv"))[0]
    lines = gold.read_text().splitlines()
    gold.write_text("\n".join(lines[:-1]) + "\n")
    raw = sorted((folder / "inputs").glob("*"))[0]
    raw.write_bytes(raw.read_bytes() + b"\n")
    found = problems()
    assert "the sql solution doesn't reproduce gold" in found
    assert "the pandas solution doesn't reproduce gold" in found
    assert "the workflow solution doesn't reproduce gold" in found
    assert f"doesn't reproduce inputs/{raw.name}" in found


@pytest.mark.slow
def test_a_workflow_with_problems_is_found_with_all_of_them(broken):
    folder, problems = broken
    path = folder / "workflow.json"
    flow = json.loads(path.read_text())
    first = next(name for name, step in flow["nodes"].items() if step["kind"] == "filter")
    flow["nodes"][first]["params"] = {"predicate": "no_such > 1", "perhaps": True}
    flow["nodes"]["idle"] = {"kind": "input", "params": {"data": [{"x": 1}]}}
    path.write_text(json.dumps(flow))
    found = problems()
    assert "the workflow solution: step 'idle': the step reaches no output" in found
    assert f"the workflow solution: step '{first}', perhaps: no parameter 'perhaps'" in found
    path.unlink()
    assert "no workflow solution" in problems()


def test_the_bundled_workflows_show_every_kind_of_step():
    flows = [json.loads(task.reference["workflow"].read_text())["nodes"] for task in open_suite().tasks]
    kinds = [step["kind"] for nodes in flows for step in nodes.values()]
    assert set(kinds) == set(OPERATORS)
    assert kinds.count("script") == 1
    assert all(8 <= len(nodes) <= 28 for nodes in flows)
