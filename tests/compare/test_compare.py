"""Verdict and account of folders and files."""

import csv
import json

import pytest

from prepsql.compare import compare, compare_policies, compare_sql
from prepsql.compare.reading import header_names
from prepsql.errors import ConfigError, InputError

TYPES = {"id": "number", "name": "text_exact", "note": "text_norm", "day": "date", "x": "number"}
GOLD = [["1", "Ann", "A  b", "2024-01-05", "1.5"], ["2", "Bo", "", "2024-02-01", "-3"], ["30", "Cy", "z", "x", "0"]]


def test_the_account_names_every_difference(judge):
    candidate = [["1", "ann", "a B", "5/1/2024", "1.6"], ["30", '"Cy"', "z", "x", "0.0"], ["4", "Di", "", "", "1"]]
    found = judge(["id"], TYPES, GOLD, candidate, "strict")
    (file,) = found.files
    assert (found.error_type, found.reason) == ("KEY_MISMATCH", "missing_key")
    assert (file.gold_rows, file.candidate_rows, file.matched, file.missing, file.extra) == (3, 3, 2, 1, 1)
    assert file.missing_examples[0].key == {"id": "2"}
    assert file.extra_examples[0].key == {"id": "4"}
    differing = {column.name: column.differing for column in file.columns}
    assert differing == {"id": 0, "name": 1, "note": 0, "day": 0, "x": 1}
    x = file.columns[4]
    assert x.largest_error == pytest.approx(0.1 / 1.6)
    (example,) = x.examples
    assert (example.key, example.gold_row, example.candidate_row) == ({"id": "1"}, 1, 1)
    assert (example.gold, example.candidate, example.gold_value) == ("1.5", "1.6", "1.5")
    assert json.loads(json.dumps(found.to_dict()))["files"][0]["missing"] == 1


def test_row_order_column_order_and_encoding_change_nothing(folders, work):
    rows = [["é", "1", "ü"], ["b", "2", ""], ["c", "3", "ö"]]
    columns = {"k": "text_exact", "n": "number", "t": "text_exact"}
    gold, candidate = folders(["k"], columns, [list(columns), *rows], [[]])
    text = "\n".join(",".join([row[2], row[0], row[1]]) for row in [list(columns), *rows[::-1]])
    for encoding in ("utf-8", "utf-8-sig", "latin-1"):
        (candidate / "output_01.csv").write_text(text, encoding=encoding)
        assert all(c.passed for c in compare_policies(gold, candidate, con=work).values()), encoding


def test_odd_names_and_five_hundred_columns(judge):
    names = ["k", 'a "q"', "a,b", "A", "a", "é\n", "", "select", *(f"c{i}" for i in range(500))]
    columns = {name: "number" if i % 2 else "text_exact" for i, name in enumerate(names) if name}
    row = [str(i) for i in range(len(columns))]
    other = [*row[:-1], "changed"]
    assert judge(["k"], columns, [row], [row])["strict"] == ("", "")
    found = judge(["k"], columns, [row], [other], "strict").files[0]
    assert [column.name for column in found.columns if column.differing] == ["c499"]


def test_a_tolerance_holds_for_its_column_and_under_strict_alone(judge):
    columns, gold, given = {"k": "text_exact", "a": "number", "b": "number"}, [["x", "1", "1"]], [["x", "1.1", "1.1"]]
    found = judge(["k"], columns, gold, given, "strict", tolerance={"a": 0.2}).files[0]
    assert [column.name for column in found.columns if column.differing] == ["b"]
    found = judge(["k"], columns, gold, [["x", "1.001", "1"]], "strict", tolerance={"a": 0}).files[0]
    assert [column.name for column in found.columns if column.differing] == ["a"]


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ([["K", "v"], ["a", "1"]], "MISSING_COLUMNS"),
        ([["k"], ["a"]], "MISSING_COLUMNS"),
        ([["k", "v"]], "ROW_COUNT_MISMATCH"),
        ([["k", "v"], ["a", "1.03"]], "VALUE_MISMATCH"),
        ([["k", "v"], ["a", ""]], "VALUE_MISMATCH"),
        ([["k", "v", "more"], ["a", "1.01", "2"]], ""),
    ],
)
def test_error_types(folders, work, rows, error):
    paths = folders(["k"], {"k": "text_exact", "v": "number"}, [["k", "v"], ["a", "1"]], rows)
    assert compare_policies(*paths, ("paper",), con=work)["paper"].error_type == error


