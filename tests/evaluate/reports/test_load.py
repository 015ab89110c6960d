"""Sources: which records make a row, what it's called, and what is said to what isn't a record."""

import os
import signal
import subprocess
import sys

import duckdb
import pytest

from prepsql.errors import RecordError
from prepsql.evaluate.record_schema import SCHEMA
from prepsql.evaluate.reports.load import load
from prepsql.evaluate.reports.report import report
from tests.evaluate.reports.made import passes, record, tried


def runs(*sources):
    return report(sources).runs


def test_records_of_one_run_in_several_settings_are_one_row(tmp_path):
    tasks = {"tasks": [{"task": "t1", "entries": 1, "steps": 3}]}
    first = record(tmp_path / "a", settings={"settings": ["direct"]}, **passes("direct", "C"), **tasks)
    second = record(tmp_path / "b", settings={"settings": ["codegen"]}, **passes("codegen", "W"), **tasks)
    found = report([first, second])
    assert found.runs == ("small",)
    assert found.row("ambiguity_gap", "small")["gap"] == -1
    with load([first, second]) as loaded:
        assert loaded.con.execute("SELECT count(*) FROM tasks").fetchone() == (1,)
        assert loaded.con.execute("SELECT count(*) FROM runs").fetchone() == (2,)


def test_runs_called_alike_are_told_apart_by_what_differs_at_last_by_their_folder(tmp_path):
    plain = record(tmp_path / "plain", **passes("direct", "C"))
    again = record(tmp_path / "again", **passes("direct", "C"))
    pandas = record(tmp_path / "pandas", settings={"language": "pandas"}, **passes("codegen", "C"))
    sql = record(tmp_path / "sql", settings={"language": "sql"}, **passes("codegen", "C"))
    assert runs(plain, again) == ("small · plain", "small · again")
    assert runs(pandas, sql) == ("small · pandas", "small · sql")
    assert len(set(runs(plain, again, pandas, sql))) == 4
    other = record(tmp_path / "deep" / "plain", **passes("direct", "C"))
    assert len(set(runs(plain, other))) == 2


def test_an_agent_without_a_model_gives_its_name_and_the_same_source_twice_is_one_run(tmp_path):
    settings = {"agent": "reference", "model": None}
    one = record(tmp_path / "one", settings=settings, **passes("reference", "CW", way="sql"))
    assert runs(one, one, str(one) + "/") == ("reference",)
    assert report([one, one]).row("accuracy", "reference")["tasks"] == 2


def test_a_program_is_called_by_its_command_without_folders(tmp_path):
    made = [
        record(tmp_path / name, settings={"agent": command, "model": None, "command": command}, **passes("direct", "C"))
        for name, command in (
            ("one", "/opt/env/bin/python /opt/agents/mine.py --data=/opt/data"),
            ("two", "/opt/env/bin/python /opt/agents/mine.py --style careful --budget 20 --again"),
            ("three", "/opt/env/bin/python /opt/agents/mine.py --style careful --budget 30"),
        )
    ]
    assert runs(*made) == (
        "python mine.py --data=/opt/data",
        "python mine.py --style careful --budget… · two",
        "python mine.py --style careful --budget… · three",
    )


def test_a_folder_with_a_colon_in_its_name_is_a_folder(tmp_path):
    assert runs(record(tmp_path / "run:2", **passes("direct", "C"))) == ("small",)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nowhere", r"nowhere does not exist: wanted a folder with record\.duckdb, which prepsql eval --out makes, or"),
        ("notes.txt", r"notes\.txt is a file, not a record: wanted"),
        ("other", r"other is no record \(holds a\.csv, b\): wanted a folder with record\.duckdb"),
        ("bare", r"bare is no record \(holds nothing\)"),
        (".", r"is no record, but .*first.* is: name that"),
        ("other:gpt", r"other is no folder with the release's outcomes, so it has no model 'gpt'"),
        ("old", r"old is a record of version 1, this prepsql reads 3: run it again"),
        ("empty", r"empty has no finished try yet: resume its run by the same prepsql eval command"),
        ("garbage", r"garbage.record\.duckdb can't be read: it is no DuckDB file"),
        ("halved", r"halved.record\.duckdb isn't a record of version 3 \(Catalog Error: .*outcomes"),
        ("narrow", r"narrow.record\.duckdb isn't a record of version 3 \(.*"),
        ("odd", r"odd.record\.duckdb is damaged: its settings are no JSON object"),
        ("twice", r"twice.record\.duckdb is damaged: it tells of 2 runs, wanted one"),
    ],
)
def test_what_is_no_record_is_answered_with_what_it_is(tmp_path, name, told):
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "bare").mkdir()
    (tmp_path / "other" / "b").mkdir(parents=True)
    (tmp_path / "other" / "a.csv").write_text("x")
    record(tmp_path / "first", **passes("direct", "C"))
    record(tmp_path / "old", version=1, **passes("direct", "C"))
    record(tmp_path / "empty")
    (tmp_path / "garbage").mkdir()
    (tmp_path / "garbage" / "record.duckdb").write_bytes(b"no database\n" * 900)
    for folder, statement in (
        ("halved", "DROP TABLE outcomes"), ("odd", "UPDATE runs SET settings = '[1]'"),
        ("twice", "INSERT INTO runs FROM runs"),
        ("narrow", "ALTER TABLE questions DROP COLUMN answer; ALTER TABLE questions ADD COLUMN said VARCHAR"),
    ):  # fmt: skip
        record(tmp_path / folder, **passes("direct", "C"))
        with duckdb.connect(str(tmp_path / folder / "record.duckdb")) as con:
            con.execute(statement)
    with pytest.raises(RecordError, match=told), load([f"{tmp_path}/{name}"]):
        pass


WRITER = """
import os, sys, time
import duckdb
con = duckdb.connect(sys.argv[1])
con.execute("INSERT INTO outcomes (task, setting, repeat, way, result) VALUES ('t2', 'direct', 1, 'code', 'wrong')")
print("ready", flush=True)
time.sleep(60)
"""


def test_a_record_that_is_being_written_says_so_and_after_a_kill_it_is_read_whole(tmp_path):
    folder = record(tmp_path / "run", **passes("direct", "C"))
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, folder / "record.duckdb"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert writer.stdout.readline() == "ready\n"
        with pytest.raises(RecordError, match="a run is writing it: wait until it is done"), load([folder]):
            pass
    finally:
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert "record.duckdb.wal" in before
    assert report([folder]).row("accuracy", "small")["tasks"] == 2
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_tables_of_the_schema_have_the_keys_that_it_names(tmp_path):
    rows = tried("t1", "direct", "correct")
    record(tmp_path / "run", **rows)
    with duckdb.connect(str(tmp_path / "run" / "record.duckdb")) as con:
        for table in ("outcomes", "verdicts"):
            with pytest.raises(duckdb.ConstraintException):
                con.execute(f"INSERT INTO {table} FROM {table} LIMIT 1")
        names = {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    assert names == set(SCHEMA)
