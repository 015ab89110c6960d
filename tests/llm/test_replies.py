"""Code and JSON come out of whatever a model writes around them, or a message says what to write instead."""

import json
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepsql.errors import NoCode, NoJson, ReplyError
from prepsql.llm import code_of, json_of

CTES = """WITH a AS (
  SELECT 1 AS WITHIN
), "b c" AS (
  SELECT WITHIN FROM a
)
SELECT * FROM "b c";"""
SCRIPT = "CREATE TEMP TABLE x AS\n  FROM input_01;\n\nCREATE TABLE output_01 AS\n" + CTES
PROGRAM = """import pandas as pd


def solve(tables):
    df = tables["input_01"]

    return {"output_01": df[df["a"] > 1]}"""

SQL = {
    "bare": (SCRIPT, SCRIPT),
    "bare with a comment above": ("-- the totals\n" + SCRIPT, SCRIPT),
    "fence": (f"Sure:\n\n```sql\n{SCRIPT}\n```\nThis counts.", SCRIPT),
    "fence without a label": (f"```\n{SCRIPT}\n```", SCRIPT),
    "another database's name": (f"```DuckDB\n{SCRIPT}\n```", SCRIPT),
    "tildes": (f"~~~sql\n{SCRIPT}\n~~~", SCRIPT),
    "four marks around three": (f"````sql\n{SCRIPT}\n-- ```\n-- x\n````", SCRIPT + "\n-- ```\n-- x"),
    "Windows line ends": (f"```sql\n{SCRIPT}\n```".replace("\n", "\r\n"), SCRIPT),
    "in a list": ("1. So:\n   ```sql\n   SELECT 1\n     AS a\n   ```", "SELECT 1\n  AS a"),
    "end on the last line": ("```sql\nSELECT 1```\nThat's it.", "SELECT 1"),
    "all on one line": ("Use ```sql SELECT 1``` or:\n```sql SELECT 2```", "SELECT 2"),
    "info behind the label": ("```sql title=a.sql\nSELECT 1\n```", "SELECT 1"),
    "two fences, the last": ("First:\n```sql\nSELECT 1\n```\nBetter:\n```sql\nSELECT 2\n```", "SELECT 2"),
    "sample rows behind": ("```sql\nSELECT 1\n```\ngives\n```\na,b\n1,2\n```", "SELECT 1"),
    "rows without code's label": ("```\na,b\n1,2\n```\nso\n```\nSELECT 1\n```\nand\n```\nc,d\n```", "SELECT 1"),
    "a program beside it": ("```python\nprint(1)\n```\n```sql\nSELECT 1\n```\n```py\nprint(2)\n```", "SELECT 1"),
    "the last is cut, an earlier one isn't": ("```sql\nSELECT 1\n```\n```sql\nSELECT 2 FROM", "SELECT 1"),
    "the only one has no end": ("```sql\nSELECT 1\nFROM t", "SELECT 1\nFROM t"),
    "an empty one": ("```sql\nSELECT 1\n```\n```sql\n\n```", "SELECT 1"),
    "thoughts before": ("<think>\n```sql\nSELECT 0\n```\nno</think>\nFROM a", "FROM a"),
    "WITH of several CTEs, bare": (CTES, CTES),
    "prose around, bare": (f"Here is the SQL.\n\n{SCRIPT}\n\nFrom there you can go on.", SCRIPT),
    "a query, bare": ("SELECT a AS WITHIN FROM t", "SELECT a AS WITHIN FROM t"),
    "FROM first, bare": ("FROM t SELECT a", "FROM t SELECT a"),
    "two statements, the last without a semicolon": (SCRIPT + "\nFROM a", SCRIPT + "\nFROM a"),
    "a query around a WITH, bare": ("SELECT *\nFROM (\n  WITH a AS (SELECT 1)\n  FROM a\n)", None),
    "no semicolon before the prose": ("CREATE TABLE a AS\nFROM t\n\nThis copies t.", "CREATE TABLE a AS\nFROM t"),
    "a query and prose": ("So:\n\nSELECT a\nFROM t\n\nThis selects a.", "SELECT a\nFROM t"),
    "prose that begins like SQL": ("With these tables:\n\nSELECT a FROM t;", "SELECT a FROM t;"),
    "broken, but surely SQL": ("CREATE TABLE o AS SELECT 1,, FORM t", "CREATE TABLE o AS SELECT 1,, FORM t"),
    "broken, in a fence": ("```sql\nSELEC a,, FROM\n```", "SELEC a,, FROM"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "code"), SQL.values(), ids=SQL)
