"""Steps don't depend on one another in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from prepsql.workflow.document import Document, Step
from prepsql.workflow.problem import Problem


def sequence(steps: Mapping[str, Step]) -> list[str]:
    """Return the names of steps so that each comes after those it takes rows from, else as in the document.

    Raises graphlib.CycleError where there is a circle.
    """
    sorter = TopologicalSorter({name: [s for s in step.inputs.values() if s in steps] for name, step in steps.items()})
    sorter.prepare()
    place = {name: i for i, name in enumerate(steps)}
    done: list[str] = []
    ready = list(sorter.get_ready())
    while ready:
        ready.sort(key=place.__getitem__)
        name = ready.pop(0)
        done.append(name)
        sorter.done(name)
        ready += sorter.get_ready()
    return done


def uncircled(steps: Mapping[str, Step]) -> tuple[dict[str, Step], list[list[str]]]:
    """Return the steps with the input that closes each circle cut off (it names '' then), and the ways round.

    A way begins and ends with the first of its steps in the document; each step takes rows from the next.
    """
    steps = dict(steps)
    ways: list[list[str]] = []
    while True:
        try:
            sequence(steps)
            return steps, ways
        except CycleError as circle:
            round_ = list(reversed(circle.args[1]))
            first = min(round_, key=list(steps).index)
            start = round_.index(first)
            way = [*round_[start:-1], *round_[:start], first]
            ways.append(way)
            inputs = {port: "" if source == way[1] else source for port, source in steps[first].inputs.items()}
            steps[first] = replace(steps[first], inputs=inputs)


def cycles(document: Document) -> Iterator[Problem]:
    """Yield one problem for a circle, at the first of its steps in the document."""
    for way in uncircled(document.steps)[1]:
        what = "the step takes its own rows" if len(way) == 2 else "steps depend on one another in a circle"
        yield Problem(
            way[0], "inputs", "cycle", f"{what}: {' → '.join(way)}", "let one of them take its rows from elsewhere"
        )
