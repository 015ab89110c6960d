"""The ends of patterns: what a pattern looks at there, as something that is matched with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text.pattern_parts import (
    BOUNDARIES,
    Item,
    Writer,
    alphabet,
    captures,
    ends,
    is_single,
    kind,
    parsed,
    singles,
    takes,
)
from prepsql.workflow.pandas_text.regex import CLASSES

WORD = CLASSES["w"]
_NO_WORD: Item = ("IN", [("CATEGORY", "CATEGORY_NOT_WORD")])
_A_WORD: Item = ("IN", [("CATEGORY", "CATEGORY_WORD")])


@dataclass(frozen=True)
class Edge:
    """What stands before a pattern, or behind: its text, and what takes the characters of it."""

    text: str = ""
    takes: tuple[Item, ...] = ()
    fixed: str = ""

    @property
    def taken(self) -> bool:
        """Whether it takes a character."""
        return bool(self.text)


@dataclass(frozen=True)
class Parted:
    """A pattern as what it looks at before, what it takes, and what it looks at behind."""

    flags: int
    lead: Edge
    body: list[Item]
    trail: Edge
    names: dict[int, str]

    def written(self, captured: bool = False) -> tuple[str, str, str]:
        """Return the texts of its three parts, without flags; `captured` puts the ends into groups."""
        body = Writer(self.flags, self.names).sequence(self.body)
        lead, trail = (f"({edge.text})" if captured and edge.taken else f"(?:{edge.text})" if edge.taken else ""
                       for edge in (self.lead, self.trail))  # fmt: skip
        return self.lead.fixed + lead, body, trail + self.trail.fixed


def parted_at_ends(pattern: str) -> Parted:
    """Return a pattern as what it looks at before, what it takes, and what it looks at behind."""
    items, flags, names = parsed(pattern)
    if flags & re.M:
        raise NotTranslatable("a pattern of lines that looks around")
    items = _settled(items, flags)
    before, items = _pulled(items, flags, False)
    behind, items = _pulled(items, flags, True)
    writer = Writer(flags, names)
    lead = _edge(before, items, writer, False)
    trail = _edge(behind, items, writer, True)
    return Parted(flags, lead, items, trail, names)


def _zero(item: Item) -> bool:
    return str(item[0]) in ("AT", "ASSERT", "ASSERT_NOT")


def _settled(items: Sequence[Item], flags: int) -> list[Item]:
    """Return items without bounds of words that are certain."""
    found: list[Item] = []
    for at, (op, value) in enumerate(items):
        if str(op) == "SUBPATTERN" and not value[1] and not value[2]:
            found.append((op, (*value[:3], _settled(list(value[3]), flags))))
            continue
        if str(op) == "BRANCH":
            found.append((op, (value[0], [_settled(list(one), flags) for one in value[1]])))
            continue
        if str(op) != "AT" or str(value) not in BOUNDARIES:
            found.append((op, value))
            continue
        left = _beside(items[:at], flags, True)
        right = _beside(items[at + 1 :], flags, False)
        if not left or not right:
            found.append((op, value))
        elif (left != right) != (str(value) == "AT_BOUNDARY"):
            raise NotTranslatable("a bound of words where none can be")
    return found


def _beside(items: Sequence[Item], flags: int, last: bool) -> str:
    """Return the kind of the character beside a place, '' where it isn't certain."""
    found, empty = ends(items, last)
    places = ("AT_BEGINNING", "AT_BEGINNING_STRING") if last else ("AT_END", "AT_END_STRING")
    if not found and any(str(value) in places for op, value in items if str(op) == "AT"):
        return "other"
    return "" if empty else kind(found, flags)


