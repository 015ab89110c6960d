"""Made tables, read and scanned on one connection."""

import csv
from itertools import count

import pytest

from prepsql.macros import install
from prepsql.profile.columns import scan
from prepsql.profile.stack import stack
from prepsql.session import session
from prepsql.tables import read

_NUMBERS = count()


@pytest.fixture(scope="module")
def con():
    with session("prepsql-test-") as con:
        install(con)
        yield con


@pytest.fixture(scope="module")
def tabled(con, tmp_path_factory):
    """Make a text table of a header and rows; its name ends in a number of its own."""

    def make(header, rows, name="t"):
        path = tmp_path_factory.mktemp("made") / f"{name}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([header, *rows])
        return read(path, con, f"{name}{next(_NUMBERS)}")

    return make


@pytest.fixture(scope="module")
def scanned(con):
    """Stack tables and scan what comes of it."""
    return lambda *tables: [scan(subject) for subject in stack(con, tables)]
