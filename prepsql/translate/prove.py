"""The proof: a workflow runs where its code ran, and their outputs are compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from prepsql.errors import OtherColumnsError, PrepsqlError, WorkflowError
from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.own import Case
from prepsql.translate.same import Pair, compare_files
from prepsql.translate.terms import Terms
from prepsql.translate.translation import GIVEN, OutputProof, Proof, Verdict
from prepsql.workflow import Problem

_STEP = re.compile(r"step '(\w+)'")
_AT_ONCE = 2
_WORST = (Verdict.DIFFERENT, Verdict.FLAGGED, Verdict.REORDERED, Verdict.EQUAL)


def prove(draft: Draft, cases: Sequence[Case], out: Path, terms: Terms) -> tuple[Proof, ...]:
    """Return the proof on each set of inputs, in their order, or only the first, where that isn't sound.

    Two run at a time. What the workflow writes is left in `made_in(out, case)`.
    """
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        first, *others = [pool.submit(prove_case, draft, case, made_in(out, case), terms) for case in cases]
        if first.result().sound:
            return tuple(each.result() for each in (first, *others))
        for each in others:
            each.cancel()
        return (first.result(),)


def made_in(out: Path, case: Case) -> Path:
    """Return the folder of a workflow's outputs on the inputs of a case."""
    return out / case.name


def prove_case(draft: Draft, case: Case, out: Path, terms: Terms) -> Proof:
    """Run the workflow on one set of inputs, and compare its outputs, left in `out`, with the code's own.

    A difference, or a failure of the workflow, is `flagged` where a step before says that it holds for inputs like the
    given ones only.
    """
    if case.failure:
        return Proof(case.name, Verdict.NOT_APPLICABLE, message=_line(case.failure), edge=case.edge)
    try:
        draft.workflow.run(case.inputs, out, **terms.options)
    except PrepsqlError as wrong:
        if terms.stop is not None and terms.stop.is_set():
            raise
        flag = case.name != GIVEN and _flag(draft, failed_steps(wrong))
        verdict = Verdict.FLAGGED if flag else Verdict.FAILED
        reshaped = wrong.step if isinstance(wrong, OtherColumnsError) and case.name != GIVEN else ""
        return Proof(case.name, verdict, message=_line(str(wrong)), edge=case.edge, reshaped=reshaped)
    compared = compare_outputs(draft, case.own, out)
    if case.name != GIVEN:
        compared = [_flagged(draft, _empty(proof, case.own, out)) for proof in compared]
    worst = next((verdict for verdict in _WORST if any(p.verdict is verdict for p in compared)), Verdict.EQUAL)
    message = next((f"{p.path}: {p.message}" for p in compared if p.verdict is worst and p.message), "")
    return Proof(case.name, worst, tuple(compared), message, case.edge)


def _empty(proof: OutputProof, own: Path, made: Path) -> OutputProof:
    """Return the proof, equal where neither has a row, and the code so not even columns (a table of an empty list)."""
    files = own / proof.path, made / proof.path
    if proof.verdict is not Verdict.DIFFERENT or not all(file.is_file() for file in files):
        return proof
    first, second = (file.read_text(encoding="utf-8", errors="replace") for file in files)
    nothing = not first.strip().strip('"') and len(second.splitlines()) <= 1
    return replace(proof, verdict=Verdict.EQUAL, message="") if nothing else proof


def compare_outputs(draft: Draft, own: Path, made: Path) -> list[OutputProof]:
    """Compare all outputs of a workflow, in the folder `made`, with the code's own; one that only one has differs."""
    expected = {path.name for path in own.glob("output_*.csv")}
    found = {path for path, _ in graph.outputs(draft.document["nodes"])}
    pairs = [Pair(path, own / path, made / path, draft.ordered.get(path, ())) for path in sorted(expected & found)]
    proofs = compare_files(pairs)
    for path in sorted(expected ^ found):
        who = "the workflow doesn't write it" if path in expected else "the code doesn't write it"
        proofs.append(OutputProof(path, Verdict.DIFFERENT, 0, who))
    return sorted(proofs, key=lambda proof: proof.path)


def failed_steps(wrong: Exception) -> set[str]:
    """Return the steps that an error names, none where it names none."""
    problems = wrong.problems if isinstance(wrong, WorkflowError) else ()
    named = {problem.step for problem in problems if isinstance(problem, Problem) and problem.step}
    return named or set(_STEP.findall(str(wrong)))


def _flagged(draft: Draft, proof: OutputProof) -> OutputProof:
    if proof.verdict is Verdict.DIFFERENT:
        flag = _flag(draft, [step for path, step in graph.outputs(draft.document["nodes"]) if path == proof.path])
        if flag:
            return replace(proof, verdict=Verdict.FLAGGED, message=f"{proof.message}; step '{flag[0]}' {flag[1]}")
    return proof


def _flag(draft: Draft, steps: Iterable[str]) -> tuple[str, str] | None:
    """Return which of these steps, or of those before them, is specialised, and to what."""
    nodes: dict[str, Any] = draft.document["nodes"]
    before = graph.ancestors(nodes, [step for step in steps if step in nodes] or list(nodes))
    return next(((step, why) for step, why in draft.specialised.items() if step in before), None)


def _line(text: str) -> str:
    """Return what an error says first; what follows are places in the code, and hints."""
    lines = text.strip().splitlines() or [""]
    return " ".join(lines[0].split())
