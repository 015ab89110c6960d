"""Loops over the pieces of a cell: the body runs once on a symbolic piece, with symbols for what it carries on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prepsql.sqltext import free_name, literal
from prepsql.translate.pandas import forks
from prepsql.translate.pandas.cell_dicts import Keyed
from prepsql.translate.pandas.cell_lists import Pieces, holds, merged, over, pieces_of, put
from prepsql.translate.pandas.cell_matches import Found
from prepsql.translate.pandas.cell_sets import distinct, once, together
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.fold_symbols import UNBOUND, Builder, Filled, Several, Spread, Unread
from prepsql.translate.pandas.forks import Ending, Failed, path, refuse, rows
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import Cell, Match, symbolic, value_thing
from prepsql.translate.pandas.things import SQL_TYPES, constant_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import NUMERIC, Family, Value, constant, made

_NAN = "'nan'::DOUBLE"
NEXT, BREAK, RETURN = "next", "break", "return"
"""How the body of a loop ends for a piece."""


def folded(found: Pieces, step: Callable[..., Any], before: Sequence[tuple[str, Any]]) -> tuple[Any, ...]:
    """Return how a loop over pieces ended, and what its names stand for after it.

    It ended with a list of what it returned, one without anything where it was broken off, None where it came to its
    end.

    `step` is the body for a piece and the names' things; it returns how it ends, what it returns, and the things.
    """
    found = found.ordered()
    known = rows()
    state = free_name("state" if not forks.depth() else f"state_{forks.depth() + 1}", known.columns if known else ())
    given = {name: _symbol(state, name, value) for name, value in before}
    endings = _endings(found, step, given, state)
    wider = _wider(endings, given, before)
    if wider:
        given |= {name: _symbol(state, name, value) for name, value in wider.items()}
        before = [(name, wider.get(name, value)) for name, value in before]
        endings = _endings(found, step, given, state)
    stops = [ending.result[0] != NEXT for ending in endings]
    if any(stops):
        ended = _stopped(found, endings, stops, given, before, state)
        if ended is not None:
            return ended
    going = [ending for ending, stop in zip(endings, stops, strict=True) if not stop]
    if any(ending.appended for ending in endings):
        if any(stops):
            raise refuse("a loop over pieces that fills a list until it ends early")
        _spread(found, going, state)
    if not going:
        return (None, *(value for _, value in before))
    return (None, *_after(found, going, given, before, state))


def _spread(found: Pieces, endings: Sequence[Ending], state: str) -> None:
    """Write down what is appended to lists from outside for each piece."""
    for owner in dict.fromkeys(number for ending in endings for number, _ in ending.appended):
        ways = [(ending.conditions, [one for number, one in ending.appended if number == owner]) for ending in endings]
        if any(len(added) > 1 or any(isinstance(one, Spread) for one in added) for _, added in ways):
            raise refuse("a loop over pieces that appends several times")
        taken = holds([(way, bool(added)) for way, added in ways])
        those = [(way, added[0]) for way, added in ways if added]
        kind = those[0][1] if hasattr(those[0][1], "parts") else None
        if kind is not None:
            if any(type(one) is not type(kind) for _, one in those):
                raise refuse("a loop over pieces that fills a dict in several ways")
            those = [(way, one.parts()) for way, one in those]
        element = merged(those)
        if forks.names(f"{taken.sql} {_text(element)}", state):
            raise refuse("a loop over pieces that appends what it carries on")
        path().appended.append((owner, Spread(Pieces(found.kept(taken).sql, found.variable, element), kind)))


def _text(found: Any) -> str:
    """Return the SQL of all cells in a thing."""
    if isinstance(found, Cell):
        return value_thing(found).sql
    inside = found.values() if isinstance(found, dict) else found if isinstance(found, tuple | list) else ()
    return " ".join(map(_text, inside))


def _endings(found: Pieces, step: Callable[..., Any], given: Mapping[str, Any], state: str) -> list[Ending]:
    def once(piece: Any) -> Any:
        # each way has lists of its own
        things = [
            Builder(one.name, one.grows) if isinstance(one, Builder) else Filled() if isinstance(one, Filled) else one
            for one in given.values()
        ]
        ending: Any = step(piece, *things)
        if not isinstance(ending[0], str):
            raise refuse("a loop inside a loop over pieces that returns")
        return ending

    endings = found.each(once, state)
    if any(isinstance(ending.result, Failed) for ending in endings):
        raise refuse("a failure in a loop over pieces")
    return endings


def _symbol(state: str, name: str, value: Any) -> Any:
    if isinstance(value, list | Pieces):
        return Builder(f"{state}[{literal(name)}]", not isinstance(value, Pieces) or not value.unordered)
    if isinstance(value, dict) and not value:
        return Filled()
    if isinstance(value, set):
        return Builder(f"{state}[{literal(name)}]", False)
    if isinstance(value, Symbolic) or value is None or (symbolic(value) and not isinstance(value, Cell)):
        return Unread()
    if isinstance(value, str | int | float | Cell):
        kind = value_thing(value)
        if kind.family in SQL_TYPES:
            sql = f"{state}[{literal(name)}]"
            return Cell(Value(sql, kind.family, kind.nullable, none=kind.none, cell=True))
    return Unread()


def _wider(endings: Sequence[Ending], given: Mapping[str, Any], before: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the whole numbers that a loop makes floats of, as floats."""
    wider = {}
    for at, (name, value) in enumerate(before, 2):
        symbol = given[name]
        after = [ending.result[at] for ending in endings if ending.result[at] is not symbol]
        if isinstance(symbol, Cell) and value_thing(symbol).family == "integer" and any(
            isinstance(one, float) or (isinstance(one, Cell) and value_thing(one).family == "float") for one in after
        ):  # fmt: skip
            kind = value_thing(value)
            wider[name] = Cell(made("x::DOUBLE", "float", kind, x=kind.sql))
    return wider


