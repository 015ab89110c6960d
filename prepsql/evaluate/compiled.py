"""What the compiler makes of an agent's code at a task's desk, and the proof of what an agent puts in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prepsql.agents.brief import Script
from prepsql.errors import InputError, NotTranslatable, WorkflowError
from prepsql.sandbox import Language

if TYPE_CHECKING:
    from prepsql.translate.run import Translating


class CompiledCode:
    """A translation whose files are named as `solve` names them."""

    def __init__(self, found: Translating) -> None:
        self._found = found
        self.document = _in_folder(found.translation.workflow.to_dict())

    @property
    def proven(self) -> bool:
        """Whether it gives what the code gives."""
        return self._found.translation.proven

    @cached_property
    def scripts(self) -> tuple[Script, ...]:
        """Its script steps, with what they take and give."""
        found = self._found.translation
        if not found.scripts:
            return ()
        columns = found.workflow.columns()
        nodes = self.document["nodes"]
        return tuple(
            Script(
                one.step, one.language, nodes[one.step]["params"]["code"], one.reason,
                {source: columns[source] for source in nodes[one.step]["inputs"].values()}, columns[one.step],
            )
            for one in found.scripts
        )  # fmt: skip

    def against(self, document: Mapping[str, Any]) -> str:
        """Return what speaks against another workflow: its problems, else the first proof that isn't sound."""
        from prepsql.workflow import Workflow

        own = self._found.translation.workflow.document["nodes"]
        nodes = {name: own[name] if name in own and own[name]["kind"] == "input" else node
                 for name, node in document["nodes"].items()}  # fmt: skip
        problems = Workflow({"nodes": nodes}, self._found.inputs).check()
        return "\n".join(map(str, problems)) or self._found.against(nodes)


@contextmanager
def compiled(
    inputs: Sequence[Path], text: str, language: Language, options: Mapping[str, Any]
) -> Iterator[CompiledCode | None]:
    """Translate code, and keep what the proof takes until the block ends; None where it can't be translated.

    `options` are those of `translate`.
    """
    from prepsql.translate.run import translating

    found: Translating | None = None
    with ExitStack() as stack:
        # the code has run on these inputs: that it fails while it's traced, or nests too deep, is no fault of theirs
        with suppress(NotTranslatable, WorkflowError, InputError, RecursionError):
            found = stack.enter_context(translating(text, list(inputs), language, edges=False, **options))
        yield CompiledCode(found) if found else None


def _in_folder(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a workflow that reads its files where `solve` puts them."""
    nodes = {}
    for name, node in document["nodes"].items():
        if node["kind"] == "input" and node["params"].get("path"):
            node = {**node, "params": {**node["params"], "path": f"inputs/{node['params']['path']}"}}
        nodes[name] = node
    return {**document, "nodes": nodes}
