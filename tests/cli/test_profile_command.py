"""`prepsql profile`: a table, JSON, a page, a text for a model, and the SQL."""

import io
import json
from functools import partial

import duckdb
import pytest

import prepsql
from prepsql.macros import create_sql


@pytest.fixture
def run(command_line):
    return partial(command_line, "profile")


@pytest.fixture
def orders(tmp_path):
    path = tmp_path / "orders.csv"
    path.write_text("id,fee,city\n1,10,Rome\n2,n/a,Oslo\n3,20,Rome\n")
    return path


def test_the_table_comes_by_default_with_zero(run, orders):
    code, out, err = run(orders)
    assert (code, err) == (0, "")
    assert out.startswith("orders: 3 rows, 3 columns\n")
    assert "Columns of orders" in out
    assert max(map(len, out.splitlines())) <= 80


def test_json_has_every_part(run, orders):
    code, out, _ = run(orders, "--json")
    found = json.loads(out)
    assert code == 0
    assert {"findings", "tables", "keys", "dependencies", "joins"} <= set(found)
    assert found["tables"][0]["columns"][1]["null_words"] == [{"value": "n/a", "cells": 1}]


def test_the_prompt_keeps_to_its_length(run, orders):
    assert len(run(orders, "--prompt", "200")[1]) <= 201
    assert "Table orders, 3 rows" in run(orders, "--prompt")[1]


def test_the_page_is_written_whole_or_not_at_all(run, orders, tmp_path, monkeypatch):
    page = tmp_path / "page.html"
    page.write_text("older")
    assert run(orders, "--html", page) == (0, f"{page}\n", "")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    code, _, err = run(orders, "--html", tmp_path / "no" / "page.html")
    assert (code, err.count("\n")) == (2, 1)
    assert "no folder" in err

    def broken(profile):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("prepsql.cli.profile_command.profile_page", broken)
    assert run(orders, "--html", page)[0] == 2
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["orders.csv", "page.html"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--json", "--show-sql"], "--json and --show-sql"),
        (["--prompt", "9", "--html", "x.html"], "--html and --prompt"),
        (["--html", "orders.csv"], ".html"), (["--prompt", "-1"], "-1"), (["--memory-limit", "lots"], "lots"),
    ],
)  # fmt: skip
def test_options_that_cannot_be_are_refused(run, orders, options, said):
    code, out, err = run(orders, *options)
    assert (code, out) == (2, "")
    assert said in err
    assert orders.read_text().startswith("id,")


def test_what_cannot_be_read_is_one_line_and_two(run, tmp_path):
    code, out, err = run(tmp_path / "none.csv")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("prepsql: ")


def test_files_of_one_name_are_told_apart(run, orders, tmp_path):
    (tmp_path / "late").mkdir()
    late = tmp_path / "late" / "Orders.csv"
    late.write_text("day,n\n2024-01-01,5\n")
    code, out, _ = run(orders, late)
    assert code == 0
    assert out.startswith("orders: 3 rows, 3 columns; Orders_2: 1 row, 2 columns\n")


@pytest.mark.parametrize(
    "text",
    [
        "id,fee\n1,10\n2,n/a\n",
        "Fees of 2024\n\nid,fee\n1,10\n2,n/a,,\n\n",
        "Fees of 2024,,\n,,\nid,fee,day\n1,10,2024-01-01\n\n2,n/a,2024-01-02\n",
    ],
)
def test_the_sql_runs_where_the_macros_are(run, tmp_path, text):
    path = tmp_path / "it's 1.csv"
    path.write_text(text)
    code, script, _ = run(path, "--show-sql")
    assert code == 0
    with duckdb.connect() as con:
        for statement in create_sql():
            con.execute(statement).fetchall()
        statements = con.extract_statements(script)
        for statement in statements:
            con.execute(statement).fetchall()
        assert len(statements) > 5
        rows = con.execute("""SELECT count(*) FROM "it's 1" """).fetchall()
    plain = "read_csv" in script
    assert rows == [(2 if plain else 0,)]
    assert plain or "-- the rows of it's 1.csv as prepsql reads them come here" in script


def test_from_python(orders):
    found = prepsql.profile(orders)
    assert isinstance(found, prepsql.Profile)
    assert all(isinstance(finding, prepsql.Finding) for finding in found.findings)
    assert [column.name for column in found.columns] == ["id", "fee", "city"]
    assert found.to_dict()["tables"][0]["rows"] == 3


def test_a_terminal_that_lacks_characters_gets_escapes(run, tmp_path, monkeypatch):
    path = tmp_path / "towns.csv"
    path.write_text("Łódź\nZürich\n", encoding="utf-8")
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    monkeypatch.setattr("sys.stdout", narrow)
    assert run(path)[0] == 0
    narrow.flush()
    assert b"\\u0141" in narrow.buffer.getvalue()
