"""Every step reaches an output, and every output has a file of its own."""

from __future__ import annotations

from collections.abc import Iterator

from prepsql.workflow.document import Document
from prepsql.workflow.problem import Problem


def reach(document: Document) -> Iterator[Problem]:
    """Yield steps that reach no output, a document without one, and outputs that share a path."""
    outputs = [step for step in document.steps.values() if step.kind == "output"]
    if not outputs:
        yield Problem(
            "", "nodes", "no_output", "no step writes anything",
            'end with {"kind": "output", "inputs": {"in": …}, "params": {"path": "output_01.csv"}}',
        )  # fmt: skip
        return
    reached = {step.name for step in outputs}
    left = list(reached)
    while left:
        for source in document.steps[left.pop()].inputs.values():
            if source in document.steps and source not in reached:
                reached.add(source)
                left.append(source)
    for name in document.steps:
        if name not in reached:
            yield Problem(
                name, "", "unused_step", "the step reaches no output", "connect it to an output, or leave it out"
            )
    paths: dict[str, str] = {}
    for step in outputs:
        path = str(step.params.get("path", "")).lower()
        if path in paths:
            yield Problem(
                step.name, "path", "bad_value", f"'{paths[path]}' writes the same file", "give each output its own path"
            )
        paths.setdefault(path, step.name)
