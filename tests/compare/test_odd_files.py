"""Outputs that are no regular files of the folder are refused, never opened."""

import os
import socket

import duckdb
import pytest

from prepsql.compare import compare, compare_policies, compare_sql
from prepsql.errors import InputError


@pytest.fixture
def paths(folders):
    gold, candidate = folders(["k"], {"k": "text_exact"}, [["k"], ["a"]], [["k"], ["a"]])
    return gold / "output_01.csv", candidate / "output_01.csv"


def _put(kind, path):
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        # a socket's path may be no longer than some hundred characters
        here = os.open(path.parent, os.O_RDONLY)
        try:
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(f"/proc/self/fd/{here}/{path.name}")
        finally:
            os.close(here)


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "socket"])
def test_what_is_no_regular_file_is_not_opened(paths, kind):
    gold, candidate = paths
    _put(kind, candidate)
    found = compare(gold.parent, candidate.parent)
    assert (found.error_type, found.message) == ("READ_ERROR", "output_01.csv: not a regular file")
    for arguments in ((gold, candidate), (candidate, gold)):
        with pytest.raises(InputError, match=r"not a regular file|a folder|is a file"):
            compare(*arguments, key="k")
    _put(kind, gold)
    with pytest.raises(InputError, match=r"output_01\.csv: not a regular file"):
        compare(gold.parent, candidate.parent)


def test_a_link_is_read_only_within_the_folder(paths, tmp_path):
    gold, candidate = paths
    table = candidate.rename(candidate.parent / "table.txt")
    candidate.symlink_to(table.name)
    (tmp_path / "linked").symlink_to(candidate.parent)
    assert compare(gold.parent, candidate.parent).passed
    assert compare(gold.parent, tmp_path / "linked").passed
    candidate.unlink()
    candidate.symlink_to(gold)
    found = compare(gold.parent, candidate.parent)
    assert (found.error_type, found.message) == ("READ_ERROR", "output_01.csv: a link to a file outside the folder")
    assert compare(gold, candidate, key="k").passed


@pytest.mark.parametrize("key", ["rowid", "n"])
def test_no_column_name_meets_a_name_of_the_sql(folders, work, key):
    names = ["RowId" if key == "n" else "rowid", "n", "how", "cell", "g", "c", "gold", "col", "c1", "c0", "rowid_"]
    rows = [[f"{i}{j}" for j in range(len(names))] for i in range(1, 4)]
    changed = [*rows[:1], [*rows[1][:2], "9", *rows[1][3:]], rows[2]][::-1]
    gold, candidate = folders([key], dict.fromkeys(names, "text_exact"), [names, *rows], [names, *changed])
    files = gold / "output_01.csv", candidate / "output_01.csv"
    for paths, by in (((gold, candidate), None), (files, key)):
        found = compare_policies(*paths, ("paper", "strict", "published"), by, con=work)
        for (file,) in (one.files for one in found.values()):
            assert {column.name: column.differing for column in file.columns if column.differing} == {"how": 1}
            assert file.columns[2].examples[0].key == {key: "20" if key == "rowid" else "21"}
            assert file.columns[2].examples[0].gold_row == 2
    script = compare_sql(*files, "strict", key)
    with duckdb.connect() as con:
        *_, last = [con.execute(one).fetchall() for one in duckdb.extract_statements(script)]
    assert [row[:2] for row in last] == [(2, 1)]
    jsonl = gold / "a.jsonl"
    jsonl.write_text('{"rowid": 1}\n')
    assert "Its column rowid is named rowid_ here." in compare_sql(jsonl, jsonl, key="rowid")
