"""The process of a run: put the layers on, say so, run the code, report, end."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from prepsql.sandbox.child.faults import message_of, status_of
from prepsql.sandbox.child.report import NOT_THE_CODE, Fault, Report
from prepsql.sandbox.layers import landlock, rlimits, seccomp
from prepsql.sandbox.outcome import SCRIPT_CHARACTERS, Limits, Status

_SHORTER = "make it two steps, or do part of it in steps of other kinds"


def main(told: Mapping[str, Any], ready: int, report: int) -> None:
    """Run what the parent told; never returns."""
    usage = _open_usage()
    limits = Limits(**told["limits"])
    _lock(told, limits)
    os.write(ready, b"ready")
    os.close(ready)
    try:
        said = _run(told, limits)
    except Fault as fault:
        said = fault.report
    except Exception as failure:  # the inputs can't be read, or the limits leave no room for the engine
        said = Report(status_of(failure), f"{NOT_THE_CODE}{message_of(failure)}")
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    said.send(report, _peak_memory_mb(usage))
    os._exit(0)  # neither threads nor exit handlers of the code get another turn


def _lock(told: Mapping[str, Any], limits: Limits) -> None:
    """Put on every layer that the parent chose; any failure ends the process before the code is read."""
    layers = told["layers"]
    if "rlimits" in layers:
        rlimits.apply(limits)
    if "landlock" in layers:
        landlock.apply(told["reads"], told["lists"], told["writes"])
    if "seccomp" in layers:
        seccomp.apply(bytes.fromhex(told["filter"]))


def _run(told: Mapping[str, Any], limits: Limits) -> Report:
    folder = Path(told["folder"])
    text = (folder / "code" / "code").read_text(encoding="utf-8")
    options = told["options"]
    if told["kind"] in ("sql", "pandas"):
        return _candidate(told["kind"], text, folder, limits, several=options.get("several", False))
    if len(text) > SCRIPT_CHARACTERS:
        raise Fault(
            Report(
                Status.REFUSED, f"the script has {len(text):,} characters, more than {SCRIPT_CHARACTERS:,}: {_SHORTER}"
            )
        )
    if told["kind"] == "query":
        from prepsql.sandbox.child import query

        return query.run(text, folder, limits, options["tables"])
    if told["kind"] == "transform":
        from prepsql.sandbox.child import transform

        return transform.run(text, folder, limits, options["tables"])
    from prepsql.sandbox.child import scalar

    return scalar.run(text, folder, options["returns"])


def _candidate(kind: str, text: str, folder: Path, limits: Limits, *, several: bool) -> Report:
    language = importlib.import_module(f"prepsql.sandbox.child.{'sql' if kind == 'sql' else 'program'}")
    once: Callable[[str, Path, Limits], Report] = language.run
    if not several:
        return once(text, folder, limits)
    from prepsql.sandbox.child.several import run_sets

    return run_sets(once, folder, limits)


def _open_usage() -> int | None:
    """Open this process's own figures while that is still allowed."""
    with suppress(OSError):
        return os.open("/proc/self/status", os.O_RDONLY)
    return None


def _peak_memory_mb(usage: int | None) -> float:
    import resource

    with suppress(OSError, StopIteration, ValueError):
        lines = os.pread(-1 if usage is None else usage, 1 << 16, 0).decode().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
