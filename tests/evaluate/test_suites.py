"""Suites are found in both forms, and what isn't one is said plainly."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from prepsql.errors import ConfigError, InputError
from prepsql.evaluate.suites import open_suite


def test_the_bundled_suite_is_trusted_and_whole():
    suite = open_suite("bundled")
    assert len(suite.tasks) == 12
    assert suite.trusted
    for task in suite.tasks:
        assert set(task.reference) == {"sql", "pandas", "workflow"}
        assert task.inputs
        assert task.ambiguities
        assert task.request
        assert task.full_request


def test_a_release_is_read_in_place(prepbench):
    suite = open_suite(prepbench)
    assert suite.ways == ()
    assert not suite.trusted
    assert len(suite.tasks) == len(list((prepbench / "data").glob("case_*")))
    for task in suite.tasks:
        assert (task.gold / "config.json").is_file()
        assert task.gold.parent.name == "gt"
        assert all(entry.source_text or entry.intent or entry.ref for entry in task.ambiguities)


def test_tasks_are_selected_by_pattern(suite):
    assert [task.id for task in suite.select(("adds_*", "sql_only")).tasks] == ["adds_up", "sql_only"]
    with pytest.raises(InputError, match=r"no task matches 'nope'.*adds_up"):
        suite.select(("nope",))


@pytest.mark.parametrize("make", ["missing", "file", "empty"])
def test_what_is_no_suite_is_said(tmp_path, make):
    path = tmp_path / "suite"
    if make == "file":
        path.write_text("x")
    elif make == "empty":
        path.mkdir()
    with pytest.raises(InputError, match="suite"):
        open_suite(path)


def test_a_knowledge_base_of_unknown_kind_names_the_kinds(suite_copy):
    folder = suite_copy / "adds_up"
    (folder / "amb_kb.json").write_text(json.dumps({"ambiguities": [{"id": "1", "kind": "Whim"}]}))
    task = open_suite(suite_copy).select(("adds_up",)).tasks[0]
    with pytest.raises(ConfigError, match=r"'Whim'.*Operation boundary"):
        _ = task.ambiguities


@pytest.mark.parametrize("name", ["query.md", "query_full.md", "amb_kb.json"])
def test_the_digest_follows_requests_that_stand_apart_from_gold(suite_copy, name):
    own = open_suite(suite_copy).select(("adds_up",)).tasks[0]
    gold = Path(shutil.copytree(own.folder, suite_copy / "gold"))
    task = replace(own, gold=gold)
    before = task.digest()
    (task.folder / name).write_text("{}")
    assert task.digest() != before


def test_the_digest_follows_inputs_gold_and_code(suite_copy):
    task = open_suite(suite_copy).select(("adds_up",)).tasks[0]
    seen = {task.digest()}
    for name in ("inputs/input_01.csv", "output_01.csv", "solution.sql", "solution.py", "workflow.json", "config.json"):
        path = suite_copy / "adds_up" / name
        path.write_text(path.read_text() + "\n")
        seen.add(task.digest())
    assert len(seen) == 7
