"""A run as a whole: what is taken in, what is left behind, and how it's broken off."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import FrozenInstanceError
from pathlib import Path

import attack
import pytest

from prepsql.errors import InputError, SandboxError, WriteError
from prepsql.sandbox import Limits, Status, run_code

SQL = "CREATE TABLE output_01 AS SELECT * FROM input_02"
PYTHON = """
def solve(inputs_dir):
    raise ValueError(sorted(p.name for p in inputs_dir.iterdir()))
"""
SLEEP = "import time\ndef solve(inputs_dir):\n    time.sleep(1000)\n"


def test_the_outcome_is_plain_data(inputs, out):
    outcome = run_code(SQL, inputs, out)
    assert json.loads(json.dumps(outcome.to_dict())) == {
        "status": "ok",
        "message": "",
        "statement": None,
        "line": None,
        "seconds": outcome.seconds,
        "peak_memory_mb": outcome.peak_memory_mb,
        "outputs": [str(out / "output_01.csv")],
        "layers": list(outcome.layers),
        "stdout": "",
        "stderr": "",
    }
    assert 0 < outcome.seconds < 60
    assert 20 < outcome.peak_memory_mb < 1000
    with pytest.raises(FrozenInstanceError):
        outcome.status = Status.FAILED


def test_code_may_be_a_file(inputs, out, tmp_path):
    for name, text, status in (("a.sql", SQL, Status.OK), ("a.py", PYTHON, Status.FAILED)):
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        assert run_code(tmp_path / name, inputs, out).status == status
    (tmp_path / "a.txt").write_text(SQL)
    with pytest.raises(InputError, match="its language is unknown"):
        run_code(tmp_path / "a.txt", inputs, out)
    with pytest.raises(InputError, match=r"none\.sql: No such file"):
        run_code(tmp_path / "none.sql", inputs, out)


def test_text_is_taken_for_what_it_is(inputs, out):
    assert run_code(PYTHON, inputs, out).message.startswith("ValueError")
    assert run_code("DROP TABLE input_01", inputs, out).status == Status.REFUSED


@pytest.mark.parametrize("text", ["{}/secret.sql", "none.sql", "see solution.py", "a\0.sql", "\ud800"])
def test_text_is_never_opened_as_a_file(inputs, out, tmp_path, text):
    (tmp_path / "secret.sql").write_text(SQL)
    assert run_code(text.format(tmp_path), inputs, out).status in (Status.FAILED, Status.REFUSED)


def test_inputs_may_be_files(inputs, out):
    outcome = run_code(PYTHON, [inputs / "input_02.csv"], out)
    assert outcome.message.splitlines()[0] == "ValueError: ['input_02.csv']"


def test_missing_inputs_are_errors(inputs, out, tmp_path):
    with pytest.raises(InputError, match="no such file"):
        run_code(SQL, [tmp_path / "none.csv"], out)
    with pytest.raises(InputError, match="not a file"):
        run_code(SQL, [inputs], out)
    with pytest.raises(InputError, match="another input is named"):
        run_code(SQL, [inputs / "input_01.csv", inputs / "input_01.csv"], out)


def test_an_input_that_cannot_be_read_is_named(inputs, out):
    (inputs / "input_03.csv").write_bytes(b"")
    for code in (SQL, PYTHON.replace("inputs_dir", "tables")):
        with pytest.raises(InputError, match=f"{inputs.name}/input_03.csv: the file is empty"):
            run_code(code, inputs, out)


def test_a_program_cannot_blame_the_inputs(inputs, out):
    blame = "def solve(tables):\n    raise ValueError('not in the code itself: input_01.csv is broken')\n"
    assert run_code(blame, inputs, out).status == Status.FAILED


def test_older_outputs_go_when_new_ones_come_and_stay_when_not(inputs, out):
    out.mkdir()
    for name in ("output_09.csv", "notes.txt"):
        (out / name).write_text("old")
    assert run_code("CREATE TABLE output_01 AS SELECT nope", inputs, out).status == Status.FAILED
    assert sorted(p.name for p in out.iterdir()) == ["notes.txt", "output_09.csv"]
    assert run_code(SQL, inputs, out).status == Status.OK
    assert sorted(p.name for p in out.iterdir()) == ["notes.txt", "output_01.csv"]


def test_a_folder_that_cannot_be_written_is_an_error(inputs, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError, match="outputs can't be written"):
        run_code(SQL, inputs, tmp_path / "file")


def test_hidden_paths_must_leave_an_interpreter(inputs, out):
    with pytest.raises(SandboxError, match="hide less"):
        run_code(SQL, inputs, out, hidden=[Path(sys.base_prefix)])


@pytest.mark.parametrize("code", [SQL, "def solve(tables):\n    return tables"])
def test_too_little_memory_is_said(inputs, out, jobs, code):
    outcome = run_code(code, inputs, out, limits=Limits(memory_mb=60))
    assert outcome.status == Status.OUT_OF_MEMORY, outcome
    assert list(jobs.iterdir()) == []


def test_output_is_cut_and_cleaned(inputs, out):
    outcome = run_code(
        "import os, sys\ndef solve(inputs_dir):\n    print(os.getcwd() + '/x')\n    print('y' * 50000)\n"
        "    sys.stdout.buffer.write(b'\\xff')\n    sys.stderr.write('problem')\n    open(inputs_dir / 'none')\n",
        inputs,
        out,
    )
    assert outcome.stdout.startswith("tmp/x\nyyy")
    assert 9_000 < len(outcome.stdout) <= 10_000
    assert outcome.stderr == "problem"
    assert "'inputs/none'" in outcome.message


def test_runs_side_by_side_do_not_meet(inputs, tmp_path):
    results = {}

    def run(number):
        script = f"CREATE TABLE output_01 AS SELECT {number} AS n"
        results[number] = run_code(script, inputs, tmp_path / str(number))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {n: r.outputs[0].read_text() for n, r in results.items()} == {n: f"n\n{n}\n" for n in range(3)}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "killed"])
def test_nothing_outlives_the_one_who_started_it(inputs, tmp_path, how):
    if how == signal.SIGKILL and sys.platform != "linux":
        pytest.skip("only Linux tells a child of its parent's end")
    program = (
        "import sys, tempfile\nfrom pathlib import Path\nfrom prepsql.sandbox import run_code\n"
        "tempfile.tempdir = sys.argv[1]\nrun_code(sys.argv[3], Path(sys.argv[2]), Path('out'))\n"
    )
    jobs = tmp_path / "jobs"
    jobs.mkdir()
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(jobs), str(inputs), SLEEP], cwd=tmp_path, stderr=subprocess.PIPE
    )
    # the interpreter's own command line holds the code's folder
    wait_until(
        lambda: any(
            (job / "own" / "ready").stat().st_size for job in jobs.iterdir() if (job / "own" / "ready").exists()
        )
    )
    assert len(attack.processes(f"{jobs}/prepsql-job")) >= 1
    os.kill(parent.pid, how)
    _, stderr = parent.communicate(timeout=20)
    wait_until(lambda: not attack.processes(f"{jobs}/prepsql-job"))
    if how == signal.SIGINT:
        assert b"KeyboardInterrupt" in stderr
    else:
        assert len(list(jobs.iterdir())) == 1
        subprocess.run([sys.executable, "-c", program, str(jobs), str(inputs), SQL], cwd=tmp_path, check=True)
    assert list(jobs.iterdir()) == []


def test_nothing_starts_for_one_who_is_gone(inputs, tmp_path, monkeypatch):
    real = os.pipe

    def at_its_end():
        its, mine = real()
        os.close(mine)
        return its, os.open(os.devnull, os.O_RDONLY)

    monkeypatch.setattr("prepsql.sandbox.launch.os.pipe", at_its_end)
    with pytest.raises(SandboxError, match="nothing was run"):
        run_code(SQL, inputs, tmp_path / "out")


def wait_until(true, seconds=20.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)
