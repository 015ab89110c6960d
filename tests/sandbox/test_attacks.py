"""Every attack fails, for the reason that its file names, and harms nothing: as this user and as an ordinary one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import attack
import duckdb
import pytest
from as_user import ordinary

from prepsql.sandbox import Limits
from prepsql.sandbox.child import sql
from prepsql.sandbox.layers import bubblewrap, environment, landlock, rlimits, seccomp

PYTHON = attack.attacks("python")
SQL = attack.attacks("sql")
REFUSED = [a for a in SQL if a.status == {"refused"}]
RUN = [a for a in SQL if a.status != {"refused"}]
FILES = ("read_", "proc_", "symlink_", "hardlink_", "overwrite_file", "delete_file")
READING = [a for a in PYTHON if a.path.stem.startswith(FILES)]


def by_name(attacks):
    return pytest.mark.parametrize("each", attacks, ids=lambda a: a.name)


# the longest test comes first, so that the others run beside it
@pytest.mark.parametrize(
    "share", [pytest.param(1, id="all", marks=pytest.mark.slow), pytest.param(4, id="each_fourth")]
)
def test_attacks_as_an_ordinary_user(tmp_path, share):
    if os.getuid() != 0:
        pytest.skip("the tests already run as an ordinary user")
    names = [a.name for a in PYTHON + RUN + REFUSED][::share]
    program = [sys.executable, "-B", str(Path(attack.__file__)), *names]
    stage = tmp_path / "stage"
    stage.mkdir()
    command = ordinary(program, stage)
    if command is None:
        pytest.skip("neither setpriv nor a user namespace can be had here")
    environ = {k: v for k, v in os.environ.items() if k not in ("TMPDIR", "HOME")}
    done = subprocess.run(command, capture_output=True, text=True, env=environ, cwd="/", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout)
    assert result["user"] != 0
    assert result["tried"] == len(names)
    assert result["faults"] == {}
    assert result["left"] == []


def test_the_suite_is_whole():
    assert len(PYTHON) > 100
    assert len(SQL) > 80


@by_name(PYTHON + RUN)
def test_attack(each, jobs):
    assert attack.attempt(each) == []
    assert list(jobs.iterdir()) == []
    assert attack.processes(str(jobs)) == []


@by_name(REFUSED)
def test_refused_before_anything_runs(each):
    assert attack.refusal(each) == []


@by_name(REFUSED[::12])
def test_refused_by_a_whole_run(each, jobs):
    assert attack.attempt(each) == []


@by_name([a for a in READING if not a.path.stem.startswith("proc_")])
def test_without_a_wall_the_attack_gets_through(each, jobs):
    assert attack.attempt(each, (environment.LAYER, rlimits.LAYER)) != []


@by_name(READING)
@pytest.mark.parametrize(
    "wall",
    [(landlock.LAYER, seccomp.LAYER), (bubblewrap.LAYER,)],
    ids=["landlock", "bubblewrap"],
)
def test_one_wall_alone_keeps_files(each, wall, jobs):
    missing = [f"{layer.name}: {layer.missing()}" for layer in wall if layer.missing()]
    if missing:
        pytest.skip("; ".join(missing))
    layers = (environment.LAYER, rlimits.LAYER, *wall)
    assert [fault for fault in attack.attempt(each, layers) if not fault.startswith("expected")] == []


@pytest.mark.parametrize(
    "query",
    [
        "SELECT content FROM read_text('{secret}')",
        "SELECT * FROM '{secret}'",
        "SELECT * FROM read_csv('{secret}')",
        "SELECT * FROM glob('{secret}')",
        "SELECT * FROM (DESCRIBE '{secret}')",
        "SELECT * FROM (SUMMARIZE '{secret}')",
        "COPY (SELECT 1) TO '{folder}/escaped'",
        "ATTACH '{folder}/escaped'",
        "EXPORT DATABASE '{folder}/escaped'",
        "INSTALL httpfs",
        "LOAD '{secret}'",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "SELECT * FROM python_variable",
    ],
)
def test_the_lock_holds_without_the_check(query, tmp_path):
    python_variable = secret = tmp_path / "secret"  # noqa: F841
    secret.write_text("token")
    with sql.connect(tmp_path, Limits()) as con:
        con.execute(sql.LOCK)
        with pytest.raises(duckdb.Error, match=r"disabled|locked|does not exist|[Cc]annot|Permission"):
            con.execute(query.format(secret=secret, folder=tmp_path)).fetchall()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["secret"]
