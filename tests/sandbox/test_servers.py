"""Servers that many runs share: one a language, replaced when gone, nothing left from one run to the next."""

import os
import select
import signal
from pathlib import Path

import pytest

from prepsql.sandbox import Status, job_servers, run_code

LEAVES = """
import builtins, os
def solve(tables):
    import pandas as pd
    seen = [getattr(builtins, "left", "nothing")]
    builtins.left = "something"
    for folder in (os.path.dirname(os.getcwd()), os.path.dirname(os.path.dirname(os.getcwd()))):
        try:
            seen += os.listdir(folder)
        except OSError:
            seen.append("closed")
    return {"output_01": pd.DataFrame({"seen": seen})}
"""


@pytest.fixture
def inputs(tmp_path: Path) -> tuple[Path, ...]:
    path = tmp_path / "input_01.csv"
    path.write_text("a\n1\n")
    return (path,)


def test_runs_share_a_server_and_nothing_else(inputs: tuple[Path, ...], tmp_path: Path) -> None:
    with job_servers() as servers:
        server = servers.of("pandas")
        if server is None:
            pytest.skip("no Landlock or seccomp here")
        for name in ("first", "second"):
            done = run_code(LEAVES, inputs, tmp_path / name, "pandas", server=servers.of("pandas"))
            assert done.status is Status.OK, done.message
            assert (tmp_path / name / "output_01.csv").read_text().split() == ["seen", "nothing", "closed", "closed"]
        assert servers.of("pandas") is server
        assert servers.of("sql") is not server


def test_one_that_is_gone_is_replaced(inputs: tuple[Path, ...], tmp_path: Path) -> None:
    with job_servers() as servers:
        server = servers.of("sql")
        if server is None:
            pytest.skip("no Landlock or seccomp here")
        os.killpg(server.process.pid, signal.SIGKILL)
        server.process.wait()
        assert select.select([server.asking], [], [], 20)[0]
        code = "CREATE TABLE output_01 AS SELECT a FROM input_01"
        assert run_code(code, inputs, tmp_path / "out", "sql", server=server).status is Status.OK
        assert server.gone
        assert servers.of("sql") is not server
