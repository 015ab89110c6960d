"""A part of the action Translate: the model writes steps in the place of those that the compiler left as scripts."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from prepsql.agents.brief import TRANSLATE_ATTEMPTS, Brief, Compiled, Desk
from prepsql.agents.operators_described import operators_described
from prepsql.agents.prompts import prompt
from prepsql.agents.talk import NoReply, Talk
from prepsql.llm.model import Model
from prepsql.llm.replies import json_of
from prepsql.translate import graph
from prepsql.workflow import schema

Nodes = Mapping[str, Mapping[str, Any]]

NOT_PROVEN = "not proven"
"""What an attempt is recorded as whose steps aren't proven to give what the scripts gave."""
_READ = {
    "type": "object",
    "properties": {"nodes": {"type": "object", "additionalProperties": {"type": "object"}}},
    "required": ["nodes"],
}
_NO_REPLACEMENT = ("input", "output", "script")


class Unfit(Exception):
    """Steps that can't take a script's place; the message is for the model."""


def replace_scripts(brief: Brief, desk: Desk, model: Model, compiled: Compiled, temperature: float) -> Sequence[str]:
    """Leave a workflow with fewer scripts at the desk, where one can be proven; return the scripts that are left.

    The workflow that is at the desk already stands where none can. Each reply is an attempt.
    """
    document, left = compiled.document, [one.step for one in compiled.scripts]
    talk = Talk(model, brief, "translate", temperature)
    talk.say(prompt("replace", operators=operators_described(), scripts=compiled.scripts,
                    document=json.dumps(document, ensure_ascii=False)), "system")  # fmt: skip
    talk.say("Write the steps.")
    for _ in range(TRANSLATE_ATTEMPTS):
        try:
            nodes = talk.once(form(), lambda text: json_of(text, _READ))["nodes"]
        except NoReply as none:
            desk.fail("translate", none.text, none.result, str(none))
            continue
        if not nodes:
            desk.fail("translate", "{}", NOT_PROVEN, f"the model leaves as scripts: {', '.join(left)}")
            break
        try:
            taken, wrong = _proven(compiled, document, parted(document, left, nodes))
        except Unfit as unfit:
            taken, wrong = {}, str(unfit)
        if taken:
            tried = desk.run_flow(json.dumps(with_parts(document, taken), ensure_ascii=False))
            taken, wrong = (taken, wrong) if tried.ok else ({}, tried.message)
            document = with_parts(document, taken)
            left = [step for step in left if step not in taken]
        else:
            desk.fail("translate", json.dumps(nodes, ensure_ascii=False), NOT_PROVEN, wrong)
        if not left:
            break
        talk.say(prompt("unproven", taken=list(taken), left=left, wrong=wrong))
    return left


def form() -> Mapping[str, Any]:
    """Return the JSON Schema of a reply: a workflow's, of steps that may take a script's place."""
    whole = schema()
    nodes = whole["properties"]["nodes"]
    kinds = [one for one in nodes["additionalProperties"]["oneOf"]
             if one["properties"]["kind"]["const"] not in _NO_REPLACEMENT]  # fmt: skip
    return {
        "type": "object",
        "properties": {"nodes": {**nodes, "additionalProperties": {"oneOf": kinds}}},
        "required": ["nodes"],
        "additionalProperties": False,
        "$defs": whole["$defs"],
    }


def parted(document: Mapping[str, Any], scripts: Collection[str], nodes: Nodes) -> dict[str, Nodes]:
    """Return for each script that these nodes replace the steps in its place, its own the last; raise Unfit.

    A step that none of them needs is left out.
    """
    there = document["nodes"]
    for name, node in nodes.items():
        if name in there and name not in scripts:
            raise Unfit(f"step '{name}': the workflow has another step of that name, which stays; take another name")
        if node.get("kind") in _NO_REPLACEMENT:
            raise Unfit(f"step '{name}': a step of kind {node['kind']} can't take a script's place")
    found: dict[str, Nodes] = {}
    for script in (name for name in scripts if name in nodes):
        new = {name: node for name, node in nodes.items() if name not in there}
        own = _ancestors({**new, script: nodes[script]}, [script])
        found[script] = {**{name: node for name, node in new.items() if name in own}, script: nodes[script]}
    if not found:
        raise Unfit(f"no step is called {' or '.join(scripts)}: the last step in a script's place has its name")
    return found


def with_parts(document: Mapping[str, Any], parts: Mapping[str, Nodes]) -> dict[str, Any]:
    """Return a workflow with steps where each of these scripts stood; steps from which no output is reached go."""
    nodes: dict[str, Any] = {}
    for name, node in document["nodes"].items():
        nodes |= parts.get(name, {name: node})
    kept = _ancestors(nodes, [name for name, node in nodes.items() if node.get("kind") == "output"])
    return {**document, "nodes": {name: node for name, node in nodes.items() if name in kept}}


def _proven(
    compiled: Compiled, document: Mapping[str, Any], parts: Mapping[str, Nodes]
) -> tuple[dict[str, Nodes], str]:
    """Return the parts that are proven, all together or one by one, and what speaks against all."""
    wrong = compiled.against(with_parts(document, parts))
    if not wrong or len(parts) == 1:
        return ({} if wrong else {**parts}), wrong
    taken: dict[str, Nodes] = {}
    for script, part in parts.items():
        if not compiled.against(with_parts(document, {**taken, script: part})):
            taken[script] = part
    return taken, wrong


def _ancestors(nodes: Nodes, steps: Sequence[str]) -> set[str]:
    """Return these steps and all that they take rows from; what isn't there, or is no name, is left to the check."""
    links = {name: {"inputs": {"in": [one for one in _sources(node) if one in nodes]}} for name, node in nodes.items()}
    return graph.ancestors(links, steps)


def _sources(node: Mapping[str, Any]) -> Iterator[str]:
    inputs = node.get("inputs")
    for value in inputs.values() if isinstance(inputs, dict) else ():
        yield from (name for name in (value if isinstance(value, list) else [value]) if isinstance(name, str))
