"""What every run shares: a job folder, the layers that there are, a process inside them, and a verdict."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Event
from typing import Any, Generic, Literal, TypeVar

from prepsql.errors import SandboxError
from prepsql.sandbox import reads, verdict
from prepsql.sandbox.job import Job, job_folder
from prepsql.sandbox.launch import launch
from prepsql.sandbox.layers import LAYERS, Layer, bubblewrap, environment, seccomp
from prepsql.sandbox.outcome import DEFAULT_LIMITS, Limits, Outcome
from prepsql.sandbox.server import Gone, Server

Kind = Literal["sql", "pandas", "transform", "query", "scalar"]
T_co = TypeVar("T_co", covariant=True)
_START = """
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    told = json.load(file)
sys.path += told["import_path"]
from prepsql.sandbox.child.main import main
from prepsql.sandbox.child.parent import end_with_parent
end_with_parent(int(sys.argv[4]))
main(told, int(sys.argv[2]), int(sys.argv[3]))
"""


@dataclass(frozen=True)
class Terms:
    """On what terms code runs; `run_code` says what each means."""

    limits: Limits = DEFAULT_LIMITS
    accept_risk: bool = False
    hidden: Sequence[Path] = ()
    stop: Event | None = None
    layers: Sequence[Layer] = LAYERS
    server: Server | None = None

    def active(self) -> list[Layer]:
        """Return those layers that this system has; raise SandboxError where none of them keeps files."""
        active = [layer for layer in self.layers if layer.missing() is None]
        if not self.accept_risk and not any(layer.real for layer in active):
            lacking = "; ".join(f"{x.name}: {x.missing() or 'switched off'}" for x in LAYERS if x.real)
            raise SandboxError(f"nothing here keeps files from code that isn't ours ({lacking}); --accept-risk runs it")
        return active


@dataclass(frozen=True)
class Work(Generic[T_co]):
    """One kind of code with its inputs and its result.

    `bring` puts the inputs into a folder. `take` takes over what was left in another, once all went well, and raises
    Unacceptable where it isn't what the kind may leave. `options` tell the child more, as plain values. `extra`:
    it wants what a server can import besides.
    """

    kind: Kind
    text: str
    bring: Callable[[Path], object]
    take: Callable[[Path], T_co]
    options: Mapping[str, Any] = field(default_factory=dict)
    extra: bool = False


def execute(work: Work[T_co], terms: Terms) -> tuple[Outcome, T_co | None]:
    """Run the code in a process of its own; return what came of it and, where that is ok, what was taken over."""
    active = terms.active()
    if terms.server is not None and terms.server.fits(active, terms.hidden, terms.limits):
        with suppress(Gone):
            return _execute(work, terms, active, terms.server)
    return _execute(work, terms, active, None)


def _execute(
    work: Work[T_co], terms: Terms, active: Sequence[Layer], server: Server | None
) -> tuple[Outcome, T_co | None]:
    allowed = reads.readable(terms.hidden)
    with job_folder(server.folder if server else None) as job:
        work.bring(job.inputs)
        command = _prepare(job, work, active, allowed, terms.limits)
        variables = environment.variables(str(job.tmp), terms.limits.threads)
        if server:
            ended = server.run(variables, job, terms.limits, terms.stop, extra=work.extra)
        else:
            ended = launch(command, variables, job, terms.limits, terms.stop)
        entry = "solve" if work.kind == "pandas" else "transform"
        found = verdict.outcome(ended, job, terms.limits, tuple(layer.name for layer in active), entry)
        return verdict.accepted(found, job, work.take)


def _prepare(job: Job, work: Work[T_co], active: Sequence[Layer], allowed: reads.Reads, limits: Limits) -> list[str]:
    """Write what the child is told, and return the command that starts it."""
    (job.code / "code").write_text(work.text, encoding="utf-8", errors="replace", newline="")
    names = [layer.name for layer in active]
    contents = [*allowed.contents, str(job.inputs), str(job.code)]
    writes = [str(job.out), str(job.tmp)]
    told = {
        "kind": work.kind,
        "options": work.options,
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
