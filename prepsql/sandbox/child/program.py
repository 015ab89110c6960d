"""Run a Python program that defines `solve`.

What `solve` gets is decided by its first parameter: the folder of the input files, as a Path, where that is annotated
Path or, without annotation, has "dir", "path" or "folder" in its name; else the dict of tables.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.child.source import Source
from prepsql.sandbox.outcome import Limits, Status

_FOLDER = re.compile(r"dir|path|folder", re.IGNORECASE)
_FORM = "define solve(tables), where tables['input_01'] is a DataFrame, or solve(inputs_dir: Path)"


def run(text: str, folder: Path, limits: Limits) -> Report:
    """Run the program on the inputs in `folder`, and leave its tables there; raise Fault for what it did wrong."""
    source = Source(text, "solve", _FORM)
    with source.faults():
        solve = source.function()
        wants_folder = _wants_folder(solve)
    given = folder / "inputs" if wants_folder else _tables(folder, limits)
    with source.faults():
        result = solve(given)
        from prepsql.sandbox.child import frames

        frames.write(result, folder / "out")
    return Report(Status.OK)


def _wants_folder(solve: Callable[[Any], object]) -> bool:
    parameters = list(inspect.signature(solve).parameters.values())
    if not parameters:
        raise Fault(Report(Status.FAILED, f"solve takes no argument: {_FORM}"))
    first = parameters[0]
    if first.annotation is inspect.Parameter.empty:
        return takes_folder(first.name, "")
    return takes_folder(first.name, getattr(first.annotation, "__name__", None) or str(first.annotation))


def takes_folder(parameter: str, annotation: str) -> bool:
    """Return whether a parameter of solve is the inputs' folder, by its annotation, or its name where it has none."""
    return annotation.rpartition(".")[2] == "Path" if annotation else _FOLDER.search(parameter) is not None


def _tables(folder: Path, limits: Limits) -> dict[str, Any]:
    from prepsql.sandbox.child import frames, sql

    with sql.connect(folder, limits) as con:
        return frames.frames(con, sql.load(con, folder))
