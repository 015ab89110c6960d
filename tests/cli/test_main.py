"""The command line explains every failure in one line, and keeps standard output for data."""

import json
import subprocess
import sys

import pytest

from prepsql.evaluate.suites import open_suite


def prepsql(*arguments, **more):
    command = [sys.executable, "-m", "prepsql.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **more)


BAD = {
    "missing suite": ("eval", "--suite", "nowhere"),
    "suite without tasks": ("eval", "--suite", "empty"),
    "unknown task": ("eval", "--task", "nope"),
    "out is a file": ("eval", "--out", "file.csv"),
    "out holds other things": ("eval", "--out", "other"),
    "missing root": ("score", "nowhere"),
    "root without tables": ("score", "empty"),
    "root is a file": ("score", "file.csv"),
    "missing gold": ("compare", "nowhere", "empty"),
    "gold without config": ("compare", "empty", "empty"),
    "unreadable config": ("compare", "broken", "empty"),
    "folder against file": ("compare", "empty", "file.csv", "-k", "a"),
    "no key": ("compare", "file.csv", "file.csv"),
    "empty file": ("compare", "nothing.csv", "file.csv", "-k", "a"),
    "key not there": ("compare", "file.csv", "file.csv", "-k", "z"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bad")
    (folder / "empty").mkdir()
    (folder / "other").mkdir()
    (folder / "other" / "notes.txt").write_text("mine")
    (folder / "broken").mkdir()
    (folder / "broken" / "config.json").write_text('{"files": ')
    (folder / "file.csv").write_text("a,b\n1,2\n")
    (folder / "nothing.csv").write_text("")
    return folder


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_leaves_nothing(folder, name, command_line, monkeypatch):
    before = {p: p.stat().st_mtime_ns for p in folder.rglob("*")}
    monkeypatch.chdir(folder)
    code, out, err = command_line(*BAD[name])
    assert code == 2, err
    assert out == ""
    assert len(err.splitlines()) == 1, err
    assert err.startswith("prepsql: ")
    assert "unexpected" not in err
    assert {p: p.stat().st_mtime_ns for p in folder.rglob("*")} == before


def test_wrong_usage_is_code_2():
    assert prepsql("eval", "--engine", "abacus").returncode == 2
    assert prepsql("dance").returncode == 2


def test_debug_shows_the_traceback(folder):
    assert "Traceback" in prepsql("--debug", "eval", "--suite", "nowhere", cwd=folder).stderr


def test_a_verdict_table_fits_80_columns_and_json_is_pure(tmp_path):
    task = open_suite().tasks[0].id
    table = prepsql("eval", "--engine", "duckdb", "--task", task, "--out", tmp_path / "run")
    assert table.returncode == 0, table.stdout + table.stderr
    assert table.stderr == ""
    assert max(map(len, table.stdout.splitlines())) <= 80
    assert "paper" in table.stdout
    assert "strict" in table.stdout
    data = json.loads(prepsql("eval", "--task", task, "--out", tmp_path / "run", "--json").stdout)
    assert data["accuracy"] == {"paper": {"passed": 3, "judged": 3}, "strict": {"passed": 3, "judged": 3}}
    assert {(v["task"], v["way"], v["result"]) for v in data["verdicts"]} == {
        (task, "sql", "correct"),
        (task, "pandas", "correct"),
        (task, "workflow", "correct"),
    }


def test_starting_a_command_loads_no_pandas_and_no_other_room():
    code = (
        "import sys, prepsql.cli.main; print([m for m in ('pandas', 'pyarrow', 'duckdb', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
