"""Where the steps of a workflow stand in its drawing: in layers from top to bottom, no line through a box."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import pairwise

WIDTH, HEIGHT = 208, 46
"""The size of a box, in pixels."""

_BETWEEN, _BELOW, _MARGIN, _LANE = 22, 34, 8, 12
_SWEEPS = 8

_Place = tuple[str, str, int]
"""A step, or a place where a line passes a layer: (from, to, layer), of a step (name, '', layer)."""


@dataclass(frozen=True)
class Layout:
    """The left upper corner of each step's box, and of each line (from, to) the points that it goes through."""

    width: float
    height: float
    corners: Mapping[str, tuple[float, float]]
    lines: Mapping[tuple[str, str], tuple[tuple[float, float], ...]]


def layout(parents: Mapping[str, Sequence[str]]) -> Layout:
    """Return where each step stands, given the steps that each takes its rows from; raises CycleError for a circle."""
    depth = _depths(parents)
    pairs = dict.fromkeys((parent, step) for step, sources in parents.items() for parent in sources)
    chains = {pair: _chain(*pair, depth) for pair in pairs}
    rows: list[list[_Place]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    steps: list[_Place] = [(name, "", depth[name]) for name in parents]
    for place in dict.fromkeys([*steps, *(place for chain in chains.values() for place in chain)]):
        rows[place[2]].append(place)
    near = _neighbours(chains.values())
    _order(rows, near)
    centre = _centres(rows, near)
    left = min((centre[place] - _half(place) for row in rows for place in row), default=0) - _MARGIN
    right = max((centre[place] + _half(place) for row in rows for place in row), default=0) + _MARGIN
    top = {at: _MARGIN + at * (HEIGHT + _BELOW) for at in range(len(rows))}
    corners = {name: (centre[name, "", depth[name]] - WIDTH / 2 - left, float(top[depth[name]])) for name in parents}
    lines = {pair: _points(chain, centre, top, left) for pair, chain in chains.items()}
    return Layout(right - left, 2 * _MARGIN + len(rows) * (HEIGHT + _BELOW) - _BELOW, corners, lines)


def _depths(parents: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return each step's layer: below all that it takes rows from; one that takes none just above who needs it."""
    depth: dict[str, int] = {}
    for name in TopologicalSorter(parents).static_order():
        depth[name] = max((depth[parent] + 1 for parent in parents[name]), default=0)
    for name, sources in parents.items():
        used = [depth[child] for child, others in parents.items() if name in others]
        if not sources and used:
            depth[name] = min(used) - 1
    return depth


def _chain(parent: str, step: str, depth: Mapping[str, int]) -> list[_Place]:
    between: list[_Place] = [(parent, step, at) for at in range(depth[parent] + 1, depth[step])]
    return [(parent, "", depth[parent]), *between, (step, "", depth[step])]


def _neighbours(chains: Iterable[Sequence[_Place]]) -> dict[_Place, list[_Place]]:
    near: dict[_Place, list[_Place]] = {}
    for chain in chains:
        for one, other in pairwise(chain):
            near.setdefault(one, []).append(other)
            near.setdefault(other, []).append(one)
    return near


def _order(rows: list[list[_Place]], near: Mapping[_Place, Sequence[_Place]]) -> None:
    """Put each layer in the order of what its places are joined to, down and up in turn."""
    for sweep in range(_SWEEPS):
        step = 1 if sweep % 2 == 0 else -1
        for at in range(len(rows))[::step]:
            if 0 <= at - step < len(rows):
                position = {place: n for n, place in enumerate(rows[at - step])}
                means = {place: _mean(place, near, position, n) for n, place in enumerate(rows[at])}
                rows[at].sort(key=means.__getitem__)


def _mean(place: _Place, near: Mapping[_Place, Sequence[_Place]], at: Mapping[_Place, float], alone: float) -> float:
    """Return the middle of what a place is joined to, as far as it's known; `alone` where nothing is."""
    known = [at[other] for other in near.get(place, ()) if other in at]
    return sum(known) / len(known) if known else alone


def _centres(rows: Sequence[Sequence[_Place]], near: Mapping[_Place, Sequence[_Place]]) -> dict[_Place, float]:
    """Return the middle of each place: below what it is joined to, as far as its neighbours in the layer allow.

    First all settle between what is above and below; then each goes straight below what it comes from.
    """
    centre: dict[_Place, float] = {}
    for row in rows:
        packed = _apart(row, [0.0] * len(row))
        centre |= dict(zip(row, packed, strict=True))
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = [_mean(place, near, centre, centre[place]) for place in row]
            centre |= dict(zip(row, _apart(row, wanted), strict=True))
    for above, row in pairwise([[], *rows]):
        known = {place: centre[place] for place in above}
        wanted = [_mean(place, near, known, _mean(place, near, centre, centre[place])) for place in row]
        centre |= dict(zip(row, _apart(row, wanted), strict=True))
    return centre


def _apart(row: Sequence[_Place], wanted: Sequence[float]) -> list[float]:
    """Return places as near to where they are wanted as keeps them apart: halfway of pushing all right, and left."""
    steps = [_half(one) + _half(other) + _BETWEEN for one, other in pairwise(row)]
    right, left = list(wanted), list(wanted)
    for at, step in enumerate(steps, 1):
        right[at] = max(right[at], right[at - 1] + step)
    for at in range(len(steps) - 1, -1, -1):
        left[at] = min(left[at], left[at + 1] - steps[at])
    return [(one + other) / 2 for one, other in zip(right, left, strict=True)]


def _half(place: _Place) -> float:
    return _LANE / 2 if place[1] else WIDTH / 2


def _points(
    chain: Sequence[_Place], centre: Mapping[_Place, float], top: Mapping[int, float], left: float
) -> tuple[tuple[float, float], ...]:
    first, *between, last = chain
    points = [(centre[first] - left, top[first[2]] + HEIGHT)]
    for place in between:
        points += [(centre[place] - left, top[place[2]]), (centre[place] - left, top[place[2]] + HEIGHT)]
    return (*points, (centre[last] - left, top[last[2]]))
