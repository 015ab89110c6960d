"""Every input names a step that is there and gives rows."""

from __future__ import annotations

from collections.abc import Iterator

from prepsql.workflow.document import Document
from prepsql.workflow.problem import Problem, did_you_mean, listing


def references(document: Document) -> Iterator[Problem]:
    """Yield inputs that name no step, or an output."""
    for step in document.steps.values():
        for port, source in step.inputs.items():
            parameter = f"inputs.items[{port}]" if port.isdigit() else f"inputs.{port}"
            if source not in document.steps:
                others = [name for name in document.steps if name != step.name]
                yield Problem(
                    step.name, parameter, "unknown_step", f"no step '{source}' (has: {listing(others)})",
                    did_you_mean(source, others),
                )  # fmt: skip
            elif document.steps[source].kind == "output":
                yield Problem(
                    step.name, parameter, "bad_ports", f"'{source}' is an output and gives no rows",
                    "take the step that the output takes",
                )  # fmt: skip