def _stopped(
    found: Pieces, endings: Sequence[Ending], stops: Sequence[bool], given: Mapping[str, Any],
    before: Sequence[tuple[str, Any]], state: str,
) -> tuple[Any, ...] | None:  # fmt: skip
    """Return what is after a loop that ended early, None on the way on which it didn't."""
    stop = holds([(ending.conditions, stop) for ending, stop in zip(endings, stops, strict=True)])
    if forks.names(stop.sql, state):
        raise refuse("a loop over pieces that ends as what it carries on says")
    hits = found.kept(stop)
    if not bool(hits):
        return None
    item = bind("x[1]", x=hits.sql)
    those = [ending for ending, stops_ in zip(endings, stops, strict=True) if stops_]
    going = [ending for ending, stops_ in zip(endings, stops, strict=True) if not stops_]
    after = []
    for at, (name, value) in enumerate(before, 2):
        symbol = given[name]
        if any(_changed(ending.result[at], symbol) for ending in going) and not isinstance(value, Unread):
            raise refuse("a loop over pieces that carries on until it ends early")
        if not any(_changed(ending.result[at], symbol) for ending in those):
            after.append(value)
            continue
        if isinstance(value, Unread):
            after.append(_lenient(those, at, found.variable, item))
            continue
        ways = [(ending.conditions, value if ending.result[at] is symbol else ending.result[at]) for ending in those]
        after.append(_put(merged(ways), found.variable, item, state))
    kinds = [(ending.conditions, ending.result[0] == RETURN) for ending in those]
    if len({kind for _, kind in kinds}) > 1:
        raise refuse("a loop over pieces that now breaks, now returns")
    if not kinds[0][1]:
        return ([], *after)
    return ([_put(merged([(ending.conditions, ending.result[1]) for ending in those]), found.variable, item, state)],
            *after)  # fmt: skip


def _lenient(those: Sequence[Ending], at: int, variable: str, item: str) -> Any:
    """Return what a name that wasn't bound before stands for after the loop, if it can be said."""
    first = those[0].result[at]
    if all(one.result[at] is first for one in those) and not isinstance(first, Symbolic):
        return put(first, variable, item)
    return UNBOUND


def _changed(after: Any, symbol: Any) -> bool:
    return bool(after.added) if isinstance(after, Builder | Filled) else after is not symbol


def _put(found: Any, variable: str, sql: str, state: str) -> Any:
    found = put(found, variable, sql)
    if isinstance(found, Cell) and forks.names(value_thing(found).sql, state):
        raise refuse("a loop over pieces that returns what it carries on")
    return found


def _after(
    found: Pieces, endings: Sequence[Ending], given: Mapping[str, Any], before: Sequence[tuple[str, Any]], state: str
) -> list[Any]:
    """Return what names stand for after a loop over all pieces."""
    endings, once_only = _once_only(endings, given, before)
    tests = [condition.sql for ending in endings for condition, _ in ending.conditions.decisions]
    carried = any(forks.names(test, state) for test in tests)
    after: list[Any] = []
    reduced: dict[str, Any] | None = None
    for at, (name, value) in enumerate(before, 2):
        symbol = given[name]
        ways = [(ending.conditions, ending.result[at]) for ending in endings]
        if not any(_changed(one, symbol) for _, one in ways):
            after.append(value)
            continue
        if isinstance(symbol, Filled):
            if carried or not all(isinstance(one, Filled) and len(one.added) <= 1 for _, one in ways):
                raise refuse("a dict that a loop over pieces fills as it carries on")
            pairs = _built(found, ways, None, True, state)
            if forks.names(_text(pairs.element), state):
                raise refuse("a dict that a loop over pieces fills with what it carries on")
            after.append(Keyed(pairs))
            continue
        if isinstance(symbol, Builder):
            if carried or not all(isinstance(one, Builder) for _, one in ways):
                raise refuse("a list that a loop over pieces fills as it carries on")
            filled = _built(found, ways, value, symbol.grows, state)
            after.append(once(filled) if name in once_only and symbol.grows else filled)
            continue
        if isinstance(value, Unread):
            after.append(UNBOUND)
            continue
        if any(isinstance(one, Match | Found) for _, one in ways):
            # whoever reads it afterwards is refused
            after.append(UNBOUND)
            continue
        plain = None if carried else _plainly(found, ways, symbol, value, state)
        if plain is None:
            reduced = reduced or _reduced(found, endings, given, before, state)
            if name not in reduced:
                raise refuse("a loop over pieces that carries on what isn't plain")
            plain = reduced[name]
        after.append(plain)
    return after


