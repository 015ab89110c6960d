"""The wheel alone, in an environment of its own, is a working prepsql with its macros and tasks."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

THIEF = """
import glob, sys

def solve(tables):
    found = glob.glob(sys.prefix + "/**/solution.sql", recursive=True)
    return {"output_01": open(found[0]).read()}
"""
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.slow
def test_the_wheel_alone_evaluates_its_tasks(tmp_path):
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", tmp_path / "dist", ROOT]
    subprocess.run(pip, check=True)
    (wheel,) = (tmp_path / "dist").glob("prepsql-*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    binaries = tmp_path / "env" / "bin"
    subprocess.run([binaries / "pip", "install", "--quiet", wheel], check=True)

    def prepsql(*arguments):
        return subprocess.run(
            [binaries / "prepsql", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    listed = prepsql("tasks", "list")
    assert "12 tasks" in listed.stdout, listed.stderr
    done = prepsql("eval", "--engine", "duckdb", "--out", "run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("12/12") == 6
    (tmp_path / "a.csv").write_text("id,x\n1,2\n")
    assert prepsql("compare", "a.csv", "a.csv", "-k", "id").returncode == 0
    # what the sandbox must hide lies inside the package here
    (tmp_path / "thief.py").write_text(THIEF)
    run = "import prepsql, pathlib; o = prepsql.run_code(pathlib.Path('thief.py'), ['a.csv'], 'out'); "
    run += "print(o.status, o.message)"
    stolen = subprocess.run([binaries / "python", "-c", run], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert stolen.stdout.startswith("failed "), stolen.stdout + stolen.stderr
    assert "PermissionError" in stolen.stdout or "IndexError" in stolen.stdout