def _pulled(items: list[Item], flags: int, last: bool) -> tuple[list[Item], list[Item]]:
    """Return what a pattern only looks at, at one of its ends, and the rest."""
    items, found = list(items), []
    at = -1 if last else 0
    while items and _zero(items[at]):
        found.append(items.pop(at))
    nothing: Item = ("", None)
    op, value = items[at] if items else nothing
    if str(op) == "SUBPATTERN" and not value[1] and not value[2]:
        more, rest = _pulled(list(value[3]), flags, last)
        items[at] = (op, (*value[:3], rest))
        found += more
    elif str(op) == "BRANCH":
        parts = [_pulled(list(one), flags, last) for one in value[1]]
        if all(more == parts[0][0] for more, _ in parts):
            items[at] = (op, (value[0], [rest for _, rest in parts]))
            found += parts[0][0]
    return found, items


def _edge(items: Sequence[Item], body: Sequence[Item], writer: Writer, last: bool) -> Edge:
    """Return what a pattern looks at before it, or behind, as something that is matched."""
    edge = Edge()
    for op, value in items:
        name = str(op)
        if name == "AT" and str(value) not in BOUNDARIES:
            if edge.taken or edge.fixed:
                raise NotTranslatable("a pattern that looks at several things at one end")
            edge = Edge(fixed=writer.sequence([(op, value)]))
            continue
        if name == "AT" and edge.fixed and str(value) == "AT_BOUNDARY":
            found, empty = ends(body, last)
            if not empty and kind(found, writer.flags) == "word":
                continue
        if edge.taken or edge.fixed:
            raise NotTranslatable("a pattern that looks at several things at one end")
        edge = _boundary(str(value), body, writer, last) if name == "AT" else look_around(name, value, writer, last)
    return edge


def _boundary(what: str, body: Sequence[Item], writer: Writer, last: bool) -> Edge:
    found, empty = ends(body, last)
    beside = "" if empty else kind(found, writer.flags)
    if not beside:
        raise NotTranslatable("a bound of words beside what may be a word's character or not")
    if (beside == "word") == (what == "AT_BOUNDARY"):
        return Edge(f"[^{WORD}]|$" if last else f"^|[^{WORD}]", (_NO_WORD,))
    return Edge(f"[{WORD}]", (_A_WORD,))


def look_around(name: str, value: tuple[int, Sequence[Item]], writer: Writer, last: bool) -> Edge:
    """Return what a pattern looks at, as something that is matched."""
    way, items = value
    if (way == 1) != last:
        raise NotTranslatable("look-ahead at the start of a pattern, or look-behind at its end")
    one = items[0] if len(items) == 1 and is_single(items[0]) else None
    if captures(items):
        raise NotTranslatable("a group in what a pattern looks at")
    if name == "ASSERT":
        return Edge(writer.sequence(items), tuple(singles(items)))
    if one is None:
        raise NotTranslatable("a pattern that looks for what isn't there, of several characters")
    gap = f"{writer.mark}*" if writer.mark else ""
    text = gap + writer.character(one, negated=True)
    op, values = str(one[0]), one[1]
    members = [("LITERAL", values)] if op == "LITERAL" else list(values) if op == "IN" else None
    if members is None or str(members[0][0]) == "NEGATE":
        raise NotTranslatable("a pattern that looks for what isn't there")
    return Edge(f"{text}|{gap}$" if last else f"^|{text}", (("IN", [("NEGATE", None), *members]),))


def apart(parted: Parted) -> bool:
    """Return whether no place of a pattern needs a character that the place before has taken, or has looked at."""
    lead, trail, flags = parted.lead.takes, parted.trail.takes, parted.flags
    if not parted.body:
        return len(lead) == 1 and len(trail) == 1 and _disjoint(lead, trail, flags)
    first, empty = ends(parted.body)
    if empty:
        return False
    last, _ = ends(parted.body, True)
    if lead:
        return _disjoint(last, lead, flags) and _disjoint(trail, [*lead, *first], flags)
    return _disjoint(trail, first, flags)


def _disjoint(some: Sequence[Item], others: Sequence[Item], flags: int) -> bool:
    marks = alphabet([*some, *others])
    return not any(
        any(takes(one, mark, flags) for one in some) and any(takes(one, mark, flags) for one in others)
        for mark in marks
    )
