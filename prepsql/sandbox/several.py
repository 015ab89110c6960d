"""Run code on several sets of inputs, the same or some for each set, at the cost of one process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event

from prepsql.sandbox.child.several import CODE, WHY
from prepsql.sandbox.collect import Unacceptable, collect, open_plain
from prepsql.sandbox.execute import Terms, Work, execute
from prepsql.sandbox.job import stage
from prepsql.sandbox.outcome import DEFAULT_LIMITS, Language, Limits, Status
from prepsql.sandbox.server import Server

_SHOWN = 4_000


def run_several(
    code: str | Mapping[str, str],
    sets: Mapping[str, Path | Sequence[Path]],
    out: Path,
    language: Language,
    *,
    limits: Limits = DEFAULT_LIMITS,
    accept_risk: bool = False,
    hidden: Sequence[Path] = (),
    stop: Event | None = None,
    server: Server | None = None,
) -> dict[str, str]:
    """Run code as `run_code` does, on each of several sets of inputs; return by name why it failed, '' where it ran.

    A set is a folder or some files; `code` is for all, or for each by its name. The tables of a set are left in the
    folder of its name in `out`. All share one process and its limits: where it ends
    before its time, as at a limit, no set ran. A program is read anew for each set; what it did to modules that it
    imports stays. Sets see one another's files, so what comes back is as honest as the code is.

    Raises what `run_code` raises, but for inputs that can't be read, which are the set's failure.
    """

    def bring(inputs: Path) -> None:
        for name, given in sets.items():
            place = _places(inputs) / name
            for part in ("inputs", "out", "tmp"):
                (place / part).mkdir(parents=True)
            stage(given, place / "inputs")
            text = code if isinstance(code, str) else code[name]
            (place / CODE).write_text(text, encoding="utf-8", errors="replace", newline="")

    def take(left: Path) -> dict[str, str]:
        return {name: _take(_places(left) / name, out / name, limits) for name in sets}

    work = Work(language, "", bring, take, {"several": True})
    found, taken = execute(work, Terms(limits, accept_risk, hidden, stop, server=server))
    if found.status is not Status.OK or taken is None:
        return dict.fromkeys(sets, found.message or found.status.value)
    return taken


def _places(beside: Path) -> Path:
    """Return the folder of the sets: where the code may write, since each holds its own outputs."""
    return beside.parent / "tmp" / "sets"


def _take(place: Path, out: Path, limits: Limits) -> str:
    try:
        if (place / "out").resolve() != place.resolve() / "out":
            raise Unacceptable("the folder of outputs is a link")
        if (place / WHY).exists():
            with open_plain(place / WHY, limits) as file:
                return file.read(_SHOWN).decode("utf-8", errors="replace") or "no reason given"
        collect(place / "out", out, limits)
    except Unacceptable as fault:
        return str(fault)
    return ""
