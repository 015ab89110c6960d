"""What the tests of this room share; `attack.py` and `as_user.py` stand beside it because they run as programs too."""

import sys
from pathlib import Path

import pytest

from prepsql.sandbox import Limits, Status
from prepsql.sandbox.child import program, sql
from prepsql.sandbox.child.report import Fault
from prepsql.sandbox.job import job_folder, stage

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def inputs(tmp_path):
    folder = tmp_path / "inputs"
    folder.mkdir()
    (folder / "input_01.csv").write_text(
        "id,amount,day,paid,note\n1,10,2024-01-01,true,a\n2,,2024-01-02,,b\n3,30,,false,\n"
    )
    (folder / "input_02.csv").write_text("code,price\n007,1.5\n010,2\n")
    return folder


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    """The folder where job folders are made; empty again when a run is over."""
    folder = tmp_path / "jobs"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def inside(inputs, out):
    """Run code as the child does, in this process: for what the code says, where no wall matters."""

    def inside(language, text):
        limit = sys.getrecursionlimit()
        with job_folder() as job:
            stage(inputs, job.inputs)
            try:
                report = {"sql": sql, "pandas": program}[language].run(text, job.root, Limits())
            except Fault as fault:
                report = fault.report
            finally:
                sys.setrecursionlimit(limit)
            if report.status == Status.OK:
                job.out.rename(out)
        return report

    return inside
