"""Run code that isn't ours, from its text to an outcome."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event

from prepsql.errors import InputError
from prepsql.sandbox.child.report import NOT_THE_CODE
from prepsql.sandbox.collect import collect
from prepsql.sandbox.execute import Terms, Work, execute
from prepsql.sandbox.job import input_files, stage
from prepsql.sandbox.layers import LAYERS, Layer
from prepsql.sandbox.outcome import DEFAULT_LIMITS, Language, Limits, Outcome
from prepsql.sandbox.server import Server

_SUFFIXES: dict[str, Language] = {".sql": "sql", ".py": "pandas"}
_PYTHON = re.compile(r"^(?:def \w+\(|import \w|from \w[\w.]* import )", re.MULTILINE)


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
    server: Server | None = None,
    extra: bool = False,
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
    wherever they lie. Setting `stop` from another thread ends the code at once, with a SandboxError. A `server` that
    was started on the same terms spares the start of a process; `extra`: with what it can import besides.
    """
    return run_behind(
        LAYERS, code, inputs, out, language, limits=limits, accept_risk=accept_risk, hidden=hidden, stop=stop,
        server=server, extra=extra,
    )  # fmt: skip


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
    server: Server | None = None,
    extra: bool = False,
) -> Outcome:
    """Do what `run_code` says, behind those of `layers` that this system has."""
    text, kind = read_code(code, language)
    terms = Terms(limits, accept_risk, hidden, stop, layers, server)
    work = Work(
        kind, text, bring=lambda folder: stage(inputs, folder), take=lambda left: collect(left, Path(out), limits),
        extra=extra,
    )  # fmt: skip
    found, outputs = execute(work, terms)
    if found.message.startswith(NOT_THE_CODE):
        check_inputs(inputs)
    return replace(found, outputs=outputs or ())


def check_inputs(inputs: str | Path | Sequence[str | Path]) -> None:
    """Raise what reading the inputs raises, if it does: then it was not the fault of the code that got them."""
    import duckdb

    from prepsql.tables import load_inputs

    with duckdb.connect() as con:
        load_inputs(con, input_files(inputs))


def read_code(code: str | Path, language: Language | None) -> tuple[str, Language]:
    """Return the code's text and its language: by a file's suffix, or by how a text looks. Else InputError."""
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