def test_files_of_a_folder(folders, work):
    gold, candidate = folders(["k"], {"k": "text_exact"}, [["k"], ["a"]], [["k"], ["a"]])

    def say():
        return compare_policies(gold, candidate, ("paper",), con=work)["paper"].error_type

    (candidate / "notes.CSV").write_text("x\n1\n")
    found = compare_policies(gold, candidate, ("paper",), con=work)["paper"]
    assert found.error_type == "FILE_COUNT_MISMATCH"
    assert found.message == "gold has 1 *.csv, the candidate 2; not in gold: 'notes.CSV'"
    (candidate / "output_01.csv").unlink()
    assert say() == "MISSING_FILE"
    (candidate / "notes.CSV").rename(candidate / "output_01.csv")
    for broken in ("", "\n\n", '"k\n', "\ufeff"):
        (candidate / "output_01.csv").write_text(broken, encoding="utf-8")
        assert say() == "READ_ERROR", broken
        message = compare_policies(gold, candidate, ("paper",), con=work)["paper"].message
        assert message.count("output_01.csv") == 1
    (candidate / "output_01.csv").unlink()
    (candidate / "output_01.csv").mkdir()
    assert say() == "READ_ERROR"


@pytest.mark.parametrize(
    "entry",
    [
        {"key": [], "columns": {"k": "number"}},
        {"key": "k", "columns": {"k": "number"}},
        {"key": ["z"], "columns": {"k": "number"}},
        {"columns": {"k": "number"}},
        {"key": ["k"], "columns": {}},
        {"key": ["k"], "columns": {"k": 1}},
        {"key": ["k"], "columns": {"k": "number"}, "ordered": "maybe"},
        {"key": ["k"], "columns": {"k": "number"}, "tolerance": {"k": -1}},
        {"key": ["k"], "columns": {"k": "number"}, "tolerance": {"k": 10**400}},
        {"key": ["k"], "columns": {"absent": "number", "k": "number"}},
        [],
    ],
)
def test_one_bad_entry_spoils_the_config(folders, work, entry):
    gold, candidate = folders(["k"], {"k": "number"}, [["k"], ["1"]], [["k"], ["1"]])
    (gold / "config.json").write_text(json.dumps({"files": {"a.csv": entry, "output_01.csv": entry}}))
    with pytest.raises(ConfigError, match="config"):
        compare_policies(gold, candidate, con=work)


def test_likely_slips_in_a_config_are_noted(judge):
    columns = {"k": "text_exact", "v": "num"}
    found = judge(["k"], columns, [["a", "1"]], [["a", "1.0"]], "paper", tolerence={}, ordered=False)
    assert found.files[0].columns[1].differing == 1
    unknown, type_ = found.files[0].notes
    assert "'tolerence' is not known; did you mean 'tolerance'?" in unknown
    assert type_.startswith("column 'v' is of type 'num' (types: number, ")
    assert type_.endswith(": compared as raw text")


def test_paths_that_cannot_be_compared(folders, tmp_path, work):
    gold, candidate = folders(["k"], {"k": "number"}, [["k"], ["1"]], [["k"], ["1"]])
    file = gold / "output_01.csv"
    for arguments in ((tmp_path / "no", candidate), (gold, file), (file, file), (tmp_path, gold)):
        with pytest.raises(InputError):
            compare_policies(*arguments, con=work)
    with pytest.raises(InputError, match="no column 'z'"):
        compare(file, file, key=["z"])
    with pytest.raises(InputError, match="no policy"):
        compare(gold, candidate, "lax")


