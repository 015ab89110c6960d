"""Run a Python program that defines `solve`.

What `solve` gets is decided by its first parameter: the folder of the input files, as a Path, where that is annotated
Path or, without annotation, has "dir", "path" or "folder" in its name; else the dict of tables.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from prepsql.sandbox.child.faults import message_of, status_of
from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.outcome import Limits, Status

NAME = "solve.py"
_FRAMES = 5
_FOLDER = re.compile(r"dir|path|folder", re.IGNORECASE)
_FORM = "define solve(tables), where tables['input_01'] is a DataFrame, or solve(inputs_dir: Path)"


def run(text: str, folder: Path, limits: Limits) -> Report:
    """Run the program on the inputs in `folder`, and leave its tables there; raise Fault for what it did wrong."""
    with _faults_of(text):
        solve = _solve(text)
        wants_folder = _wants_folder(solve)
    given = folder / "inputs" if wants_folder else _tables(folder, limits)
    with _faults_of(text):
        result = solve(given)
        from prepsql.sandbox.child import frames

        frames.write(result, folder / "out")
    return Report(Status.OK)


@contextmanager
def _faults_of(text: str) -> Iterator[None]:
    """Turn what the program does wrong into a Fault; SystemExit and KeyboardInterrupt too are its own."""
    try:
        yield
    except Fault:
        raise
    except BaseException as failure:
        raise Fault(_explain(failure, text.splitlines())) from None


def _solve(text: str) -> Callable[[Any], object]:
    space: dict[str, Any] = {"__name__": "solve", "__file__": NAME}
    exec(compile(text, NAME, "exec", dont_inherit=True), space)
    solve = space.get("solve")
    if not callable(solve):
        raise Fault(Report(Status.FAILED, f"the program has no function solve: {_FORM}"))
    found: Callable[[Any], object] = solve
    return found


def _wants_folder(solve: Callable[[Any], object]) -> bool:
    parameters = list(inspect.signature(solve).parameters.values())
    if not parameters:
        raise Fault(Report(Status.FAILED, f"solve takes no argument: {_FORM}"))
    first = parameters[0]
    if first.annotation is not inspect.Parameter.empty:
        name = getattr(first.annotation, "__name__", None) or str(first.annotation)
        return name.rpartition(".")[2] == "Path"
    return bool(_FOLDER.search(first.name))


def _tables(folder: Path, limits: Limits) -> dict[str, Any]:
    from prepsql.sandbox.child import frames, sql

    with sql.connect(folder, limits) as con:
        return frames.frames(con, sql.load(con, folder))


def _explain(failure: BaseException, lines: list[str]) -> Report:
    """Return what went wrong, with the program's own lines alone."""
    kind = type(failure).__name__
    what = f"{kind}: {message_of(failure)}"
    if isinstance(failure, PermissionError):
        what += " (the sandbox allows no network, no other program, and no file but the inputs and the current folder)"
    if isinstance(failure, SystemExit):
        what = f"the program called exit ({message_of(failure) or 'no code'}): return tables from solve instead"
    if isinstance(failure, SyntaxError) and failure.filename == NAME:
        where = [(failure.lineno or 1, "")]
        what = f"{kind}: {failure.msg}"
    else:
        where = _own_frames(failure.__traceback__)
    shown = [f"  {NAME}, line {n}{name}: {''.join(lines[n - 1 : n]).strip()}" for n, name in where[-_FRAMES:]]
    return Report(status_of(failure), "\n".join([what, *shown]), line=where[-1][0] if where else None)


def _own_frames(trace: TracebackType | None) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == NAME:
            name = "" if code.co_name == "<module>" else f", in {code.co_name}"
            found.append((trace.tb_lineno, name))
        trace = trace.tb_next
    return found
