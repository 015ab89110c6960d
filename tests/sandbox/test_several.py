"""Code on several sets of inputs: each set has its own tables, and its own failure."""

from prepsql.sandbox import Limits, run_several

SQL = "CREATE TABLE output_01 AS SELECT CAST(a AS INTEGER) + 1 AS a FROM raw_input_01"
PANDAS = """
seen = []

def solve(tables):
    seen.append(1)
    df = tables["input_01"]
    df["n"] = len(seen)
    if "b" in df:
        raise ValueError("no b")
    return {"output_01": df}
"""


def sets(tmp_path, **texts):
    folders = {}
    for name, text in texts.items():
        folders[name] = tmp_path / "sets" / name
        folders[name].mkdir(parents=True)
        (folders[name] / "input_01.csv").write_text(text)
    return folders


def test_sql_fails_where_it_fails_alone(tmp_path):
    given = sets(tmp_path, one="a\n1\n2\n", two="a\nx\n", three="a\n3\n")
    done = run_several(SQL, given, tmp_path / "out", "sql")
    assert (done["one"], done["three"]) == ("", "")
    assert "Could not convert string 'x'" in done["two"]
    assert (tmp_path / "out" / "one" / "output_01.csv").read_text() == "a\n2\n3\n"
    assert (tmp_path / "out" / "three" / "output_01.csv").read_text() == "a\n4\n"
    assert not (tmp_path / "out" / "two").exists()


def test_a_program_starts_anew_for_each_set(tmp_path):
    done = run_several(PANDAS, sets(tmp_path, one="a\n1\n", two="b\n1\n", three="a\n5\n"), tmp_path / "out", "pandas")
    assert (done["one"], done["three"]) == ("", "")
    assert done["two"].startswith("ValueError: no b")
    assert (tmp_path / "out" / "three" / "output_01.csv").read_text() == "a,n\n5,1\n"


def test_sets_may_have_code_of_their_own(tmp_path):
    folder = sets(tmp_path, one="a\n1\n")["one"]
    codes = {"once": SQL, "twice": SQL.replace("+ 1", "+ 2")}
    given = {"once": folder, "twice": [folder / "input_01.csv"]}
    done = run_several(codes, given, tmp_path / "out", "sql")
    assert done == {"once": "", "twice": ""}
    assert [(tmp_path / "out" / name / "output_01.csv").read_text() for name in done] == ["a\n2\n", "a\n3\n"]


def test_a_limit_ends_all_sets(tmp_path):
    code = "import time\n\ndef solve(tables):\n    time.sleep(60)\n"
    done = run_several(code, sets(tmp_path, one="a\n1\n", two="a\n2\n"), tmp_path / "out", "pandas",
                       limits=Limits(seconds=1.5))  # fmt: skip
    assert all(why.startswith("not done after 1.5 s") for why in done.values())
