"""Two files of any format: what their columns are, what overrules it, and what is said of a name that isn't there."""

import os

import pytest

from prepsql.compare import compare, compare_policies, compare_sql
from prepsql.errors import InputError


@pytest.fixture
def columns(tmp_path, work):
    """Compare columns of cells, given by name for gold and candidate; return type and differing cells of each."""

    def found(gold, candidate, **more):
        paths = []
        for side, cells in (("gold", gold), ("candidate", candidate)):
            names = ["id", *cells]
            rows = zip(*[[str(i) for i in range(len(next(iter(cells.values()))))], *cells.values()], strict=True)
            path = tmp_path / f"{side}.psv"
            path.write_text("\n".join("|".join(row) for row in [names, *rows]) + "\n")
            paths.append(path)
        comparison = compare_policies(*paths, ("strict",), "id", con=work, **more)["strict"]
        return {c.name: (c.type, c.differing) for c in comparison.files[0].columns}

    return found


@pytest.mark.parametrize(
    ("gold", "candidate", "type_", "differing"),
    [
        (["1.0", "NA", " n/a ", "None"], ["1", "", "nan", "NULL"], "number", 0),
        (["1.0", "2", "x", ""], ["1", "2", "x", "NA"], "text_exact", 1),
        (["2024-01-05", "na", "", ""], ["2024-01-06", "n/a", "NULL", ""], "date", 1),
        (
            ["2020-01-01T10:00:00", "2020-01-01 10:00:00.5", "2020-01-01 10:00", "n/a"],
            ["2020-01-01 10:00:00", "2020-01-01 10:00:00.500", "2020-01-01T10:00:01", ""],
            "timestamp",
            1,
        ),
        (
            ["2020-01-01T10:00:00Z", "2020-01-01T10:00Z", "", ""],
            ["2020-01-01 10:00:00.000", "2020-01-01 10:00", "", ""],
            "timestamp",
            0,
        ),
        (
            ["2020-01-01T10:00:00Z", "2020-01-01T10:00", "", ""],
            ["2020-01-01 10:00:00Z"] * 2 + [""] * 2,
            "text_exact",
            2,
        ),
        (["2024-01-05", "none", "", ""], ["2024-01-06", "n/a", "NULL", "nan"], "text_exact", 1),
        (["$1,000", "12 %", "$-3.50", "-$2"], ["1000", "12", "-3.5", "$ -2.0"], "number", 0),
        (["1,00", "12", "3", "4"], ["100", "12", "3", "4"], "text_exact", 1),
        (["007", "12", "3", "4"], ["7", "12", "3", "4"], "text_exact", 1),
        (["$007", "12", "3", "4"], ["$7", "12", "3", "4"], "text_exact", 1),
        (["1e3", "12", "3", "4"], ["1000", "12", "3", "4"], "number", 0),
        (["1e3", "12", "3", "4"], ["1E3", "12", "3", "4"], "text_exact", 1),
        (["1e3", "12", "3", "4"], ["1000", "12", "3", "x"], "text_exact", 2),
        (["1234567890123456", "x12", "3", "4"], ["1234567890123457", "x12", "3", "4"], "text_exact", 1),
        (["5.50", "6", "7", "8"], ["", "na", "", ""], "number", 4),
        (["", "", "", "x"], ["na", "", "", "x"], "text_exact", 0),
        (["2024-01-05", "", "", ""], ["5.5", "", "", ""], "text_exact", 1),
    ],
)
def test_what_a_column_is(columns, gold, candidate, type_, differing):
    assert columns({"v": gold}, {"v": candidate})["v"] == (type_, differing)


def test_a_column_that_never_differs_has_no_type_and_a_given_type_stands(columns):
    cells = {"same": ["x1", "2"], "zip": ["01220", "5"], "n": ["1", "2"]}
    other = {"same": ["x1", "2"], "zip": ["1220", "5"], "n": ["1.0", "2"]}
    assert columns(cells, other) == {
        "id": ("number", 0), "same": (None, 0), "zip": ("text_exact", 1), "n": ("number", 0),
    }  # fmt: skip
    given = columns(cells, other, types={"zip": "number", "n": "text_exact", "same": "text_norm"})
    assert given == {"id": ("number", 0), "same": ("text_norm", 0), "zip": ("number", 0), "n": ("text_exact", 1)}