def test_sql_of_a_reply(text, code):
    assert code_of(text, "sql") == (text if code is None else code)


PANDAS = {
    "bare": (PROGRAM, PROGRAM),
    "fence": (f"Sure:\n```python\n{PROGRAM}\n```\nIt filters.", PROGRAM),
    "short label": (f"```py\n{PROGRAM}\n```", PROGRAM),
    "without a label": (f"```\n{PROGRAM}\n```", PROGRAM),
    "prose around, bare": (f"Here is it:\n\n{PROGRAM}\n\nIt filters the rows.", PROGRAM),
    "SQL beside it": (f"```sql\nSELECT 1\n```\n```python\n{PROGRAM}\n```", PROGRAM),
    "rows behind": (f"```python\n{PROGRAM}\n```\n```\na,b\n```", PROGRAM),
    "broken, but surely a program": ("def solve(tables):\n    return (", "def solve(tables):\n    return ("),
    "assignments only": ("x = 1\ny = x + 1", "x = 1\ny = x + 1"),
    "fence in a text of it": (
        '```python\ndef solve(t):\n    s = "```"\n    return t\n```',
        'def solve(t):\n    s = "```"\n    return t',
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "code"), PANDAS.values(), ids=PANDAS)
def test_pandas_of_a_reply(text, code):
    assert code_of(text, "pandas") == code


PROSE = [
    "", "  \n", "I need to know which column holds the date.", "Select the columns that are needed, then sum them.",
    "With the tables given, I would first join them.", "From the tables I see that dates vary; which is right?",
    "Create a table of totals by month as described.", "Create table output as a join of both inputs.",
    "```\nid,name\n1,a\n```", "```json\n{}\n```", "1. join\n2. sum",
]  # fmt: skip


@pytest.mark.parametrize("language", ["sql", "pandas"])
@pytest.mark.parametrize("text", PROSE)
def test_prose_is_asked_again(text, language):
    with pytest.raises(NoCode, match="Answer with the whole code in one block that begins with ```") as wrong:
        code_of(text, language)
    assert isinstance(wrong.value, ReplyError)


def test_what_is_there_instead_is_named():
    with pytest.raises(NoCode, match=r"no block of SQL, only of json, python\. .*```sql and ends"):
        code_of("```python\nx = 1\n```\n```json\n{}\n```", "sql")
    with pytest.raises(NoCode, match=r"block doesn't look like Python\. .*```python and ends"):
        code_of("```\nSELECT 1\n```", "pandas")
    with pytest.raises(NoCode, match=r"The reply is empty\."):
        code_of(" ", "sql")


