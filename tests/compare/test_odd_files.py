"""Outputs that are no regular files of the folder are refused, never opened."""

import os
import socket

import pytest

from prepsql.compare import compare
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
