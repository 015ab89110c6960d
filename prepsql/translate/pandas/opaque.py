"""What isn't understood becomes a script: how it is cut out of the program, from the plainest way on."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.containers import EVERY_NAME, CarrierSymbol, names_of, one_cell
from prepsql.translate.pandas.foregoing import MADE, in_two
from prepsql.translate.pandas.handover import Returned, returned
from prepsql.translate.pandas.rows import Rows, Symbol
from prepsql.translate.pandas.scripts import TOO_LONG, inline, script, symbol_of
from prepsql.translate.pandas.slices import (
    Activation,
    Program,
    Slice,
    Taking,
    cut,
    part_of,
)


def opaque(hooks: Any, activation: Activation, name: str, value: Any, number: int, part: str = "") -> Symbol | None:
    """Return the symbol of a table that the statements of a function make, None where no script can.

    `part` is the key of the table where it is in a dict of that name that the function returns.
    """
    function = hooks.program.functions.get(activation.line)
    if function is None:
        return None
    last = part_of(function, number, part) if part else None
    wanted = f"{name}[{part!r}]" if part and last is None else name
    lines = range(function.body[number].lineno, (function.body[number].end_lineno or 0) + 1)
    reason = next((hooks.why[line] for line in sorted(hooks.why, reverse=True) if line in lines), "")
    instead = {} if last is None else {number: last}
    why = ""
    for way in _ways(hooks, activation, number):
        cut_out = partial(
            cut, hooks.program, activation, name, number, way.through, hooks.folder, {**instead, **way.instead},
            way.take, narrow=way.narrow,
        )  # fmt: skip
        try:
            found = cut_out()
            if _meet_by_numbers(found):
                with suppress(NotTranslatable):
                    return _table(hooks, cut_out(fresh=True), wanted, value, reason, bool(part))
            return _table(hooks, found, wanted, value, reason, bool(part))
        except NotTranslatable as refused:
            why = str(refused)
            if not why.startswith(TOO_LONG) and not way.through:
                break
    hooks.why.setdefault(lines[0], why)
    return None


@dataclass(frozen=True)
class _Way:
    """A way to cut a script: narrowed, through tables that scripts made, with lists taken, with other statements."""

    narrow: bool = False
    through: bool = False
    take: Taking | None = None
    instead: Mapping[int, ast.stmt] = field(default_factory=dict)


def _ways(hooks: Any, activation: Activation, number: int) -> Iterator[_Way]:
    """Yield the ways to cut a script, from the plainest on."""
    take = _taking(hooks, activation)
    for narrow in (False, True):
        yield from (_Way(narrow, through=True), _Way(narrow), _Way(narrow, take=take))
    body = hooks.program.functions[activation.line].body
    for at in range(number, -1, -1):
        if parts := in_two(hooks.program, body[at]):
            made = _made_before(hooks, activation, at, parts.first, take)
            yield from (_Way(True, take=one, instead={at: parts.loop}) for one in made)


def _made_before(hooks: Any, activation: Activation, at: int, first: ast.stmt, take: Taking) -> Iterator[Taking]:
    """Yield what takes the list that a statement makes before a loop: alone, or with other lists."""
    try:
        found = cut(hooks.program, activation, MADE, at, False, hooks.folder, {at: first}, take, narrow=True)
        made = CarrierSymbol(_carrier(hooks, found, MADE), EVERY_NAME)
    except NotTranslatable:
        return
    yield lambda name, value, place: made if name == MADE else None
    yield lambda name, value, place: made if name == MADE else take(name, value, place)


def _meet_by_numbers(found: Slice) -> bool:
    """Return whether tables of a slice whose rows have kept old numbers may meet by those."""
    taken = [need.symbol for needs in found.needs for need in needs if not isinstance(need.symbol, CarrierSymbol)]
    return len({id(one.rows) for one in taken}) > 1 and not all(one.fresh or one.index for one in taken)


def _taking(hooks: Any, activation: Activation) -> Taking:
    """Return what makes a script of its own of a list, dict or number before a statement, where it can be written."""
    known = activation.taken

    def take(name: str, value: Any, at: int) -> CarrierSymbol | None:
        if (name, at) not in known:
            known[name, at] = made(name, value, at)
        found: CarrierSymbol | None = known[name, at]
        return found

    def made(name: str, value: Any, at: int) -> CarrierSymbol | None:
        names = names_of(value)
        if names is None or at == 0 or name in hooks.program.top:
            return None
        for inner in (None, take):
            try:
                found = cut(hooks.program, activation, name, at - 1, False, hooks.folder, None, inner, narrow=True)
                if not found.statements or not found.has_tables:
                    return None
                return CarrierSymbol(_carrier(hooks, found, name), names)
            except NotTranslatable as refused:
                if not str(refused).startswith(TOO_LONG):
                    return None
        return None

    return take


def _carrier(hooks: Any, found: Slice, name: str) -> Rows:
    expression = f"pd.DataFrame({{'value': [repr({name})]}})"
    rows = script(hooks, found, name, Returned(expression, pd.DataFrame(), {"value": "VARCHAR"}, {}, 0))
    one_cell(rows)
    rows.reason = f"{name} is no table"
    return rows


def _table(hooks: Any, found: Slice, name: str, value: Any, reason: str, final: bool) -> Symbol:
    result = returned(name, value, final)
    if not found.has_tables:
        if result.lines:
            raise NotTranslatable("a constant table of things that can't be written out")
        return symbol_of(inline(result.shown), result, value)
    rows = script(hooks, found, name, result)
    rows.reason = reason or _why(hooks, found)
    if made_up := _made_up(hooks.program, found, result):
        rows.assume(f"values that make the column{'s' if made_up[1:] else ''} {', '.join(made_up)}")
    return symbol_of(rows, result, value)


def _why(hooks: Any, found: Slice) -> str:
    """Return why the last statement of a slice that isn't followed isn't."""
    for statement in reversed(found.statements):
        lines = range(statement.lineno, (statement.end_lineno or 0) + 1)
        told = [hooks.why[line] for line in sorted(hooks.why) if line in lines]
        kinds = {type(node) for node in ast.walk(statement)}
        if told:
            return str(told[0])
        if ast.While in kinds:
            return "a loop that goes on as the data say"
        if ast.For in kinds:
            ends = kinds & {ast.Break, ast.Return}
            return "a loop that ends as the data say" if ends else "a loop that isn't followed"
    return "its origin isn't understood"


def _made_up(program: Program, found: Slice, result: Returned) -> list[str]:
    """Return the columns of a script's table that neither the program names nor a table that it takes has."""
    named = {node.value for node in ast.walk(program.tree) if isinstance(node, ast.Constant)}
    symbols = [need.symbol for needs in found.needs for need in needs]
    for one in symbols:
        named |= {*getattr(one, "columns", ()), *(level.name for level in getattr(one, "index", ()))}
    names = {str(label) for label in named} | {"value"}
    return [] if found.folders else [one for one in result.types if one not in names and not one.startswith("index ")]