def _once_only(
    endings: Sequence[Ending], given: Mapping[str, Any], before: Sequence[tuple[str, Any]]
) -> tuple[Sequence[Ending], set[str]]:
    """Return the ways without those on which a thing is in a list already that is added to it where it isn't."""
    found = set()
    for at, (name, start) in enumerate(before, 2):
        symbol = given[name]
        if not isinstance(symbol, Builder):
            continue
        asked = [ending.result[at].asked for ending in endings if isinstance(ending.result[at], Builder)]
        if not any(asked):
            continue
        kept = []
        for ending in endings:
            one = ending.result[at]
            marked = [(test, truth) for test, truth in ending.conditions.decisions if symbol.name in test.sql]
            if not marked:
                if one.added:
                    raise refuse("a list that a loop over pieces looks at now and then")
                kept.append(ending)
                continue
            [(test, truth)] = marked
            absent = truth == test.sql.startswith("NOT ")
            only = all(_changed(ending.result[place], given[other]) is False
                       for place, (other, first) in enumerate(before, 2)
                       if place != at and not isinstance(first, Unread))  # fmt: skip
            if absent:
                same = len(one.added) == 1 and value_thing(one.added[0]).sql == one.asked.sql
                if not same or not only or start or isinstance(start, Pieces) or ending.appended:
                    raise refuse("a list that a loop over pieces looks at for something else")
                others = [pair for pair in ending.conditions.decisions if pair[0] is not test]
                kept.append(replace(ending, conditions=Way.of(others)))
            elif one.added or not only or ending.appended:
                raise refuse("a list that a loop over pieces looks at for something else")
        endings = kept
        found.add(name)
    return endings, found


def _built(found: Pieces, ways: Sequence[tuple[Any, Any]], start: Any, grows: bool, state: str) -> Any:
    """Return a list after what was added to it for each piece."""
    if all(len(one.added) <= 1 and not isinstance((*one.added, None)[0], Several) for _, one in ways):
        taken = holds([(way, bool(one.added)) for way, one in ways])
        element = merged([(way, one.added[0]) for way, one in ways if one.added])
        made_of = Pieces(found.kept(taken).sql, found.variable, element)
    else:
        several = []
        families: set[Family] = set()
        for way, one in ways:
            sql = _added_at_once(one.added, families)
            several.append((way, Value(sql, "list", False)))
        if len(families) != 1:
            raise refuse("a list of several kinds of things")
        each = forks.one_value(several)
        lists = Pieces(found.sql, found.variable, Cell(each)).value()
        made_of = over(bind("flatten(x)", x=lists.sql), families.pop())
    if isinstance(made_of.element, Cell) and forks.names(value_thing(made_of.element).sql, state):
        raise refuse("a list that a loop over pieces fills with what it carries on")
    if start:
        made_of = together(start, made_of)
    return made_of if grows else distinct(made_of)


def _added_at_once(added: Sequence[Any], families: set[Family]) -> str:
    """Return the list of what is added for one piece; remember of which families it is."""
    parts: list[str] = []
    alone: list[str] = []
    for one in added:
        if isinstance(one, Several):
            parts += [f"[{', '.join(alone)}]"] if alone else []
            alone = []
            pieces = pieces_of(one.pieces).ordered()
            if pieces.item_value().nullable:
                raise refuse("a list of what may be none")
            families.add(pieces.family())
            parts.append(pieces.value().sql)
            continue
        value = value_thing(one).exact()
        families.add(value.family)
        alone.append(value.sql)
    if alone or not parts:
        parts.append(f"[{', '.join(alone)}]")
    return parts[0] if len(parts) == 1 else f"list_concat({', '.join(parts)})"


