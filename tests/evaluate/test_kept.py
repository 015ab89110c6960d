"""What a record keeps beside verdicts: what differs, what was left out of calls, what is known of the tasks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from prepsql.compare import compare_policies
from prepsql.errors import ConfigError
from prepsql.evaluate.contender import by_model
from prepsql.evaluate.differences import MOST, differences
from prepsql.evaluate.reports.report import report
from prepsql.evaluate.runner import Plan, run
from prepsql.evaluate.suites import open_suite
from prepsql.evaluate.suites.labels import labels
from prepsql.llm.settings import ModelSettings
from tests.evaluate.conftest import SUITE
from tests.llm.server import Move, Wire, refuse


def asked(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(folder / "record.duckdb"), read_only=True) as con:
        return con.execute(query).fetchall()


def table(folder: Path, text: str, columns: dict[str, str], key: list[str]) -> Path:
    folder.mkdir(parents=True)
    (folder / "output_01.csv").write_text(text)
    config = {"files": {"output_01.csv": {"key": key, "columns": columns}}}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def compared(tmp_path: Path, gold: str, candidate: str) -> list[tuple[Any, ...]]:
    columns = {name: "number" if name == "total" else "text_exact" for name in gold.partition("\n")[0].split(",")}
    one, other = (table(tmp_path / name, text, columns, ["city"]) for name, text in (("g", gold), ("c", candidate)))
    return [
        (d.policy, d.what, d.total, d.column, d.key, d.gold_row, d.candidate_row, d.gold, d.candidate)
        for d in differences(compare_policies(one, other))
    ]


def test_differing_cells_have_both_cells_as_they_stand(tmp_path: Path) -> None:
    assert compared(tmp_path, "city,total\nOslo,30\nRome,30\n", "city,total\nRome,41.0\nOslo,30.0\n") == [
        ("paper", "cell", 1, "total", "city=Rome", 2, 1, "30", "41.0")
    ]


def test_what_only_the_stricter_policy_tells_apart_is_kept_too(tmp_path: Path) -> None:
    assert compared(tmp_path, "city,total\nOslo,30\n", "city,total\nOslo,30.3\n") == [
        ("strict", "cell", 1, "total", "city=Oslo", 1, 1, "30", "30.3")
    ]
    assert compared(tmp_path / "same", "city,total\nOslo,30\n", "city,total\nOslo,30\n") == []


def test_rows_and_columns_that_have_no_partner(tmp_path: Path) -> None:
    assert compared(tmp_path, "city,total\nOslo,1\nRome,2\n", "city,total\nOslo,1\nBonn,2\n") == [
        ("paper", "missing row", 1, None, "city=Rome", 2, None, None, None),
        ("paper", "extra row", 1, None, "city=Bonn", None, 2, None, None),
    ]
    assert compared(tmp_path / "few", "city,total\nOslo,1\n", "city\nOslo\n") == [
        ("paper", "missing column", 1, "total", None, None, None, None, None)
    ]
    twice = compared(tmp_path / "twice", "city,total\nOslo,1\nRome,2\n", "city,total\nRome,2\nRome,2\n")
    assert ("paper", "shared key", 1, None, "city=Rome", None, 1, None, None) in twice


def test_they_are_bounded_in_number_and_length(tmp_path: Path) -> None:
    names = ["city", *(f"c{at}" for at in range(40))]
    lines = [[",".join([city, *[cell] * 40]) for city in "abcdef"] for cell in ("1" * 900, "2" * 900)]
    gold, candidate = ("\n".join([",".join(names), *rows]) + "\n" for rows in lines)
    found = compared(tmp_path, gold, candidate)
    assert len(found) == MOST
    assert {row[2] for row in found} == {6}
    assert found[0][-1] == "2" * 500 + "…"


@pytest.fixture
def scripted(tmp_path: Path) -> Any:
    """Return what runs the suite's task adds_up with code of one's own."""

    def ran(code: str, *names: str, suite: Any = None) -> Path:
        said = {"code": f"```sql\n{code}\n```", "profile": '{"enough": true}'}
        replies = [{"stage": stage, "text": text} for stage, text in said.items()]
        (tmp_path / "replies.yaml").write_text(yaml.safe_dump({"replies": replies}))
        contender = by_model(
            ModelSettings(model=f"script:{tmp_path / 'replies.yaml'}"), "sql", "compiler", "offline", 0
        )
        chosen = suite or open_suite(SUITE).select(("adds_up",))
        run(Plan(chosen, contender=contender, names=names, accept_risk=True), tmp_path / "run")
        return tmp_path / "run"

    return ran


MOST_OF_EACH = "CREATE TABLE output_01 AS SELECT city, max(amount) AS total FROM input_01 GROUP BY city"


def test_a_run_keeps_what_differs_and_what_the_agent_worked_from(scripted: Any, suite_copy: Path) -> None:
    suite = open_suite(suite_copy).select(("adds_up",))
    folder = scripted(MOST_OF_EACH, "direct", suite=suite)
    kept = "SELECT task, setting, repeat, way, number, file, what, key, gold, candidate FROM differences"
    assert asked(folder, kept) == [
        ("adds_up", "direct", 1, "code", 1, "output_01.csv", "cell", "city=Oslo", "30", "20")
    ]
    notes = dict(asked(folder, "SELECT name, text FROM notes"))
    assert notes["request"] == suite.tasks[0].request
    assert "input_01" in notes["profile"]
    (suite_copy / "adds_up" / "output_01.csv").write_text("city,total\nOslo,20\nRome,30\n")
    scripted(MOST_OF_EACH, "direct", suite=suite)
    assert asked(folder, "SELECT result FROM outcomes") == [("correct",)]
    assert asked(folder, "FROM differences") == []


def test_a_translation_keeps_the_code_that_was_given(scripted: Any) -> None:
    folder = scripted("", "translate")
    code = (SUITE / "adds_up" / "solution.sql").read_text()
    assert asked(folder, "SELECT name, text FROM notes WHERE name <> 'workflow'") == [("code", code)]


def test_parameters_that_an_endpoint_refuses_are_kept_and_told(tmp_path: Path, command_line: Any) -> None:
    code = Move(text=f"```sql\n{(SUITE / 'adds_up' / 'solution.sql').read_text()}\n```")
    wire = Wire(lambda call: refuse(400, "no 'temperature' here") if "temperature" in call.body else code)
    try:
        contender = by_model(ModelSettings(base_url=wire.url, model="tiny"), "sql", "compiler", "offline", 0.7)
        suite = open_suite(SUITE).select(("adds_up",))
        run(Plan(suite, contender=contender, names=("codegen-noprofile",), accept_risk=True), tmp_path / "run")
    finally:
        wire.close()
    assert asked(tmp_path / "run", "FROM left_out") == [("tiny", "temperature")]
    exit_code, out, _ = command_line("report", tmp_path / "run")
    assert exit_code == 0
    assert "tiny: its endpoint refuses temperature" in " ".join(out.split())
    assert report([tmp_path / "run"]).figures["left_out"] == [
        {"run": "tiny", "model": "tiny", "parameter": "temperature"}
    ]


def test_a_bundled_task_is_known_by_its_own_file(scripted: Any) -> None:
    folder = scripted("SELECT 1", "codegen-noprofile", suite=open_suite().select(("bike_share",)))
    assert asked(folder, "SELECT steps FROM tasks") == [(11,)]
    assert asked(folder, "SELECT pattern FROM task_patterns ORDER BY ALL") == [("FV",), ("MV",), ("RI",), ("SV",)]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in the release's form: adds_up as case_001, and labels of it."""
    root = tmp_path / "release"
    for case in ("case_001", "case_002"):
        shutil.copytree(SUITE / "adds_up", root / "data" / case)
        gold = root / "src" / "evaluate" / "gt" / case
        gold.mkdir(parents=True)
        for name in ("config.json", "output_01.csv"):
            (root / "data" / case / name).rename(gold / name)
    (root / "results").mkdir()
    (root / "irregularity_labels.csv").write_text("case,patterns\ncase_001,MV|FV\ncase_002,\ncase_009,HI\n")
    (root / "results" / "processing_steps.csv").write_text("id,processing_steps\n001,4\n002,?\n")
    return root


