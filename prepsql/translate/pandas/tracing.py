"""Inside the sandbox: run a program, instrumented, and return the workflow that it stands for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells, tracked
from prepsql.translate.pandas.carried import only_scripts_write
from prepsql.translate.pandas.emit import Emitter
from prepsql.translate.pandas.hooked import HOOKS
from prepsql.translate.pandas.hooks import Hooks
from prepsql.translate.pandas.instrument import instrument
from prepsql.translate.pandas.names import RETURNED
from prepsql.translate.pandas.opaque import opaque
from prepsql.translate.pandas.points import framed
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.translate.pandas.rules.reading import of_table
from prepsql.translate.pandas.slices import Program


def trace(program: str, given: Path | Mapping[str, pd.DataFrame], avoid: Sequence[str] = ()) -> dict[str, Any]:
    """Return the draft's fields; raises what the program raises, or NotTranslatable."""
    tracked.forget()
    folder = None if isinstance(given, Mapping) else Path(given)
    hooks = Hooks(Program(program), avoid=frozenset(avoid), folder=folder)
    solve = _solve(program, hooks)
    if isinstance(given, Mapping):
        for name, frame in given.items():
            hooks.bind(frame, of_table(name, frame))
    outputs = solve(given)
    emitter = Emitter()
    for key, frame in outputs.items():
        name = key.removesuffix(".csv")
        symbol = hooks.symbol(frame)
        lost = isinstance(symbol, FrameSymbol) and any(map(only_scripts_write, symbol.columns.values()))
        if symbol is None or lost:
            # only scripts can write what only scripts understand
            last = hooks.finished
            hooks.bind(frame, opaque(hooks, last[0], RETURNED, frame, last[1], key) if last else None)
            symbol = hooks.symbol(frame)
        if not isinstance(symbol, FrameSymbol):
            reasons = "; ".join(f"line {line}: {why}" for line, why in sorted(hooks.why.items()))
            raise NotTranslatable(f"{name}: {reasons or 'its origin is not understood'}")
        emitter.output(name, symbol, frame)
    emitter.assume(hooks.assumed)
    nodes = dict(emitter.nodes)
    checkpoints = {}
    for place, table in hooks.points.symbols.items():
        if step := emitter.point(table):
            checkpoints[place] = step
    return {
        "document": {"name": "translated", "nodes": nodes},
        "aside": emitter.nodes,
        "checkpoints": checkpoints,
        "reasons": emitter.reasons,
        "specialised": emitter.specialised,
        "origins": emitter.origins,
    }


class _Watching(Hooks):
    """Hooks that understand nothing, and keep the tables of some places."""

    def watch(self, places: Sequence[str]) -> dict[str, pd.DataFrame]:
        """Return what will have the tables of these places."""
        self.wanted, self.seen = frozenset(places), dict[str, pd.DataFrame]()
        return self.seen

    def _noted(self, line: int, result: object, rule: Callable[[], Any]) -> None:
        return

    def _over(self, line: int, iterable: Any) -> None:
        return

    def end(self, line: int, number: int, names: dict[str, Any]) -> None:
        """Keep the tables at the end of a statement."""
        if self.quiet or not self.activations:
            return
        for place, table in self.points.after(self.activations[-1], number, line, names):
            if place in self.wanted:
                self.seen[place] = framed(table).copy()


def watched(program: str, given: Any, places: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the program's own tables at those of some places where it comes by: output_0001 is the first of them."""
    hooks = _Watching(Program(program))
    seen = hooks.watch(places)
    _solve(program, hooks)(given)
    return {f"output_{at:04}": seen[place] for at, place in enumerate(places, 1) if place in seen}


def _solve(program: str, hooks: Hooks) -> Callable[[Any], Mapping[str, pd.DataFrame]]:
    """Return the program's solve, instrumented."""
    names: dict[str, Any] = {HOOKS: hooks, "__name__": "program"}
    exec(compile(instrument(program), cells.PROGRAM, "exec"), names)
    solve: Callable[[Any], Mapping[str, pd.DataFrame]] = names["solve"]
    return solve


def traced(program: str, given: Any, avoid: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the draft as a table of one cell, which is how it leaves the sandbox."""
    try:
        fields = trace(program, given, avoid)
    except NotTranslatable as reason:
        fields = {"refused": str(reason)}
    return {"output_01": pd.DataFrame({"draft": [json.dumps(fields)]})}