def test_two_files_are_typed_safely_on_both_sides(tmp_path):
    (tmp_path / "a.csv").write_text("id,zip,n,d\n1,01220,1.0,2024-01-05\n2,5,2.50,2024-01-06\n")
    (tmp_path / "b.jsonl").write_text(
        '{"id": 2, "zip": "05", "n": 2.5, "d": "2024-01-06"}\n{"id": 1, "zip": "01220", "n": 1, "d": "5/1/2024"}\n'
    )
    found = compare(tmp_path / "a.csv", tmp_path / "b.jsonl", "strict", ["id"])
    # zip has leading zeros and b's d is no ISO date everywhere: both are text
    assert {c.name for c in found.files[0].columns if c.differing} == {"zip", "d"}
    assert {c.name: c.type for c in found.files[0].columns}["n"] == "number"


def test_the_sql_that_is_shown_runs(folders):
    import duckdb

    paths = folders(["id"], TYPES, [list(TYPES), *GOLD], [list(TYPES), *GOLD[:2], ["30", "Cy", "z", "x", "7"]])
    script = compare_sql(*paths, "strict")
    with duckdb.connect() as con:
        statements = duckdb.extract_statements(script)
        *_, last = [con.execute(statement).fetchall() for statement in statements]
    assert last == [(4, 1, 1.0)]


def test_header_names_follow_the_published_rules():
    assert header_names(["a", "a", "", "a", "a.1"]) == ("a", "a.2", "Unnamed: 2", "a.3", "a.1")


def test_reading_follows_the_published_rules(folders, work):
    gold, candidate = folders(["b"], {"a": "text_exact", "b": "text_exact"}, [["a", "b"], ["2", "3"], ["5", ""]], [[]])
    path = candidate / "output_01.csv"
    path.write_text("a,b\n1,2,3\n4,5\n")
    found = compare_policies(gold, candidate, ("published",), con=work)["published"]
    assert found.passed
    assert "index" in found.files[0].notes[0]
    path.write_text("a,b\n2,3\n\n7,8,9\n5\n")
    found = compare_policies(gold, candidate, ("published",), con=work)["published"]
    assert found.passed
    assert any("line" in note and "4" in note for note in found.files[0].notes)


def test_large_and_small_files_read_alike(tmp_path, monkeypatch, work):
    from prepsql.compare import reading

    path = tmp_path / "a.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["a", "b"], *([str(i), 'x "y", z'] for i in range(50))])
    tables = []
    for small in (1 << 20, 0):
        monkeypatch.setattr(reading, "_SMALL", small)
        table = reading.load_output(work, "read_alike", path)
        tables.append((table, work.execute("SELECT * FROM read_alike ORDER BY rowid").fetchall()))
    assert tables[0] == tables[1]


def test_a_very_wide_output_is_read_for_its_compared_columns(folders, work):
    columns = {"k": "text_exact", "v.1": "number"}
    gold, candidate = folders(["k"], columns, [["k", "v.1"], ["a", "1"]], [[]])
    path, names = candidate / "output_01.csv", ["v", "v", "k", *(f"x{i}" for i in range(100_000))]
    row = ["0", "1", "a", *["5"] * 100_000]
    for rows, notes in ([names, row, row[:5]], "short"), ([names, ["i", *row]], "index"):
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(rows)
        file = compare_policies(gold, candidate, ("strict",), con=work)["strict"].files[0]
        assert file.error_type == ("ROW_COUNT_MISMATCH" if notes == "short" else "")
        assert any(notes in note for note in file.notes)
        assert (file.extra_columns[:2], len(file.extra_columns), file.extra_column_count) == (("v", "x0"), 20, 100_001)
        assert (file.matched, sum(column.differing for column in file.columns)) == (1, 0)
    path.write_text(",".join(names[3:]) + "\n" + ",".join(row[3:]))
    file = compare_policies(gold, candidate, ("strict",), con=work)["strict"].files[0]
    assert (file.error_type, file.missing_columns) == ("MISSING_COLUMNS", ("k", "v.1"))


def test_a_header_of_one_name_takes_linear_time():
    names = header_names(["a"] * 20_000 + ["a.7"])
    assert (names[0], names[6], names[7], names[19_999], names[20_000]) == ("a", "a.6", "a.8", "a.20000", "a.7")