def test_a_release_run_is_reported_by_irregularity(checkout: Path, scripted: Any) -> None:
    solved = (SUITE / "adds_up" / "solution.sql").read_text()
    folder = scripted(solved, "codegen", "codegen-noprofile", suite=open_suite(checkout))
    assert asked(folder, "SELECT task, steps FROM tasks ORDER BY task") == [("case_001", 4), ("case_002", None)]
    assert asked(folder, "FROM task_patterns ORDER BY ALL") == [("case_001", "FV"), ("case_001", "MV")]
    rows = report([folder]).figures["profiling_gain_by_pattern"]
    assert [(row["pattern"], row["tasks"], row["gain"]) for row in rows] == [("FV", 1, 0.0), ("MV", 1, 0.0)]


def test_labels_that_cannot_be_read_are_said(checkout: Path) -> None:
    path = checkout / "irregularity_labels.csv"
    path.write_text("case,patterns\ncase_001,XX\n")
    with pytest.raises(ConfigError, match=r"case_001 has the pattern 'XX' \(patterns: HI, RI, FV, SV, MV\)"):
        open_suite(checkout)
    path.write_text("task;what\n1;2\n")
    with pytest.raises(ConfigError, match=r"no column case, patterns \(has: task;what\)"):
        open_suite(checkout)
    path.unlink()
    assert [task.patterns for task in open_suite(checkout).tasks] == [(), ()]


def test_the_releases_own_labels_are_read(prepbench: Path) -> None:
    known = labels(prepbench)
    suite = open_suite(prepbench)
    assert {task.id for task in suite.tasks if task.patterns} == {task for task in known if known[task].patterns} & {
        task.id for task in suite.tasks
    }
    assert sum(bool(task.patterns) for task in suite.tasks) > 50
    assert all(task.steps for task in suite.tasks)
