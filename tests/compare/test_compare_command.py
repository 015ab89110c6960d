"""The command line: verdict first, exit codes, JSON."""

import json
from functools import partial

import pytest


@pytest.fixture
def run(command_line):
    return partial(command_line, "compare")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "a.csv").write_text("id,v,t\n1,10,x\n2,20,y [bold]\n")
    (tmp_path / "b.csv").write_text("id,v,t\n1,10.0,x\n2,21,y\n")
    return tmp_path / "a.csv", tmp_path / "b.csv"


def test_the_verdict_stands_first(run, files):
    code, out, err = run(*files, "-k", "id")
    assert (code, err) == (1, "")
    assert out.startswith("different under policy paper: VALUE_MISMATCH\n")
    assert "y [bold]" in out
    assert "1 of 2" in out
    assert max(map(len, out.splitlines())) <= 80
    same = "same under policy paper\n\na.csv  same\n  rows: gold 2, candidate 2\n  matched 2, missing 0, extra 0\n"
    assert run(files[0], files[0], "-k", "id") == (0, same, "")


def test_json_holds_the_account(run, files):
    code, out, _ = run(*files, "-k", "id", "--json", "-n", "1", "--policy", "strict")
    found = json.loads(out)
    assert (code, found["policy"], found["files"][0]["columns"][1]["differing"]) == (1, "strict", 1)


def test_what_cannot_be_compared_is_one_line_and_two(run, files, tmp_path):
    for arguments in (
        (tmp_path / "no", files[1]), (files[0], files[1]), (files[0], tmp_path / "no", "-k", "id"),
        (*files, "-k", "id", "-t", "v=text"), (*files, "-k", "id", "--memory-limit", "lots"),
    ):  # fmt: skip
        code, out, err = run(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("prepsql: ")


def test_show_sql_prints_and_compares_nothing(run, files):
    code, out, _ = run(*files, "-k", "id", "--show-sql")
    assert code == 0
    assert "FULL JOIN" in out
    assert "CREATE OR REPLACE MACRO norm_number" in out


def test_a_type_can_be_given_and_options_that_fight_are_refused(run, files):
    assert run(*files, "-k", "id", "-n", "0", "-t", "v=text_exact")[1].count("2 of 2") == 1
    for wrong in (("--show-sql", "--json"), ("-t", "v")):
        code, out, err = run(*files, "-k", "id", *wrong)
        assert (code, out) == (2, "")
        assert "Error: " in err
