"""Every macro of the library does what its file says."""

import duckdb
import pytest

from prepsql.errors import ConfigError
from prepsql.macros import install, library


@pytest.fixture(scope="module")
def con():
    with duckdb.connect() as con:
        install(con)
        yield con


EXAMPLES = [(name, *example) for name, macro in library().items() for example in macro.examples]


@pytest.mark.parametrize(("name", "call", "result"), EXAMPLES, ids=[f"{n}-{c}" for n, c, _ in EXAMPLES])
def test_example_gives_what_the_file_says(con, name, call, result):
    got, wanted = con.execute(f"SELECT {call}, {result}").fetchone()
    assert con.execute(f"SELECT ({call}) IS NOT DISTINCT FROM ({result})").fetchone() == (True,), (
        got,
        wanted,
    )


@pytest.mark.parametrize("text", ["upper(s)", "-- name: other\n-- parameters: s\nupper(s)", "-- name: bad\n"])
def test_a_file_out_of_form_is_refused_by_name(tmp_path, text):
    (tmp_path / "bad.sql").write_text(text)
    with pytest.raises(ConfigError, match=r"bad\.sql"):
        library(tmp_path)
