"""SQL scripts: the contract, and messages that let a script be repaired."""

import functools
import re
import time

import pytest

from prepsql.sandbox import Status, run_code


@pytest.fixture
def run(inside):
    return functools.partial(inside, "sql")


def test_outputs_are_files_in_name_order(inputs, out):
    outcome = run_code(
        "CREATE VIEW output_02 AS SELECT code FROM input_02;\n"
        "CREATE TEMP TABLE paid AS SELECT * FROM input_01 WHERE paid;\n"
        "CREATE OR REPLACE TABLE output_01 AS SELECT id, amount FROM paid",
        inputs,
        out,
    )
    assert (outcome.status, outcome.message, outcome.line, outcome.statement) == (Status.OK, "", None, None)
    assert [path.name for path in outcome.outputs] == ["output_01.csv", "output_02.csv"]
    assert outcome.outputs[0].read_text() == "id,amount\n1,10\n"
    assert (out / "output_02.csv").read_text() == "code\n007\n010\n"


@pytest.mark.parametrize("kind", ["TABLE", "VIEW"])
def test_the_order_of_the_outputs_own_query_reaches_the_file(run, out, kind):
    rows = "SELECT range AS n FROM range(200000)"
    assert run(f"CREATE {kind} output_01 AS {rows} ORDER BY n % 1000 DESC, n").status == Status.OK
    numbers = [int(line) for line in (out / "output_01.csv").read_text().splitlines()[1:]]
    assert numbers == sorted(range(200_000), key=lambda n: (-(n % 1000), n))


def test_typed_and_raw_tables_and_row_numbers_are_at_hand(run, out):
    outcome = run(
        "CREATE TABLE output_01 AS SELECT i.rowid AS row, typeof(i.amount) AS amount, typeof(i.day) AS day, r.amount "
        "AS raw, typeof(r.paid) AS paid FROM input_01 AS i JOIN raw_input_01 AS r ON i.rowid = r.rowid ORDER BY i.rowid"
    )
    assert outcome.status == Status.OK, outcome.message
    lines = (out / "output_01.csv").read_text().splitlines()
    assert lines[1] == "0,BIGINT,DATE,10,VARCHAR"
    assert len(lines) == 4


@pytest.mark.parametrize(
    "query",
    [
        "PIVOT input_02 ON code USING sum(price)",
        "SELECT * FROM (PIVOT input_02 ON code IN ('007') USING sum(price))",
        "UNPIVOT input_02 ON price INTO NAME name VALUE value",
        "FROM input_02",
        "VALUES (1, 'a')",
        "WITH c AS (SELECT 1 AS a) SELECT list_transform([a], lambda x: x + 1) AS l FROM c",
        "SELECT unnest(range(3)) AS n, 'a; -- b' AS \"odd; name\"",
        "SELECT * FROM input_02 QUALIFY row_number() OVER (ORDER BY price DESC) = 1",
        "SELECT 1 AS glob, repeat('x', 2) AS r /* read_csv('a') */",
        "SELECT " + " || ".join(["code"] * 300) + " AS long FROM input_02",
    ],
)
def test_the_dialect_is_whole(run, query):
    outcome = run(f"-- the output\nCREATE TABLE output_01 AS\n{query};\n-- the end")
    assert outcome.status == Status.OK, outcome.message


