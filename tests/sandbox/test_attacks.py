"""Every attack fails, for the reason that its file names, and harms nothing: as this user and as an ordinary one."""

import json
import os
import re
import subprocess
import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import attack
import duckdb
import pytest
from as_user import ordinary

from prepsql.sandbox import Limits, job_server
from prepsql.sandbox.child import sql
from prepsql.sandbox.layers import bubblewrap, environment, landlock, rlimits, seccomp

PYTHON = attack.attacks("python")
SQL = attack.attacks("sql")
REFUSED = [a for a in SQL if a.status == {"refused"}]
RUN = [a for a in SQL if a.status != {"refused"}]
FILES = ("read_", "proc_", "symlink_", "hardlink_", "overwrite_file", "delete_file")
READING = [a for a in PYTHON if a.path.stem.startswith(FILES)]
# every attack fails as a server's job, in test_server.py; what a process of its own has otherwise is who started it
# and which descriptors it was given
OTHERWISE = re.compile(r"(kill|ptrace|probe|proc|read|tgkill)_(all|group|starter|parent|init)\w*|pidfd|\w+_descriptors"
                       r"|forge_(ok|huge)|truncate_reports|overwrite_input|exit_handler")  # fmt: skip
ALONE = [a for n, a in enumerate(PYTHON) if n % 10 == 0 or OTHERWISE.fullmatch(a.path.stem)] + RUN[::5]


def by_name(attacks):
    return pytest.mark.parametrize("each", attacks, ids=lambda a: a.name)


def fast(some, attacks):
    """Let some of the attacks run always, the others with what is slow."""
    slow = pytest.mark.slow
    return pytest.mark.parametrize(
        "each", [pytest.param(a, id=a.name, marks=() if a in some else slow) for a in attacks]
    )


@pytest.fixture(scope="module")
def behind():
    """Return what gives a server of programs behind given layers, even behind such as would not keep jobs apart."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr("prepsql.sandbox.server._NEEDED", set())

        @cache
        def start(layers):
            return stack.enter_context(job_server("pandas", hidden=attack.SECRETS, layers=layers))

        yield start


# the longest test comes first, so that the others run beside it
@pytest.mark.parametrize(
    "share", [pytest.param(1, id="all", marks=pytest.mark.slow), pytest.param(4, id="each_fourth")]
)
def test_attacks_as_an_ordinary_user(tmp_path, share):
    if os.getuid() != 0:
        pytest.skip("the tests already run as an ordinary user")
    names = [a.name for a in PYTHON + RUN + REFUSED][::share]
    program = [sys.executable, "-B", str(Path(attack.__file__)), str(share), *names]
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


@fast(ALONE, PYTHON + RUN)
def test_attack(each, jobs):
    assert attack.attempt(each) == []
    assert list(jobs.iterdir()) == []
    assert attack.left(str(jobs)) == []


@by_name(REFUSED)
def test_refused_before_anything_runs(each):
    assert attack.refusal(each) == []


@fast(REFUSED[::24], REFUSED[::12])
def test_refused_by_a_whole_run(each, jobs):
    assert attack.attempt(each) == []


@by_name([a for a in READING if not a.path.stem.startswith("proc_")])
def test_without_a_wall_the_attack_gets_through(each, behind):
    layers = (environment.LAYER, rlimits.LAYER)
    assert attack.attempt(each, layers, server=behind(layers)) != []


def wall_alone(*wall):
    missing = [f"{layer.name}: {layer.missing()}" for layer in wall if layer.missing()]
    if missing:
        pytest.skip("; ".join(missing))
    return (environment.LAYER, rlimits.LAYER, *wall)


def got_through(each, layers, server=None):
    return [fault for fault in attack.attempt(each, layers, server=server) if not fault.startswith("expected")]


WALLS = pytest.mark.parametrize(
    "wall",
    [(landlock.LAYER, seccomp.LAYER), (bubblewrap.LAYER,)],
    ids=["landlock", "bubblewrap"],
)


@by_name(READING)
@WALLS
def test_one_wall_alone_keeps_files(each, wall, behind):
    layers = wall_alone(*wall)
    server = behind(layers)
    assert got_through(each, layers, server) == []
    assert not server.gone


@fast(READING[::8], READING)
@WALLS
def test_one_wall_alone_keeps_files_from_a_process_of_its_own(each, wall, jobs):
    assert got_through(each, wall_alone(*wall)) == []


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
