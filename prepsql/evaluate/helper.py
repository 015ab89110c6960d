"""What a run's helpers do: work of ours that takes the interpreter's time, so that threads would wait for one another.

Run as a program, this is a helper: it takes calls from its standard input and answers on its standard output, one after
the other, until the other side closes it.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from prepsql.agents.explore import profiled
from prepsql.errors import NotTranslatable, PrepsqlError, WorkflowError
from prepsql.sandbox import Language


def compiled(
    text: str, inputs: Sequence[Path], language: Language, options: Mapping[str, Any]
) -> tuple[str | None, bool]:
    """Translate code; return the workflow as JSON, None where there is none, and whether it's proven."""
    from prepsql.translate import translate

    try:
        found = translate(text, list(inputs), language, **options)
    except (NotTranslatable, WorkflowError):
        return None, False
    return json.dumps(_in_folder(found.workflow.to_dict()), ensure_ascii=False), found.proven


def _in_folder(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a workflow that reads its files where `solve` puts them."""
    nodes = {}
    for name, node in document["nodes"].items():
        if node["kind"] == "input" and node["params"].get("path"):
            node = {**node, "params": {**node["params"], "path": f"inputs/{node['params']['path']}"}}
        nodes[name] = node
    return {**document, "nodes": nodes}


TASKS: dict[str, Callable[..., Any]] = {"profiled": profiled, "compiled": compiled}
"""What can be asked for, by name."""


def main() -> None:
    """Answer calls: pairs of a name and arguments come in, pairs of whether it went well and the result go out."""
    from prepsql.sandbox.child.parent import end_with_parent

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked ends this process
    end_with_parent()
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    while True:
        try:
            name, arguments = pickle.load(asked)  # noqa: S301 - from the process that started this one
        except EOFError:
            return
        try:
            answer = True, TASKS[name](*arguments)
        except PrepsqlError as wrong:
            answer = False, f"{wrong}"
        except Exception as fault:  # the caller says whose fault it was
            answer = False, f"{type(fault).__name__}: {fault}"
        told.write(pickle.dumps(answer))
        told.flush()


if __name__ == "__main__":
    sys.exit(main())