@pytest.mark.parametrize(
    ("script", "statement", "line", "says"),
    [
        ("CREATE TABLE a AS\nSELECT 1;\n\nCREATE TABLE b AS\nSELECT\n  nope(1);", 2, 6, "nope does not exist"),
        ("\n\nCREATE TABLE a AS SELECT note::INTEGER FROM input_01;", 1, 3, "'a' to INT32.*source column note"),
        ("CREATE TABLE a AS SELECT ammount FROM input_01;", 1, 1, r"input_01 has: id, amount, day, paid, note"),
        ("CREATE TABLE a AS SELECT x FROM input_01 JOIN input_02 USING (id);", 1, 1, "input_02|id"),
        ("CREATE TABLE a AS SELECT * FROM input_03;", 1, 1, "Tables so far: input_01, input_02, "),
        ("CREATE TABLE a AS SELECT id, sum(amount) FROM input_01;", 1, 1, "must appear in the GROUP BY"),
        ("-- ü\nCREATE TABLE a AS SELECT 'ü';\n/* x\n */ CREATE TABLE \"é\" AS SELECT nope('é');", 2, 4, "nope"),
        ("CREATE TABLE a AS SELECT 1;\nSELECT\n2 +;", None, 3, "syntax error"),
        ("CREATE TABLE a AS SELECT error('bad row');", 1, 1, "bad row"),
        ("CREATE TABLE a AS SELECT 1; CREATE TABLE a AS SELECT 2;", 2, 1, "already exists"),
        ("CREATE VIEW output_01 AS SELECT note::INTEGER AS n FROM input_01;", 1, 1, "Could not convert"),
        ("  \n", None, None, "the script is empty"),
    ],
)
def test_a_fault_says_where_and_what(run, out, script, statement, line, says):
    outcome = run(script)
    assert outcome.status == Status.FAILED
    assert (outcome.statement, outcome.line) == (statement, line)
    assert_says(outcome.message, says)
    assert not out.exists()


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        ("nvl(amount, 0)", "coalesce(a, b)"),
        ("initcap(note)", "title_case(s)"),
        ("to_date(note, 'YYYY')", "parse_date(s, formats)"),
        ("TO_CHAR(day, 'YYYY')", "format_date(d, pattern)"),
        ("note.titel_case()", "title_case(s)"),
        ("charindex('a', note)", "strpos"),
        ("isnull(amount, 0)", "coalesce"),
    ],
)
def test_functions_of_other_dialects_are_translated(run, call, hint):
    outcome = run(f"CREATE TABLE output_01 AS SELECT {call} FROM input_01")
    assert outcome.status == Status.FAILED
    assert "does not exist" in outcome.message
    assert hint in outcome.message
    assert "Did you mean" not in outcome.message


def test_macros_of_the_library_are_at_hand_behind_the_walls(inputs, out):
    outcome = run_code(
        "CREATE VIEW told AS SELECT id, Title_Case('sir ' || note) AS name FROM input_01;\n"
        "CREATE TABLE output_01 AS SELECT name.initials() AS name, networkdays(day, DATE '2024-01-08') AS days, "
        "parse_any_date('Sept 1st, 24', parts := 'mdy') AS due FROM told JOIN input_01 USING (id) WHERE id < 3",
        inputs,
        out,
    )
    assert (outcome.status, outcome.message) == (Status.OK, "")
    assert (out / "output_01.csv").read_text() == "name,days,due\nSA,6,2024-09-01\nSB,5,2024-09-01\n"


def test_a_macro_with_wrong_arguments_is_shown_with_its_parameters(run):
    outcome = run("CREATE TABLE output_01 AS SELECT pad_left(id) AS id FROM input_01")
    assert outcome.status == Status.FAILED
    assert_says(outcome.message, "pad_left.*s, width, fill := '0'")


@pytest.mark.parametrize("length", [490, 700, 3000])
def test_long_chains_run_or_are_refused_at_once(run, length):
    start = time.monotonic()
    outcome = run("CREATE TABLE output_01 AS SELECT " + " || ".join(["code"] * length) + " AS long FROM input_02")
    assert time.monotonic() - start < 20
    if length < 500:
        assert outcome.status == Status.OK, outcome.message
    else:
        assert_says(outcome.message, "depth limit of 500 exceeded. Compute parts of it in tables of their own")
        assert "SET" not in outcome.message


def assert_says(message, pattern):
    assert re.search(pattern, message, re.DOTALL), message
