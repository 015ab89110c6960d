"""A workflow as a drawing, in values that the template puts into SVG: a box a step, a line wherever rows go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError
from typing import Any
from unicodedata import east_asian_width

from prepsql.errors import WorkflowError
from prepsql.page.flow_layout import HEIGHT, WIDTH, layout
from prepsql.profile.words import visible
from prepsql.workflow.checks import read_document
from prepsql.workflow.document import Step, parse_json
from prepsql.workflow.operators import OPERATORS

MOST = 150
"""A workflow of more steps isn't drawn."""

_NAME, _SAID = 26, 30
# which parameter says most of a step of that kind
_TELLING = {
    "input": ("path",), "output": ("path",), "filter": ("predicate",), "join": ("how", "on", "left_on", "condition"),
    "aggregate": ("group_keys", "aggs"), "dedup": ("keys",), "sort": ("order_by", "limit"),
    "pivot": ("mode", "columns", "value_vars"), "union": (), "script": ("language",),
    "project": ("promote_header", "compute", "cast", "rename", "select", "drop", "explode", "fill"),
}  # fmt: skip
_LOOKS = {"input": "number", "output": "date", "script": "grave"}


@dataclass(frozen=True)
class Box:
    """A step: its left upper corner, name, kind with what it does, the whole of that with its note, and its colour."""

    x: float
    y: float
    name: str
    said: str
    told: str
    look: str


@dataclass(frozen=True)
class Drawing:
    """A workflow drawn: its size in pixels, its boxes in the document's order, and its lines as paths."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[str, ...]
    box_width: int = WIDTH
    box_height: int = HEIGHT


def flow_drawing(text: str) -> Drawing | None:
    """Return the drawing of a workflow's JSON, also of one that has faults; None where there is nothing to draw.

    That is so of what isn't JSON or has no steps, goes round in a circle, or has more than `MOST` steps.
    """
    try:
        steps = read_document(parse_json(text)).steps
    except WorkflowError:
        return None
    if not 0 < len(steps) <= MOST:
        return None
    parents = {
        name: [source for source in step.inputs.values() if source in steps and source != name]
        for name, step in steps.items()
    }
    try:
        placed = layout(parents)
    except CycleError:
        return None
    boxes = tuple(_box(step, *placed.corners[name]) for name, step in steps.items())
    return Drawing(placed.width, placed.height, boxes, tuple(_path(points) for points in placed.lines.values()))


def _box(step: Step, x: float, y: float) -> Box:
    kind = step.kind or "?"
    words = [word for key in _TELLING.get(kind, tuple(step.params)) if (word := _words(step.params.get(key)))]
    whole = f"{kind}: {' · '.join(words)}" if words else kind
    purpose = OPERATORS[kind].purpose if kind in OPERATORS else "no kind of step"
    told = "\n".join(_cut(line, 400) for line in (f"{step.name}: {purpose}", whole, step.note) if line)
    return Box(x, y, _cut(step.name, _NAME), _cut(whole, _SAID), told, _LOOKS.get(kind, "missing"))


def _words(value: Any) -> str:
    """Return a parameter in few words: of a list of objects what each is called, of a mapping its names."""
    if isinstance(value, Mapping):
        called = next((value[key] for key in ("as", "col", "expr") if isinstance(value.get(key), str)), None)
        return ", ".join(map(str, value)) if called is None else called
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(filter(None, map(_words, value)))
    return "" if value is None or value is False else str(value)


def _cut(text: str, most: int) -> str:
    """Return a text of one line that takes at most the room of so many letters."""
    room = 0
    plain = " ".join(text.split())[: most + 1]
    if not (plain.isascii() and plain.isprintable()):
        plain = "".join("\\" if one == "\\" else visible(one) for one in plain)
    elif len(plain) <= most:
        return plain
    for at, character in enumerate(plain):
        room += 2 if east_asian_width(character) in "WF" else 1
        if room > most:
            return plain[: at - 1] + "…"
    return plain


def _path(points: Sequence[tuple[float, float]]) -> str:
    """Return a line through points as a path: straight down along boxes, bent between them."""
    (x, y), *rest = points
    parts = [f"M{x:.1f} {y:.1f}"]
    for at, (to_x, to_y) in enumerate(rest):
        bend = (to_y - y) / 2
        straight = at % 2 == 1
        parts.append(
            f"L{to_x:.1f} {to_y:.1f}" if straight
            else f"C{x:.1f} {y + bend:.1f} {to_x:.1f} {to_y - bend:.1f} {to_x:.1f} {to_y:.1f}"
        )  # fmt: skip
        x, y = to_x, to_y
    return "".join(parts)