def _plainly(found: Pieces, ways: Sequence[tuple[Any, Any]], symbol: Any, start: Any, state: str) -> Any:
    """Return a number or text that is added to, or a name that is bound anew, None where it is more than that."""
    if isinstance(symbol, Cell):
        added = _added(ways, value_thing(symbol))
        if added is not None:
            return _sum(found, added, value_thing(start), state)
    anew = [(way, one) for way, one in ways if one is not symbol]
    value = merged(anew)
    if not isinstance(value, Cell) or forks.names(value_thing(value).sql, state):
        return None
    changed = found.kept(holds([(way, one is not symbol) for way, one in ways]))
    last = put(value, found.variable, bind("x[-1]", x=changed.sql))
    if isinstance(start, Unread) or not path().decide(
        made("x > 0", "boolean", changed.length(), nullable=False, x=changed.length().sql)
    ):
        return start
    return last


def _added(ways: Sequence[tuple[Any, Any]], symbol: Value) -> list[tuple[Any, Value]] | None:
    """Return what is added to a number or text on each way, None where something else is done to it."""
    found = []
    for way, one in ways:
        if isinstance(one, Cell) and value_thing(one).sql == symbol.sql:
            found.append((way, constant("" if symbol.family == "text" else 0)))
            continue
        value = value_thing(one) if isinstance(one, Cell) else None
        sign = " || " if symbol.family == "text" else " + "
        head = symbol.sql + sign
        if value is None or not value.sql.startswith(head) or value.family != symbol.family or value.none:
            return None
        if value.nullable and value.family != "float":
            return None
        if symbol.family not in ("text", *NUMERIC):
            return None
        rest = value.sql[len(head) :]
        if rest.startswith("CASE "):
            rest = f"({rest})"
        found.append((way, Value(rest, symbol.family, value.nullable)))
    return found


def _sum(found: Pieces, added: Sequence[tuple[Any, Value]], start: Value, state: str) -> Any:
    each = forks.one_value(added)
    if forks.names(each.sql, state):
        return None
    family = start.family
    if each.nullable:
        each = made(f"coalesce(x, {_NAN})", "float", each, nullable=False, x=each.sql)
        total = bind("coalesce(list_sum(x), 0)", x=Pieces(found.sql, found.variable, Cell(each)).value().sql)
        total = total if start.constant in (0, 0.0) else bind("x + y", x=start.sql, y=total)
        return Cell(Value(bind(f"nullif(x, {_NAN})", x=total), "float", True))
    answers = {value.sql for _, value in added}
    if family == "integer" and answers == {"0", "1"}:
        total = found.counted(holds([(way, value.sql == "1") for way, value in added])).sql
    else:
        values = Pieces(found.sql, found.variable, Cell(replace(each, family=family))).value().sql
        if family == "text":
            total = bind("array_to_string(x, '')", x=values)
        else:
            total = bind("coalesce(list_sum(x), 0)" + ("::BIGINT" if family == "integer" else ""), x=values)
    nothing = start.constant in ("", 0) and not isinstance(start.constant, bool)
    if nothing or start.sql in ("0::DOUBLE", "0"):
        return Cell(Value(total, family, False))
    sign = "||" if family == "text" else "+"
    return Cell(Value(bind(f"x {sign} y", x=start.sql, y=total), family, start.nullable, none=start.none))


def _reduced(
    found: Pieces, endings: Sequence[Ending], given: Mapping[str, Any], before: Sequence[tuple[str, Any]], state: str
) -> dict[str, Any]:
    """Return what names stand for after a loop that takes what it knows from piece to piece."""
    starts, steps, kinds = [], [], {}
    for at, (name, start) in enumerate(before, 2):
        symbol = given[name]
        if not isinstance(symbol, Cell):
            continue
        kind = value_thing(symbol)
        ways = []
        for ending in endings:
            one = ending.result[at]
            value = one.thing if isinstance(one, Cell) else constant_thing(one)
            if not isinstance(value, Value) or value.family != kind.family or (value.nullable and not kind.nullable):
                raise refuse("a loop over pieces that carries on now one kind of thing, now another")
            ways.append((ending.conditions, value))
        first = value_thing(start)
        starts.append(f"{literal(name)}: {bind('x', x=first.sql)}::{SQL_TYPES[kind.family]}")
        if not _simple(first.sql):
            starts[-1] = f"{literal(name)}: ({first.sql})::{SQL_TYPES[kind.family]}"
        steps.append(f"{literal(name)}: {forks.one_value(ways).sql}")
        kinds[name] = kind
    element = found.element
    if not isinstance(element, Cell) or value_thing(element).sql != found.variable:
        raise refuse("a loop over pieces that carries on over pairs")
    sql = f"list_reduce({found.sql}, lambda {state}, {found.variable}: {{{', '.join(steps)}}}, {{{', '.join(starts)}}})"
    return {name: Cell(replace(kind, sql=f"{sql}[{literal(name)}]", cell=True)) for name, kind in kinds.items()}


def _simple(sql: str) -> bool:
    return sql.replace("_", "").isalnum()
