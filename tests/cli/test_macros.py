"""`prepsql macros` lists, searches and shows."""

import json

import duckdb
import pytest
from click.testing import CliRunner

from prepsql.cli.main import cli
from prepsql.macros import library
from prepsql.macros.library import INNER, TOPICS


def macros(*arguments):
    return CliRunner().invoke(cli, ["macros", *arguments])


def test_all_are_listed_by_topic_at_80_columns():
    lines = macros().output.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line and line[0] != " "] == [t for t in TOPICS if t not in INNER]
    named = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(named) == sorted(name for name, macro in library().items() if macro.topic not in INNER)
    assert len(macros("--all").output.splitlines()) > len(lines) + 20


@pytest.mark.parametrize(
    ("words", "first"),
    [(["fiscal"], "fiscal_quarter"), (["INITCAP"], "title_case"), (["week", "iso"], "iso_week_label")],
)
def test_words_are_looked_for_in_name_purpose_and_other_names(words, first):
    done = macros(*words)
    assert done.exit_code == 0
    assert done.output.splitlines()[1].split()[0] == first


def test_a_name_shows_everything():
    done = macros("pad_left", "ordinal")
    assert done.exit_code == 0
    for text in ("pad_left(s, width, fill := '0')", "Nulls: null stays null.", "pad_left(7, 3)", "→ '007'", "str.zfill",
                 "CREATE OR REPLACE MACRO pad_left(s, width, fill := '0') AS (", "ordinal(n)"):  # fmt: skip
        assert text in done.output


def test_another_tools_name_is_answered_though_no_macro_does_it():
    done = macros("nvl")
    assert (done.exit_code, done.stdout) == (0, "nvl is written coalesce(a, b)\n")


@pytest.mark.parametrize(
    ("asked", "near"),
    [("titel_case", "; the nearest is title_case(s)"), ("quater", "; the nearest is quarter"), ("qqqq", "")],
)
def test_nothing_found_names_the_nearest(asked, near):
    done = macros(asked)
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", f"no macro has '{asked}'{near}\n")


def test_json_has_all_fields():
    (found,) = json.loads(macros("clamp", "--json").stdout)
    assert list(found) == ["name", "topic", "signature", "purpose", "nulls", "also", "examples", "sql"]
    assert found["examples"][0] == {"call": "clamp(12, 0, 10)", "result": "10"}
    assert json.loads(macros("qqqq", "--json").stdout) == []


def test_the_printed_script_makes_them_in_any_duckdb():
    with duckdb.connect() as con:
        con.execute(macros("isbn_13", "--create").stdout)
        assert con.execute("SELECT isbn_13('0-306-40615-2')").fetchone() == ("9780306406157",)
        con.execute(macros("--create").stdout)
        assert con.execute(
            "SELECT count(DISTINCT function_name) FROM duckdb_functions() WHERE NOT internal"
        ).fetchone() == (len(library()),)
