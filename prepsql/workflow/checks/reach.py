"""Every step reaches an output, and every output has a file of its own."""

from __future__ import annotations

from collections.abc import Iterator

from prepsql.workflow.document import Document
from prepsql.workflow.problem import Problem, nearest

_INPUTS = {"input": 0, "join": 2}
# how many inputs a step has at least, where it isn't one


def reach(document: Document) -> Iterator[Problem]:
    """Yield steps that reach no output, a document without one, and outputs that share a path."""
    outputs = [step for step in document.steps.values() if step.kind == "output"]
    if not document.steps:
        return
    if not outputs and not all(step.kind for step in document.steps.values()):
        return  # a step whose kind nobody knows may be one
    if not outputs:
        yield Problem(
            "", "nodes", "no_output", "no step writes anything",
            'end with {"kind": "output", "inputs": {"in": …}, "params": {"path": "output_01.csv"}}',
        )  # fmt: skip
        return
    reached = {step.name for step in outputs}
    left = list(reached)
    # where the inputs of a step that counts aren't known, nobody can say which steps it would have reached
    unsure = {name for name, step in document.steps.items() if len(step.inputs) < _INPUTS.get(step.kind, 1)}
    known = True
    while left:
        name = left.pop()
        known = known and name not in unsure
        for source in document.steps[name].inputs.values():
            meant = source if source in document.steps else nearest(source, document.steps)
            known = known and bool(meant)
            if meant and meant not in reached:
                reached.add(meant)
                left.append(meant)
    for name, step in document.steps.items():
        if known and step.kind and name not in reached:
            yield Problem(
                name, "", "unused_step", "the step reaches no output", "connect it to an output, or leave it out"
            )
    paths: dict[str, str] = {}
    for step in outputs:
        path = str(step.params.get("path", "")).lower()
        if path and path in paths:
            yield Problem(
                step.name, "path", "bad_value", f"'{paths[path]}' writes the same file", "give each output its own path"
            )
        paths.setdefault(path, step.name)
