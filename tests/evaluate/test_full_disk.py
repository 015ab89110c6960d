"""A disk that fills up during a run: one line says so, what was finished is kept, and the run can go on."""

import json
import subprocess
import sys

import pytest

# on a small disk in a mount namespace of its own: prints what came of a run that was starved, and of resuming it
SCRIPT = """
import json, subprocess, sys, time
from pathlib import Path
disk, suite = Path(sys.argv[1]), Path(sys.argv[2])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=70m", "tmpfs", disk], check=True)
run = disk / "run"
command = [sys.executable, "-m", "prepsql.cli", "eval", "--suite", suite, "--task", "[abs]*", "--jobs", "1"]
command = list(map(str, [*command, "--out", run, "--accept-risk", "--json"]))
process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
lines = run / "transcript.jsonl"
while process.poll() is None and not (lines.is_file() and lines.read_text()):
    time.sleep(0.02)
with (disk / "filler").open("wb", buffering=0) as filler:
    try:
        while True:
            filler.write(bytes(4096))
    except OSError:
        pass
out, err = process.communicate(timeout=60)
(disk / "filler").unlink()
kept = len(lines.read_text().splitlines())
again = subprocess.run(command, capture_output=True, text=True, timeout=60)
print(json.dumps({"code": process.returncode, "out": out, "err": err, "kept": kept,
                  "again": again.returncode, "verdicts": json.loads(again.stdout)["verdicts"]}))
"""


def test_a_disk_that_fills_up_is_said_and_the_run_resumes(suite_copy, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["unshare", "--mount", "--map-root-user", sys.executable, "-c", SCRIPT, str(disk), str(suite_copy)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    except FileNotFoundError:
        pytest.skip("no unshare here: a full disk can't be made")
    if "unshare:" in done.stderr or "mount" in done.stderr:
        pytest.skip("no right to mount a small disk here")
    found = json.loads(done.stdout)
    assert (found["code"], found["out"]) == (2, "")
    assert len(found["err"].splitlines()) == 1, found["err"]
    assert "space" in found["err"]
    assert found["kept"] >= 1
    results = {(v["task"], v["way"]): v["result"] for v in found["verdicts"]}
    assert results["adds_up", "sql"] == "correct"
    assert results["sql_only", "sql"] == "correct"
    assert "infrastructure" not in results.values()
