"""Run code that isn't ours, from its text to an outcome."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Event
from typing import Literal

from prepsql.errors import InputError, SandboxError
from prepsql.sandbox import reads, verdict
from prepsql.sandbox.child.report import NOT_THE_CODE
from prepsql.sandbox.job import Job, input_files, job_folder, stage
from prepsql.sandbox.launch import launch
from prepsql.sandbox.layers import LAYERS, Layer, bubblewrap, environment, seccomp
from prepsql.sandbox.outcome import DEFAULT_LIMITS, Limits, Outcome

Language = Literal["sql", "pandas"]
_SUFFIXES: dict[str, Language] = {".sql": "sql", ".py": "pandas"}
_PYTHON = re.compile(r"^(?:def \w+\(|import \w|from \w[\w.]* import )", re.MULTILINE)
_START = """
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    told = json.load(file)
sys.path += told["import_path"]
from prepsql.sandbox.child.main import main
main(told, int(sys.argv[2]), int(sys.argv[3]))
"""


def run_code(
    code: str | Path,
    inputs: str | Path | Sequence[str | Path],
    out: str | Path,
    language: Language | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    accept_risk: bool = False,
    hidden: Sequence[Path] = (),
    stop: Event | None = None,
) -> Outcome:
    """Run a candidate's SQL script or Python program on the inputs, and leave its tables in `out`.

    `code` is text, never opened as a file, or the Path of a .sql or .py file. `inputs` is a folder, all of whose
    files count, or the files themselves: the code gets copies. SQL is a script of `CREATE … AS SELECT` that defines
    output_01, …; Python has `solve(tables) -> dict` or `solve(inputs_dir: Path) -> dict`. Each output becomes
    `out/output_NN.csv`, its rows in the order of the code's own table; older outputs there go. Without status ok
    `out` stays as it was.

    What the code does never raises: it's in the outcome. Raises InputError or ReadError where an input or the code
    is missing or can't be read, WriteError where `out` can't be written, SandboxError where no layer here keeps
    files from the code (Landlock or bubblewrap would) and `accept_risk` is false. `hidden` paths stay unreadable
    wherever they lie. Setting `stop` from another thread ends the code at once, with a SandboxError.
    """
    return run_behind(
        LAYERS, code, inputs, out, language, limits=limits, accept_risk=accept_risk, hidden=hidden, stop=stop
    )


def run_behind(
    layers: Sequence[Layer],
    code: str | Path,
    inputs: str | Path | Sequence[str | Path],
    out: str | Path,
    language: Language | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    accept_risk: bool = False,
    hidden: Sequence[Path] = (),
    stop: Event | None = None,
) -> Outcome:
    """Do what `run_code` says, behind those of `layers` that this system has."""
    active = [layer for layer in layers if layer.missing() is None]
    if not accept_risk and not any(layer.real for layer in active):
        lacking = "; ".join(f"{x.name}: {x.missing() or 'switched off'}" for x in LAYERS if x.real)
        raise SandboxError(f"nothing here keeps files from code that isn't ours ({lacking}); --accept-risk runs it")
    text, kind = _read(code, language)
    allowed = reads.readable(hidden)
    with job_folder() as job:
        stage(inputs, job.inputs)
        command = _prepare(job, text, kind, active, allowed, limits)
        ended = launch(command, environment.variables(str(job.tmp), limits.threads), job, limits, stop)
        found = verdict.outcome(ended, job, Path(out), limits, tuple(layer.name for layer in active))
    if found.message.startswith(NOT_THE_CODE):
        _check_inputs(inputs)
    return found


def _check_inputs(inputs: str | Path | Sequence[str | Path]) -> None:
    """Raise what reading the inputs raises: then it was not the code's fault, whatever the child says."""
    import duckdb

    from prepsql.tables import load_inputs

    with duckdb.connect() as con:
        load_inputs(con, input_files(inputs))


def _read(code: str | Path, language: Language | None) -> tuple[str, Language]:
    if isinstance(code, str):
        return code, language or ("pandas" if _PYTHON.search(code) else "sql")
    try:
        text = code.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as failure:
        raise InputError(f"code {code}: {getattr(failure, 'strerror', None) or 'not UTF-8 text'}") from failure
    kind = language or _SUFFIXES.get(code.suffix.lower())
    if kind is None:
        raise InputError(f"code {code}: its language is unknown; name it .sql or .py, or give the language")
    return text, kind


def _prepare(
    job: Job, text: str, kind: Language, active: Sequence[Layer], allowed: reads.Reads, limits: Limits
) -> list[str]:
    """Write what the child is told, and return the command that starts it."""
    (job.code / "code").write_text(text, encoding="utf-8", errors="replace", newline="")
    names = [layer.name for layer in active]
    contents = [*allowed.contents, str(job.inputs), str(job.code)]
    writes = [str(job.out), str(job.tmp)]
    told = {
        "language": kind,
        "folder": str(job.root),
        "import_path": reads.import_path(),
        "limits": asdict(limits),
        "layers": names,
        "reads": contents,
        "lists": allowed.listings,
        "writes": writes,
        "filter": seccomp.program().hex() if "seccomp" in names else "",
    }
    (job.code / "told.json").write_text(json.dumps(told), encoding="utf-8")
    python = [reads.interpreter(), "-P", "-s", "-S", "-B", "-c", _START]
    inner = [*python, str(job.code / "told.json")]
    if "bubblewrap" in names:
        return bubblewrap.command(inner, contents, writes, str(job.tmp))
    return inner
