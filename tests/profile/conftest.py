"""Made tables, read and scanned on one connection."""

import csv
from itertools import count

import pytest

from prepsql.profile.columns import scan
from prepsql.profile.session import workspace
from prepsql.profile.stack import stack
from prepsql.tables import read

_NUMBERS = count()


@pytest.fixture(scope="session")
def con():
    """The session of a profile, its macros alone; to make one takes as long as to profile a small table."""
    with workspace() as con:
        yield con


@pytest.fixture(scope="session")
def tabled(con, tmp_path_factory):
    """Make a text table of a header and rows; its name ends in a number of its own."""

    def make(header, rows, name="t"):
        path = tmp_path_factory.mktemp("made") / f"{name}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([header, *rows])
        return read(path, con, f"{name}{next(_NUMBERS)}")

    return make


@pytest.fixture(scope="session")
def scanned(con):
    """Stack tables and scan what comes of it."""
    return lambda *tables: [scan(subject) for subject in stack(con, tables)]
