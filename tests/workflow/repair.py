"""A mechanical repairer: it reads nothing but a workflow's problems, and does what their suggestions say."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prepsql.workflow import Workflow
from prepsql.workflow.problem import Problem

_MEANT = re.compile(r"did you mean '(.+?)'\?")
_QUOTED = re.compile(r"'(.+?)'")


def repaired(document: Any, inputs: Path, rounds: int = 6) -> Workflow:
    """Return the workflow after at most so many rounds of check and repair."""
    flow = Workflow(copy.deepcopy(document))
    for _ in range(rounds):
        problems = flow.check(inputs)
        if not problems:
            break
        repaired = copy.deepcopy(dict(flow.document))
        # the innermost first: a parameter's new name changes the paths of what is in it
        for problem in sorted(problems, key=lambda p: -p.parameter.count(".") - p.parameter.count("[")):
            mend(repaired, problem)
        flow = Workflow(repaired)
    return flow


def mend(document: dict[str, Any], problem: Problem) -> None:
    """Do what the suggestion says, where it is one of a few forms."""
    if problem.code == "unused_step":
        del document["nodes"][problem.step]
        return
    node = document.get("nodes", {}).get(problem.step) if problem.step else document
    at = _place(node, problem.parameter)
    if at is None:
        return
    holder, key = at
    meant = _MEANT.search(problem.suggestion)
    written = re.match(r"write (\[.*\]|\{.*\}|\".*\"|true|false|-?\d+)$", problem.suggestion)
    if written and "…" not in written[1] and "step}" not in written[1]:
        holder[key] = json.loads(written[1])
    elif meant and problem.code == "unknown_parameter":
        _rename(holder, key, meant[1])
    elif meant and (problem.code == "unknown_kind" or problem.code == "bad_value" or problem.code == "bad_input"):
        holder[key] = meant[1]
    elif re.match(r"leave (\w+ )?out\b|leave it out", problem.suggestion):
        del holder[key]
    elif problem.suggestion == "parameters of the operator belong in params":
        holder.setdefault("params", {})[key] = holder.pop(key)
    else:
        _in_text(holder, key, problem, meant[1] if meant else "")


def _in_text(holder: Any, key: Any, problem: Problem, meant: str) -> None:
    """Replace a name in a text, or the text that is the name; a name that is a key is renamed."""
    old = _QUOTED.search(problem.message)
    alone = re.match(r"write the column alone: (.+)$", problem.suggestion)
    quoted = re.match(r"(?:for text write it in single quotes|a part of a date is text): ('.+')$", problem.suggestion)
    number = re.match(r"write ('(.+?)') for equal text", problem.suggestion)
    value = holder[key]
    called = re.match(r"write (\w+)\(", problem.suggestion) if problem.code == "unknown_function" else None
    if meant and old and key == old[1]:
        _rename(holder, key, meant)
    elif not isinstance(value, str):
        return
    elif meant and old:
        holder[key] = re.sub(rf"(?<!\w){re.escape(old[1])}(?!\w)", meant, value)
    elif called and old:
        holder[key] = value.replace(f"{old[1]}(", f"{called[1]}(")
    elif alone:
        holder[key] = re.sub(rf"\w+\[['\"]{re.escape(alone[1])}['\"]\]", alone[1], value)
    elif quoted:
        name = quoted[1].strip("'")
        holder[key] = re.sub(rf"\"{name}\"|(?<!['\w]){name}(?!['\w])", quoted[1], value, count=1)
    elif number:
        holder[key] = re.sub(rf"(?<!['\w.]){re.escape(number[2])}(?!['\w.])", number[1], value)
    elif sign := re.search(r"there is no \S+ (\S+) ", problem.message):
        other = re.search(r"write (AND|OR|\|\|)", problem.suggestion)
        holder[key] = value.replace(sign[1], other[1]) if other else value
    elif problem.suggestion == "leave out the ;":
        holder[key] = value.rstrip().rstrip(";")
    elif problem.suggestion == "leave out the = at the beginning":
        holder[key] = value.lstrip().removeprefix("=")
    elif problem.suggestion == "close the parenthesis with )":
        holder[key] = f"{value})"
    elif problem.suggestion.startswith("leave out AS"):
        holder[key] = re.sub(r"(?i)\s+AS\s+\w+\s*$", "", value)


def _place(node: Any, parameter: str) -> tuple[Any, Any] | None:
    """Return the object or list that holds a parameter, and its key there."""
    if not isinstance(node, dict) or not parameter:
        return None
    parts: Sequence[str | int] = [int(n) if n else name for n, name in re.findall(r"\[(\d+)\]|([^.\[\]]+)", parameter)]
    if parts[0] not in node and "params" in node:
        node = node["params"]
    for part in parts[:-1]:
        try:
            node = node[part]
        except (KeyError, IndexError, TypeError):
            return None
    last = parts[-1]
    there = last in node if isinstance(node, dict) else isinstance(node, list) and isinstance(last, int)
    return (node, last) if there else None


def _rename(holder: dict[str, Any], old: str, new: str) -> None:
    """Rename a key in its place."""
    pairs = [(new if key == old else key, value) for key, value in holder.items()]
    holder.clear()
    holder.update(pairs)
