"""Which part of the code a workflow says wrongly: the first tables on the way that aren't the code's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from prepsql.errors import PrepsqlError
from prepsql.scratch import scratch_folder
from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.front_ends import FrontEnd
from prepsql.translate.own import Case
from prepsql.translate.prove import failed_steps
from prepsql.translate.same import Pair, compare_files
from prepsql.translate.terms import Terms
from prepsql.translate.translation import OutputProof, Proof, Verdict
from prepsql.workflow import Workflow

_TABLE = "table_{:04}.csv"


def culprits(
    draft: Draft, case: Case, proof: Proof, front: FrontEnd, code: str, terms: Terms, avoid: Set[str] = frozenset()
) -> dict[str, str]:
    """Return the origins that must give way for a proof that speaks against the draft, and why.

    An origin is at fault where its table isn't the code's own, or can't be had, though those before it are. Where no
    table on the way is at fault that isn't avoided yet, it's the last origin before what failed, or before the outputs
    that differ.
    """
    found = _first_unlike(draft, case, front, code, terms)
    found = {origin: why for origin, why in found.items() if origin not in avoid}
    return found or _nearest(draft, proof, _failing(draft, case, terms), avoid)


def _first_unlike(draft: Draft, case: Case, front: FrontEnd, code: str, terms: Terms) -> dict[str, str]:
    if front.witness is None or not draft.checkpoints:
        return {}
    nodes = draft.traced
    points = {origin: step for origin, step in draft.checkpoints.items() if step in nodes}
    with scratch_folder("prepsql-bisect-") as scratch:
        own = front.witness(code, case.inputs, list(points), scratch / "own", terms)
        points = {origin: step for origin, step in points.items() if origin in own}
        made, unlike = _tables(draft, points, case, scratch / "made", terms)
        return _first(
            nodes, points, unlike, lambda origin: compare_files([_pair(origin, own[origin], made[origin])])[0],
            front.in_order,
        )  # fmt: skip


def _first(
    nodes: graph.Nodes, points: Mapping[str, str], failed: Mapping[str, str],
    compared: Callable[[str], OutputProof], in_order: bool,
) -> dict[str, str]:  # fmt: skip
    """Return the first origins whose tables differ, or failed; what comes after one of them isn't compared."""
    reached = {origin: graph.ancestors(nodes, [step]) for origin, step in points.items()}
    users = graph.users(nodes)
    led = {origin: reached[origin] - _leading(nodes, users, step) for origin, step in points.items()}
    first: dict[str, str] = {}
    reordered: dict[str, str] = {}

    def comes_after(origin: str, others: Mapping[str, str]) -> bool:
        return any(led[other] and led[other] <= reached[origin] for other in others)

    for origin in points:
        if comes_after(origin, first):
            continue
        if origin in failed:
            first[origin] = failed[origin]
            continue
        proof = compared(origin)
        if proof.verdict is Verdict.DIFFERENT:
            first[origin] = proof.message
        elif in_order and proof.verdict is Verdict.REORDERED and not comes_after(origin, reordered):
            reordered[origin] = proof.message
    return first or reordered


def _leading(nodes: graph.Nodes, users: Mapping[str, list[str]], step: str) -> set[str]:
    """Return the steps that lead nowhere but to this one, which itself leads nowhere."""
    found: set[str] = set()
    waiting = [step]
    while waiting:
        one = waiting.pop()
        if set(users[one]) <= found:
            found.add(one)
            waiting += graph.sources(nodes[one])
    return found


def _tables(
    draft: Draft, points: Mapping[str, str], case: Case, out: Path, terms: Terms
) -> tuple[dict[str, Path], dict[str, str]]:
    """Return the workflow's tables of these origins as files, and why those can't be had that come after a failure."""
    left = {origin: (step, _TABLE.format(number)) for number, (origin, step) in enumerate(points.items())}
    failed: dict[str, str] = {}
    while left:
        try:
            _run(draft, list(left.values()), case, out, terms)
            break
        except PrepsqlError as wrong:
            bad = failed_steps(wrong)
            lost = [origin for origin, (step, _) in left.items() if bad & graph.ancestors(draft.traced, [step])]
            lost += [] if lost else left
            failed |= dict.fromkeys(lost, " ".join(str(wrong).split()))
            left = {origin: found for origin, found in left.items() if origin not in failed}
    return {origin: out / path for origin, (_, path) in left.items()}, failed


def _run(draft: Draft, wanted: Sequence[tuple[str, str]], case: Case, out: Path, terms: Terms) -> None:
    """Run as much of the workflow as it takes to write the tables of some steps."""
    nodes = graph.only(draft.traced, [step for step, _ in wanted])
    for number, (step, path) in enumerate(wanted):
        nodes[f"prepsql_table_{number}"] = {"kind": "output", "inputs": {"in": step}, "params": {"path": path}}
    nodes = {name: node for name, node in nodes.items() if node["kind"] != "output" or name.startswith("prepsql_")}
    # each step as a table: the outputs share them
    Workflow({**draft.document, "nodes": nodes}).run(case.inputs, out, **terms.options, trace=True)


def _pair(origin: str, own: Path, made: Path) -> Pair:
    """Return both tables for the columns that they share: a workflow may drop early what isn't used, or keep more."""
    names = [_header(own), _header(made)]
    shared = [name for name in names[0] if name in names[1]]
    return Pair(origin, own, made, columns=shared)


def _header(path: Path) -> list[str]:
    from prepsql.compare.reading import output_columns

    return list(output_columns(path))


def _failing(draft: Draft, case: Case, terms: Terms) -> set[str]:
    """Return the steps that fail on these inputs, as far as the error tells them."""
    with scratch_folder("prepsql-bisect-") as out:
        try:
            draft.workflow.run(case.inputs, out, **terms.options)
        except PrepsqlError as wrong:
            return failed_steps(wrong)
    return set()


def _nearest(draft: Draft, proof: Proof, failing: set[str], avoid: Set[str]) -> dict[str, str]:
    nodes: dict[str, Any] = draft.document["nodes"]
    bad = {output.path for output in proof.outputs if output.verdict is Verdict.DIFFERENT}
    ends = [step for step in failing if step in nodes]
    ends = ends or [step for path, step in graph.outputs(nodes) if path in bad or not bad]
    before = graph.ancestors(nodes, ends)
    for step in reversed(graph.ordered(nodes)):
        origin = draft.origins.get(step)
        if step in before and origin and origin not in avoid and nodes[step]["kind"] != "script":
            return {origin: proof.message}
    return {}