def test_nulls_of_json_are_null(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": 1, "v": "$5"}\n{"id": 2, "v": null}\n')
    (tmp_path / "b.csv").write_text("id,v\n1,5.0\n2,n/a\n")
    found = compare(tmp_path / "a.jsonl", tmp_path / "b.csv", "strict", "id")
    assert (found.passed, found.files[0].columns[1].type) == (True, "number")


def test_names_that_are_not_there_are_explained(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,order no,v\n1,2,3\n")
    for key, said in (
        (["ID"], r"no column 'ID' for the key; did you mean 'id'\? \(has: id, order no, v\)"),
        ("id,order no", r"-k id -k 'order no' \(in Python key=\['id', 'order no'\]\)"),
        (None, r"-k COLUMN \(in Python key=\['COLUMN'\]\)"),
    ):
        with pytest.raises(InputError, match=said):
            compare(path, path, key=key)
    for types, said in (({"w": "number"}, "no column 'w'.*has: id"), ({"v": "numbr"}, "did you mean 'number'.*date")):
        with pytest.raises(InputError, match=said):
            compare(path, path, key="id", types=types)
    with pytest.raises(InputError, match="types stand in its config"):
        compare(tmp_path, tmp_path, types={"v": "number"})


def test_what_is_not_there_or_no_regular_file_is_named(folders, tmp_path):
    gold, candidate = folders(["k"], {"k": "number"}, [["k"], ["1"]], [["k"], ["1"]])
    file, pipe = gold / "output_01.csv", tmp_path / "pipe"
    os.mkfifo(pipe)
    for paths, key, said in (
        ((gold, tmp_path / "no"), None, "no: no such folder; name the one that holds"),
        ((file, tmp_path / "no"), "k", "no: no such file"),
        ((file, pipe), "k", "pipe: not a regular file"),
        ((pipe, file), "k", "pipe: not a regular file"),
        ((gold, pipe), None, "pipe: not a regular file"),
        ((file, candidate), "k", "a folder, but gold is a file"),
    ):
        with pytest.raises(InputError, match=said):
            compare(*paths, key=key)
        with pytest.raises(InputError, match=said):
            compare_sql(*paths, key=key)
    (candidate / "output_01.csv").unlink()
    assert compare(gold, candidate).error_type == "FILE_COUNT_MISMATCH"


@pytest.mark.parametrize("limit", ["lots", "1KB", "4", "-1GB", "63MB", "4 PB"])
def test_a_memory_limit_is_checked_before_any_work(tmp_path, limit):
    (tmp_path / "a.csv").write_text("id\n1\n")
    with pytest.raises(InputError, match="memory limit") as wrong:
        compare(tmp_path / "a.csv", tmp_path / "a.csv", key="id", memory_limit=limit)
    assert "\n" not in str(wrong.value)
    assert compare(tmp_path / "a.csv", tmp_path / "a.csv", key="id", memory_limit=" 64 MiB").passed


def test_the_sql_of_a_file_says_how_it_is_loaded(tmp_path, work):
    import duckdb

    (tmp_path / "a.csv").write_text("id;v\n1;2\n")
    (tmp_path / "b.jsonl").write_text('{"id": 1, "v": "3"}\n')
    script = compare_sql(tmp_path / "a.csv", tmp_path / "b.jsonl", key="id")
    assert "make table candidate" in script
    assert "it is json" in script.lower()
    assert "Not in this script: policy paper" in script
    assert script.count("read_csv(") == 1
    delimited = compare_sql(tmp_path / "a.csv", tmp_path / "a.csv", "strict", "id")
    assert "Not in this script" not in delimited
    with duckdb.connect() as con:
        *_, last = [con.execute(one).fetchall() for one in duckdb.extract_statements(delimited)]
    assert last == []
    assert "policy published now" in compare_sql(tmp_path / "a.csv", tmp_path / "a.csv", "published", "id")
