"""One attack: its file, the scene it is let loose on, and whether it failed for the reason that its header names.

Run as a program, `python attack.py SHARE NAME…` tries each as the user it runs as and prints what went wrong as JSON.
"""

import json
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from prepsql.resources import tasks_dir
from prepsql.sandbox import Limits, job_server, run_transform
from prepsql.sandbox.child.report import Fault
from prepsql.sandbox.child.script import statements
from prepsql.sandbox.layers import LAYERS
from prepsql.sandbox.run import run_behind

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "sandbox" / "attacks"
HIDDEN = Path(os.__file__).with_name("antigravity.py")
SECRETS = (HIDDEN, tasks_dir())
_INPUT = b"id,amount\n1,10\n2,20\n"
_TABLE = pa.table({"id": [1, 2], "amount": [10, 20]})
_AS_INPUT = "0.arrow"
_AS_SCRIPT = """
from pathlib import Path


def transform(df, pd, np):
    return solve(Path("../inputs"))
"""


@dataclass(frozen=True)
class Attack:
    """`expect` is a status (or several, by |) and what the message, standard output or error must say."""

    name: str
    path: Path
    status: frozenset[str]
    reason: str
    limits: Limits

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")


def attacks(kind: str) -> list[Attack]:
    return [_read(path) for path in sorted((FOLDER / kind).iterdir())]


def _read(path: Path) -> Attack:
    header = dict(re.findall(r"^(?:#|--) (expect|limits): (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    status, _, reason = header["expect"].partition(" ")
    given = dict(word.split("=") for word in header.get("limits", "").split())
    limits = Limits(**{"seconds": 30.0} | {k: float(v) if k == "seconds" else int(v) for k, v in given.items()})
    return Attack(f"{path.parent.name}/{path.stem}", path, frozenset(status.split("|")), reason, limits)


def attempt(attack: Attack, layers=LAYERS, as_script=False, server=None) -> list[str]:
    """Try an attack, or its Python in the script of a workflow; return what is wrong about how it ended.

    With a server, which hides `SECRETS`, it is one of the server's jobs.
    """
    scene = Path(tempfile.mkdtemp(prefix="prepsql-scene-"))
    scene.chmod(0o755)
    try:
        return _attempt(attack, scene, layers, as_script, server)
    finally:
        shutil.rmtree(scene)


def _attempt(attack: Attack, scene: Path, layers, as_script, server) -> list[str]:
    token = "token" + secrets.token_hex(12)
    secret, victim, inputs, out = (scene / name for name in ("secret", "victim", "inputs", "out"))
    secret.write_text(token)
    victim.write_text("unharmed")
    victim.chmod(0o644)
    inputs.mkdir()
    (inputs / "input_01.csv").write_bytes(_INPUT)
    gold = next(tasks_dir().rglob("config.json"), tasks_dir() / "none")
    places = {"SECRET": secret, "VICTIM": victim, "FOLDER": scene, "HIDDEN": HIDDEN, "GOLD": gold, "PID": os.getpid()}
    code = re.sub(r"@([A-Z]+)@", lambda match: str(places[match[1]]), attack.text)
    language = "sql" if attack.path.suffix == ".sql" else "pandas"
    os.environ["PREPSQL_TEST_TOKEN"] = token
    walled = any(layer.real for layer in layers)
    if as_script:
        code = re.sub("^# .*\n", "", code, flags=re.MULTILINE).replace("input_01.csv", _AS_INPUT) + _AS_SCRIPT
        outcome = run_transform(
            code, {"df": _TABLE}, "python", limits=attack.limits, hidden=SECRETS, server=server
        ).outcome
    else:
        outcome = run_behind(
            layers, code, inputs, out, language, limits=attack.limits, hidden=SECRETS, accept_risk=not walled,
            server=server,
        )  # fmt: skip
    wrong = _reasons(attack, outcome)
    said = json.dumps(outcome.to_dict()) + "".join(f.read_text(errors="replace") for f in sorted(out.glob("*")))
    if token in said:
        wrong.append("the secret got out")
    if not victim.exists() or (victim.read_text(), victim.stat().st_mode & 0o777) != ("unharmed", 0o644):
        wrong.append("a file outside was changed")
    if (inputs / "input_01.csv").read_bytes() != _INPUT:
        wrong.append("an input was changed")
    left = {path.name for path in scene.iterdir()} - {"secret", "victim", "inputs", "out"}
    expected = ["output_01.csv"] if outcome.status == "ok" else []
    if left or (out.exists() and sorted(path.name for path in out.iterdir()) != expected):
        wrong.append(f"files were left: {left or list(out.iterdir())}")
    return wrong


def _reasons(attack: Attack, outcome) -> list[str]:
    said = "\n".join((outcome.message, outcome.stdout, outcome.stderr))
    return _fits(attack, outcome.status, said)


def _fits(attack: Attack, status: str, said: str) -> list[str]:
    if status not in attack.status or not re.search(attack.reason, said, re.MULTILINE):
        return [f"expected {'|'.join(attack.status)} {attack.reason!r}, got {status} {said[:300]!r}"]
    return []


def refusal(attack: Attack) -> list[str]:
    """Return what is wrong about how the check of a script, which runs nothing, refuses an attack."""
    with duckdb.connect() as con:
        try:
            statements(con, re.sub(r"@[A-Z]+@", "/a/path", attack.text), {"input_01", "raw_input_01"})
        except Fault as fault:
            return _fits(attack, fault.report.status, fault.report.message)
    return ["it was not refused"]


def processes(marker: str) -> list[str]:
    """Return the command lines that hold `marker`."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if marker in line:
            found.append(line)
    return found


def left(marker: str) -> list[str]:
    """Return the command lines that still hold `marker` after a while: who is killed takes a moment to go."""
    end = time.monotonic() + 20
    while processes(marker) and time.monotonic() < end:
        time.sleep(0.05)
    return processes(marker)


def attempt_all(names: list[str], share: int) -> dict[str, list[str]]:
    """Try many at once, for most of them wait; return the faults by name.

    Each of a `share` of the programs has a process of its own, the others are jobs of a server.
    """
    chosen = [attack for kind in ("python", "sql") for attack in attacks(kind) if attack.name in names]
    with job_server("pandas", hidden=SECRETS) as server, ThreadPoolExecutor(4) as pool:

        def faults(number: int, each: Attack) -> list[str]:
            if each.status == {"refused"}:
                return refusal(each)
            alone = number % share == 0 or each.path.suffix == ".sql"
            return attempt(each, server=None if alone else server)

        found = list(pool.map(faults, range(len(chosen)), chosen))
    return {attack.name: wrong for attack, wrong in zip(chosen, found, strict=True) if wrong}


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="prepsql-jobs-")
    tempfile.tempdir = folder
    result = {"user": os.getuid(), "tried": len(sys.argv) - 2, "faults": attempt_all(sys.argv[2:], int(sys.argv[1]))}
    result["left"] = [str(path) for path in Path(folder).iterdir()] + left(folder)
    shutil.rmtree(folder)
    print(json.dumps(result))