WANTED = {"steps": [{"kind": "filter", "where": "a > 1"}]}
JSON = {
    "bare": '{"steps": [{"kind": "filter", "where": "a > 1"}]}',
    "fence": '```json\n{"steps": [{"kind": "filter", "where": "a > 1"}]}\n```',
    "fence without a label, prose": 'Sure!\n```\n{"steps": [{"kind": "filter", "where": "a > 1"}]}\n```\nDone.',
    "braces in prose": 'The set {a, b} or {x}: {"steps": [{"kind": "filter", "where": "a > 1"}]} (see {y}, [1])',
    "a brace that stays open": 'In { we trust. {"steps": [{"kind": "filter", "where": "a > 1"}]}',
    "trailing commas": '{"steps": [{"kind": "filter", "where": "a > 1",},],}',
    "comments": '{ // the flow\n"steps": [ /* one */ {"kind": "filter", // kept\n "where": "a > 1"}]}',
    "single quotes": "{'steps': [{'kind': 'filter', 'where': 'a > 1'}]}",
    "bare keys": '{steps: [{kind: "filter", where: "a > 1"}]}',
    "thoughts before": '<think>{"steps": []}</think>{"steps": [{"kind": "filter", "where": "a > 1"}]}',
    "a draft before": '{"steps": [{"kind": "filter", "where": "a > 0"}]}\nor rather\n'
    '{"steps": [{"kind": "filter", "where": "a > 1"}]}',
    "footnotes": '{"steps": [{"kind": "filter", "where": "a > 1"}]}\n[1] {} [2]',
}


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_json_of_a_reply(text):
    assert json_of(text) == WANTED


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "// no comment, }"}', {"a": "// no comment, }"}),
        ('{"a": "x /* y */,]"}', {"a": "x /* y */,]"}),
        ('{"sql": "SELECT 1\nFROM t"}', {"sql": "SELECT 1\nFROM t"}),
        (r'{"re": "\d+\.", "q": "\"", "u": "\u00e9\ud83d\ude00",}', {"re": r"\d+\.", "q": '"', "u": "é😀"}),
        ('{"code": "```sql\nSELECT 1\n```"}', {"code": "```sql\nSELECT 1\n```"}),
        ("{'a': True, 'b': None, 'c': -1.5e3, 'd': \"it's\",}", {"a": True, "b": None, "c": -1500.0, "d": "it's"}),
        ("[1, 2]", [1, 2]),
        ('"stop"', "stop"),
        ("null", None),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ("x {} y", {}),
        ('{"n": 12345678901234567890}', {"n": 12345678901234567890}),
    ],
)
def test_odd_values(text, value):
    assert json_of(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "The reply is empty."),
        ("I can't say.", "The reply holds no JSON."),
        (
            '{"steps": [\n{"kind": "filter", "where"',
            "line 2, column 27: ':' is missing behind the key 'where': the text ends.",
        ),
        ('{"steps": [\n{"kind": "filter"}', "line 2, column 19: ',' or ']' is missing: the text ends."),
        ('{"steps": [1, 2', "line 1, column 16: ',' or ']' is missing: the text ends."),
        ('{"a": "never closed', "line 1, column 7: a text isn't closed: the text ends."),
        ('{"a": [1, 2], "b": tr', "line 1, column 20: a value is missing before 'tr': the text ends."),
        ('{"a": [1, 2] /* and', "line 1, column 14: ',' or '}' is missing: the text ends."),
        ('{"a": nope}', "line 1, column 7: a value is missing before 'nope}'."),
        ('{"a" 1}', "line 1, column 6: ':' is missing behind the key 'a'."),
        ('{"a": NaN}', "a value is missing before 'NaN}'."),
        ('{"a": 1e999}', "a number that is too large"),
        ('{"a": ' + "9" * 5000 + "}", "a number of more than 4000 characters"),
        ('{"a": 1 "b": 2}', "line 1, column 9: ',' or '}' is missing."),
    ],
)
def test_what_is_no_json_is_said_with_its_place(text, words):
    with pytest.raises(NoJson) as wrong:
        json_of(text)
    assert words in str(wrong.value)
    assert str(wrong.value).endswith("Answer with one JSON value and nothing else.")


SCHEMA = {
    "type": "object",
    "properties": {"steps": {"type": "array", "items": {"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "filter"}, "where": {"type": "string"}},
         "required": ["kind", "where"]},
        {"type": "object", "properties": {"kind": {"const": "sort"}, "by": {"type": "array"}},
         "required": ["kind", "by"]},
    ]}}},
    "required": ["steps"],
}  # fmt: skip


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_json_that_fits(text):
    assert json_of(text, SCHEMA) == WANTED


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "The JSON isn't as it should be: $: 'steps' is a required property. Answer with"),
        ('{"steps": 3}', "$.steps: 3 is not of type 'array'"),
        ('{"steps": [{"kind": "filter"}]}', "$.steps[0]: 'where' is a required property"),
        ('{"steps": [{"kind": "sort", "by": 1}]}', "$.steps[0].by: 1 is not of type 'array'"),
        ('{"steps": [{"kind": "sum"}]}', "$.steps[0].kind: 'sum' is none of 'filter', 'sort'"),
        (
            '{"steps": []} or rather {"steps": [{"kind": "sort", "by": [',
            "the last value isn't whole: a value is missing",
        ),
        ('{"steps": [' + "1," * 30 + "]}", "; and 25 more."),
        ('"stop"', "$: 'stop' is not of type 'object'"),
        ('{"steps": "' + "x" * 5000 + '"}', "$.steps: 'xxx"),
    ],
)
def test_what_does_not_fit_is_said_with_its_place(text, words):
    with pytest.raises(NoJson) as wrong:
        json_of(text, SCHEMA)
    assert words in str(wrong.value)
    assert len(str(wrong.value)) < 1500


