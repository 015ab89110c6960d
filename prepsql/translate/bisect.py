"""Which part of the code a workflow says wrongly: the first tables on the way that aren't the code's own."""

from __future__ import annotations

from collections.abc import Mapping
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


def culprits(draft: Draft, case: Case, proof: Proof, front: FrontEnd, code: str, terms: Terms) -> dict[str, str]:
    """Return the origins that must give way for a proof that speaks against the draft, and why.

    An origin is at fault where its table isn't the code's own, though those before it are. Where no table on the way
    differs, or none can be had, it's the last origin before what failed, or before the outputs that differ.
    """
    found = _first_unlike(draft, case, front, code, terms)
    return found or _nearest(draft, proof, _failing(draft, case, terms))


def _first_unlike(draft: Draft, case: Case, front: FrontEnd, code: str, terms: Terms) -> dict[str, str]:
    if front.witness is None or not draft.checkpoints:
        return {}
    nodes: dict[str, Any] = draft.document["nodes"]
    points = {origin: step for origin, step in draft.checkpoints.items() if step in nodes}
    with scratch_folder("prepsql-bisect-") as scratch:
        own = front.witness(code, case.inputs, list(points), scratch / "own", terms)
        points = {origin: step for origin, step in points.items() if origin in own}
        made = _tables(draft, points, case, scratch / "made", terms)
        proofs = compare_files([_pair(origin, own[origin], made[origin]) for origin in made])
    unlike = {proof.path: proof for proof in proofs if proof.verdict is Verdict.DIFFERENT}
    if front.in_order and not unlike:
        unlike = {proof.path: proof for proof in proofs if proof.verdict is Verdict.REORDERED}
    return {origin: proof.message for origin, proof in unlike.items() if not _before(nodes, points, origin, unlike)}


def _before(nodes: graph.Nodes, points: Mapping[str, str], origin: str, unlike: Mapping[str, OutputProof]) -> bool:
    """Return whether the table of another origin that is unlike lies before this one's."""
    before = graph.ancestors(nodes, [points[origin]])
    return any(points[other] in before for other in unlike if other != origin and points[other] != points[origin])


def _tables(draft: Draft, points: Mapping[str, str], case: Case, out: Path, terms: Terms) -> dict[str, Path]:
    """Return the workflow's tables of these origins, as files: of all at once, else of each for itself.

    One that can't be had because the workflow fails is left out; so are those after it.
    """
    paths = {origin: _TABLE.format(number) for number, origin in enumerate(points)}
    try:
        _run(draft, {points[origin]: path for origin, path in paths.items()}, case, out, terms)
    except PrepsqlError:
        for origin, path in paths.items():
            try:
                _run(draft, {points[origin]: path}, case, out, terms)
            except PrepsqlError:
                continue
    return {origin: out / path for origin, path in paths.items() if (out / path).exists()}


def _run(draft: Draft, wanted: Mapping[str, str], case: Case, out: Path, terms: Terms) -> None:
    """Run as much of the workflow as it takes to write the tables of some steps."""
    nodes = graph.only(draft.document["nodes"], wanted)
    for number, (step, path) in enumerate(wanted.items()):
        nodes[f"prepsql_table_{number}"] = {"kind": "output", "inputs": {"in": step}, "params": {"path": path}}
    nodes = {name: node for name, node in nodes.items() if node["kind"] != "output" or name.startswith("prepsql_")}
    Workflow({**draft.document, "nodes": nodes}).run(case.inputs, out, **terms.options)


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
            Workflow(draft.document).run(case.inputs, out, **terms.options)
        except PrepsqlError as wrong:
            return failed_steps(wrong)
    return set()


def _nearest(draft: Draft, proof: Proof, failing: set[str]) -> dict[str, str]:
    nodes: dict[str, Any] = draft.document["nodes"]
    bad = {output.path for output in proof.outputs if output.verdict is Verdict.DIFFERENT}
    ends = [step for step in failing if step in nodes]
    ends = ends or [step for path, step in graph.outputs(nodes) if path in bad or not bad]
    before = graph.ancestors(nodes, ends)
    for step in reversed(graph.ordered(nodes)):
        if step in before and step in draft.origins and nodes[step]["kind"] != "script":
            return {draft.origins[step]: proof.message}
    return {}
