"""From code to a proven workflow."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from prepsql.errors import InputError
from prepsql.sandbox import DEFAULT_LIMITS, Language, Limits, Server, job_server, stage
from prepsql.sandbox.run import read_code
from prepsql.scratch import scratch_folder

if TYPE_CHECKING:
    from prepsql.translate.search import Attempt, Search
    from prepsql.translate.translation import GaveWay, Translation

EXTRA: Mapping[Language, Sequence[str]] = {"pandas": ("prepsql.translate.pandas.tracing",)}
"""What a server must be able to import besides: what programs are traced with."""


def translate(
    code: str | Path,
    inputs: str | Path | Sequence[str | Path],
    language: Language | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    accept_risk: bool = False,
    hidden: Sequence[Path] = (),
) -> Translation:
    """Turn a candidate's SQL script or pandas program into a workflow, and prove that its outputs are the code's own.

    `code` and `inputs` are as for `run_code`: text or the Path of a .sql or .py file; a folder, or the files. The
    workflow names its input files as they are called there. What the proof speaks against becomes a script step; where
    that doesn't help, the translation isn't `proven` and its `proofs` say what differs. `limits` are those of each run.

    Raises NotTranslatable where not even scripts can say the code or it fails on these inputs itself, else what
    `run_code` raises for code and inputs that can't be read, and where nothing here keeps files from code.
    """
    with translating(code, inputs, language, limits=limits, accept_risk=accept_risk, hidden=hidden) as found:
        return found.translation


@dataclass(frozen=True)
class Translating:
    """A translation whose runs of the code are still there, so that other workflows can be proven by them.

    `inputs` is the folder of the input files.
    """

    translation: Translation
    inputs: Path
    _search: Search

    def against(self, nodes: Mapping[str, Any]) -> str:
        """Return what speaks against these nodes in the place of the translation's own, '' where they are proven.

        They run on the same inputs and are held against the same outputs. That a step before is specialised excuses a
        difference only where the translation itself differs too.
        """
        from prepsql.translate.translation import GIVEN, Verdict

        flagged = {proof.inputs for proof in self.translation.proofs if proof.verdict is Verdict.FLAGGED}
        for proof in self._search.prove_nodes(nodes).proofs:
            excused = proof.verdict is not Verdict.FLAGGED or proof.inputs in flagged
            if not proof.edge and not (proof.sound and excused):
                where = "the given inputs" if proof.inputs == GIVEN else f"changed inputs ({proof.inputs})"
                return f"on {where}: {proof.message}"
        return ""


@contextmanager
def translating(
    code: str | Path,
    inputs: str | Path | Sequence[str | Path],
    language: Language | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    accept_risk: bool = False,
    hidden: Sequence[Path] = (),
    server: Server | None = None,
    edges: bool = True,
    stop: Event | None = None,
) -> Iterator[Translating]:
    """Yield what `translate` returns, and keep what the proof takes until the block ends; raises as it does.

    A `server` on the same terms that can import EXTRA spares the start of one. Without `edges` there are no proofs on
    inputs with a row or none, which decide nothing. Setting `stop` ends it with an error.
    """
    start = time.monotonic()
    text, kind = read_code(code, language)
    with (
        scratch_folder("prepsql-translate-") as scratch,
        ThreadPoolExecutor(1) as beside,
        nullcontext(server) if server else job_server(kind, EXTRA.get(kind, ()), limits=limits, hidden=hidden) as jobs,
    ):
        # what it takes is loaded while the server starts, and the rest while the code becomes a first draft
        from prepsql.translate.front_ends import front_end
        from prepsql.translate.terms import Terms

        folder, front = _folder(inputs, scratch), front_end(kind)
        terms = Terms(limits, accept_risk, hidden, jobs, edges, stop)
        first = beside.submit(front.translate, text, folder, terms=terms)
        from prepsql.translate.search import Search

        search = Search(text, front, folder, scratch, terms, first)
        best = search.run()
        found = _translation(best, kind, folder, search.gave_way, time.monotonic() - start)
        yield Translating(found, folder, search)


def _folder(inputs: str | Path | Sequence[str | Path], scratch: Path) -> Path:
    if isinstance(inputs, str | Path) and Path(inputs).is_dir():
        return Path(inputs)
    if isinstance(inputs, str | Path) and not Path(inputs).exists():
        raise InputError(f"{inputs}: no such folder; name the one with the input files")
    folder = scratch / "inputs"
    folder.mkdir()
    stage(inputs, folder)
    return folder


def _translation(
    attempt: Attempt, language: Language, folder: Path, gave_way: Sequence[GaveWay], seconds: float
) -> Translation:
    from prepsql.translate.translation import ScriptStep, Translation
    from prepsql.workflow import Workflow

    draft = attempt.draft
    nodes = draft.document["nodes"]
    scripts = tuple(
        ScriptStep(name, node["params"].get("language", "python"), len(node["params"].get("code", "")),
                   draft.reasons.get(name, "no reason given"))
        for name, node in nodes.items()
        if node["kind"] == "script"
    )  # fmt: skip
    specialised = {name: why for name, why in draft.specialised.items() if name in nodes}
    return Translation(
        Workflow(draft.document, folder), language, attempt.proofs, scripts, specialised, tuple(gave_way),
        round(seconds, 3),
    )  # fmt: skip