def test_of_several_values_it_is_the_last_that_fits():
    found = json_of('Given {"steps": 3} I answer {"steps": []} as in {"other": [1, 2, 3]}.', SCHEMA)
    assert found == {"steps": []}


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.text(max_size=8)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)
CONTAINERS = st.lists(VALUES, max_size=3) | st.dictionaries(st.text(max_size=5), VALUES, max_size=3)
AROUND = st.text(st.characters(exclude_characters="{}[]<"), max_size=20)


@given(CONTAINERS, AROUND, AROUND, st.sampled_from([None, 1]), st.booleans())
def test_any_value_is_found_in_any_prose(value, before, after, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert json_of(before + text + after) == value
    assert json_of(f"{before}\n```json\n{text}\n```\n{after}") == value


@given(CONTAINERS, st.randoms(use_true_random=False))
def test_any_value_is_found_under_comments_and_trailing_commas(value, chance):
    def loose(what):
        between = chance.choice(["", " ", "\n", "// {\n", '/* ] " */'])
        if isinstance(what, dict):
            parts = [f"{json.dumps(k)}{between}:{loose(v)}" for k, v in what.items()]
        elif isinstance(what, list):
            parts = [loose(v) for v in what]
        else:
            return between + json.dumps(what) + between
        marks = "{}" if isinstance(what, dict) else "[]"
        last = "," if parts and chance.random() < 0.5 else ""
        return marks[0] + between + ",".join(parts) + last + between + marks[1]

    assert json_of(loose(value)) == value


@given(CONTAINERS, st.data())
def test_a_value_that_is_cut_is_never_made_up(value, data):
    text = "Here: " + json.dumps({"a": value, "b": True, "c": 1.5})
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    with pytest.raises(NoJson):
        json_of(cut)


@given(st.text() | st.text("{}[]\"',:/*`~ \n1atSELECTdf"))
def test_no_text_breaks_it(text):
    for read in (json_of, lambda t: code_of(t, "sql"), lambda t: code_of(t, "pandas")):
        try:
            read(text)
        except ReplyError as wrong:
            assert str(wrong)  # noqa: PT017


LINES = st.lists(st.text(st.characters(exclude_characters="`~\r\n\x85\u2028\u2029\x0b\x0c\x1c\x1d\x1e")), min_size=1)


@given(
    LINES.filter(lambda lines: any(line.strip() for line in lines)),
    AROUND.filter(lambda t: "`" not in t and "~" not in t),
)
def test_any_code_in_a_fence_comes_out_as_it_is(lines, prose):
    code = "\n".join(lines)
    for language, label in (("sql", "sql"), ("pandas", "python")):
        found = code_of(f"{prose}\n```{label}\n{code}\n```\n{prose}", language)
        assert found == code.strip("\n").rstrip()


@pytest.mark.parametrize(
    "text",
    ["[" * 60_000, '{"a":' * 20_000, "[1," * 30_000, '["x", ' * 20_000, "```sql\n" * 20_000, "`" * 60_000,
     "SELECT a\n" * 5_000, "<think>" * 10_000, '"' * 60_000, "/*" * 30_000, "{//" * 20_000, "x = (\n\n" * 3_000],
    ids=lambda text: text[:6],
)  # fmt: skip
def test_hostile_texts_take_no_long_time(text):
    began = time.process_time()
    for read in (json_of, lambda t: code_of(t, "sql"), lambda t: code_of(t, "pandas")):
        with suppress(ReplyError):
            read(text)
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", [r'{"a": ["\ud83d\ude00 \ud83d"]}', r'So: {"a": ["\ud83d\ude00 \ud83d"],}'])
def test_half_a_character_is_replaced(text):
    assert json_of(text) == {"a": ["😀 �"]}
