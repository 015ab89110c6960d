"""The layers: which are there, what is refused without them, and what stays readable."""

import dataclasses
import json
import os
import sys
import sysconfig
from pathlib import Path

import pytest
from click.testing import CliRunner

from prepsql.cli.main import cli
from prepsql.errors import SandboxError
from prepsql.sandbox import Status, collect, reads, run_code
from prepsql.sandbox.job import job_folder
from prepsql.sandbox.layers import LAYERS, environment, landlock, rlimits, seccomp
from prepsql.sandbox.outcome import Limits
from prepsql.sandbox.run import run_behind

SQL = "CREATE TABLE output_01 AS SELECT id FROM input_01"


def without(*names):
    """The layers of a system that lacks some."""
    return [
        dataclasses.replace(layer, missing=lambda: "not here") if layer.name in names else layer for layer in LAYERS
    ]


def test_without_a_real_layer_code_is_refused(inputs, out):
    with pytest.raises(SandboxError, match=r"landlock: not here|--accept-risk") as refusal:
        run_behind(without("landlock", "bubblewrap"), SQL, inputs, out)
    assert "--accept-risk" in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert not out.exists()


def test_accepting_the_risk_runs_with_what_is_there(inputs, out):
    outcome = run_behind(without("landlock", "bubblewrap", "seccomp"), SQL, inputs, out, accept_risk=True)
    assert outcome.status == Status.OK
    assert outcome.layers == ("environment", "rlimits")


def test_accepting_the_risk_drops_no_layer(inputs, out):
    active = tuple(layer.name for layer in LAYERS if layer.missing() is None)
    assert run_code(SQL, inputs, out, accept_risk=True).layers == active


@pytest.mark.parametrize("lacking", ["landlock", "bubblewrap", "seccomp"])
@pytest.mark.parametrize("code", [SQL, "def solve(tables):\n    return {'output_01': tables['input_01'][['id']]}"])
def test_work_gets_done_whichever_layer_is_missing(inputs, out, lacking, code):
    layers = without(lacking)
    if not any(layer.real and layer.missing() is None for layer in layers):
        pytest.skip(f"nothing but {lacking} here keeps files")
    outcome = run_behind(layers, code, inputs, out)
    assert outcome.status == Status.OK, outcome.message
    assert (out / "output_01.csv").read_text() == "id\n1\n2\n3\n"


def test_the_command_tells_each_layer():
    done = CliRunner().invoke(cli, ["sandbox"])
    safe = any(layer.real and layer.missing() is None for layer in LAYERS)
    assert done.exit_code == (0 if safe else 1)
    for layer in LAYERS:
        assert f"{layer.name} " in done.stdout
        assert layer.stops in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80
    told = json.loads(CliRunner().invoke(cli, ["sandbox", "--json"]).stdout)
    assert told["safe"] is safe
    assert [layer["name"] for layer in told["layers"]] == [layer.name for layer in LAYERS]


def test_the_command_tells_what_is_missing(monkeypatch):
    monkeypatch.setattr("prepsql.cli.sandbox_command.LAYERS", without("landlock", "bubblewrap"))
    done = CliRunner().invoke(cli, ["sandbox"])
    assert done.exit_code == 1
    assert "not here" in done.stdout
    assert "--accept-risk" in done.stdout


def test_a_missing_package_or_program_is_a_reason(monkeypatch):
    from prepsql.sandbox.layers import bubblewrap

    monkeypatch.setitem(sys.modules, "landlock", None)
    assert "isn't installed" in landlock.LAYER.missing()
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert "isn't installed" in bubblewrap._missing.__wrapped__()


def test_a_wall_that_cannot_be_put_up_stops_the_run(inputs, out, monkeypatch):
    if landlock.LAYER.missing() or seccomp.LAYER.missing():
        pytest.skip("needs Landlock and seccomp")
    monkeypatch.setattr(seccomp, "program", lambda: b"\xff" * 8)
    with pytest.raises(SandboxError, match="could not be locked in: OSError"):
        run_behind((environment.LAYER, rlimits.LAYER, landlock.LAYER, seccomp.LAYER), SQL, inputs, out)
    assert not out.exists()


def test_a_hidden_path_is_cut_out_of_what_may_be_read():
    stdlib = Path(sysconfig.get_path("stdlib")).resolve()
    found = reads.readable([stdlib / "json" / "tool.py"])
    assert str(stdlib / "json" / "decoder.py") in found.contents
    assert {str(stdlib), str(stdlib / "json")} <= set(found.listings)
    open_to = [Path(path).resolve() for path in found.contents]
    assert not any((stdlib / "json" / "tool.py").is_relative_to(path) for path in open_to)


def test_bundled_tasks_are_always_hidden(monkeypatch):
    package = Path(reads.__file__).parent.parent
    monkeypatch.setattr(reads, "tasks_dir", lambda: package / "compare")  # as in a wheel: beneath the package
    found = reads.readable([])
    assert str(package / "errors.py") in found.contents
    assert not {str(package), str(package / "compare"), str(package.parent)} & set(found.contents)


def test_a_hidden_folder_inside_the_package_keeps_its_contents(inputs, out, monkeypatch):
    package = Path(reads.__file__).resolve().parent.parent
    monkeypatch.setattr(reads, "tasks_dir", lambda: package / "compare")
    for layers in (LAYERS, without("bubblewrap"), without("landlock")):
        if not any(layer.real and layer.missing() is None for layer in layers):
            continue
        allowed, secret = str(package / "errors.py"), str(package / "compare" / "__init__.py")
        code = f"def solve(inputs_dir):\n    open({allowed!r})\n    open({secret!r})"
        outcome = run_behind(layers, code, inputs, out)
        assert outcome.line == 3, outcome.message
        assert outcome.message.startswith(("PermissionError", "FileNotFoundError"))


def test_a_checkout_is_not_readable_only_its_package_is():
    package = Path(reads.__file__).resolve().parent.parent
    contents = [Path(path) for path in reads.readable([]).contents]
    assert package in contents
    assert not any(package.parent.is_relative_to(path) for path in contents)


@pytest.mark.parametrize("kind", ["symlink", "hardlink", "pipe", "folder", "name", "large", "none"])
def test_outputs_are_all_checked_before_any_is_taken(tmp_path, kind):
    secret = tmp_path / "secret"
    secret.write_text("token")
    left, out = tmp_path / "left", tmp_path / "out"
    left.mkdir()
    bad = left / "output_02.csv"
    if kind != "none":
        (left / "output_01.csv").write_text("a\n1\n")
    if kind == "symlink":
        bad.symlink_to(secret)
    elif kind == "hardlink":
        bad.hardlink_to(secret)
    elif kind == "pipe":
        os.mkfifo(bad)
    elif kind == "folder":
        bad.mkdir()
    elif kind == "name":
        (left / "other.csv").write_text("")
    elif kind == "large":
        bad.write_bytes(bytes(2 << 20))
    with pytest.raises(collect.Unacceptable):
        collect.collect(left, out, Limits(file_mb=1))
    assert not list(out.glob("*"))


def test_a_job_folder_goes_however_deep_it_became(jobs):
    with job_folder() as job:
        here = os.open(job.tmp, 0)
        for _ in range(1500):
            os.mkdir("d", dir_fd=here)
            inner = os.open("d", 0, dir_fd=here)
            os.close(here)
            here = inner
        os.close(here)
    assert list(jobs.iterdir()) == []
