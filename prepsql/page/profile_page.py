"""A profile as a page: findings, columns with small charts, keys, dependencies and joins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prepsql.page.environment import render
from prepsql.profile.histogram import fences
from prepsql.profile.kinds import KINDS, PATTERNS
from prepsql.profile.order import grouped
from prepsql.profile.result import CELL_KINDS, DATES, MISSING, NUMBERS, Column, Numbers, Profile
from prepsql.profile.words import cut, number, span_of

SEVERITIES = {
    1: "the layout can't be read",
    2: "breaks a cast, a group or a join",
    3: "look before use",
    4: "common",
    5: "good to know",
}
# charts are drawn on a field this wide, in units of their own
_WIDTH = 100.0


@dataclass(frozen=True)
class Part:
    """A part of a bar: from `x` on, `width` wide, of the colour `look`, and what it says."""

    look: str
    label: str
    cells: int
    x: float
    width: float


def profile_page(profile: Profile) -> str:
    """Return the whole page as HTML: one file that loads nothing, in the light or dark colours that the reader has."""
    return render(
        "profile",
        profile=profile,
        groups=grouped(profile.findings),
        patterns=[(p, name, sum(f.pattern == p for f in profile.findings)) for p, name in PATTERNS.items()],
        severities=SEVERITIES,
        meanings={kind: facts.meaning for kind, facts in KINDS.items()},
        anchors=_anchors(profile),
        title=_title(profile),
        mixture=mixture,
        frequent=frequent,
        bins=bins,
        fences=fences,
        span_of=span_of,
    )


def mixture(column: Column) -> tuple[Part, ...]:
    """Return the kinds of a column's cells as the parts of one bar: what says something first, the empty last."""
    counts = [(_look(kind), kind, column.kinds.get(kind, 0)) for kind in CELL_KINDS]
    said = sorted((part for part in counts if part[1] not in MISSING), key=lambda part: -part[2])
    missing = [part for part in counts if part[1] in MISSING]
    return _parts([part for part in (*said, *missing) if part[2]], column.rows)


def frequent(column: Column) -> tuple[Part, ...]:
    """Return the most frequent values as bars of their own, the longest full."""
    most = max((value.cells for value in column.frequent), default=0)
    return tuple(
        Part("text", value.value, value.cells, 0, value.cells / most * _WIDTH) for value in column.frequent if most
    )


def bins(numbers: Numbers) -> tuple[Part, ...]:
    """Return the bins of a histogram, upright: `width` is the height."""
    most = max(numbers.histogram, default=0)
    if not most:
        return ()
    low, high = fences(numbers)
    step = (high / len(numbers.histogram)) - (low / len(numbers.histogram))
    edges = [low + step * at for at in range(len(numbers.histogram))] + [high]
    # what lies beyond the fences is in the outer bins
    edges[0], edges[-1] = numbers.minimum, numbers.maximum
    return tuple(
        Part("number", f"{number(edges[at])} to {number(edges[at + 1])}", cells, at * 5.0, cells / most * _WIDTH)
        for at, cells in enumerate(numbers.histogram)
    )


def _parts(counts: Iterable[tuple[str, str, int]], total: int) -> tuple[Part, ...]:
    parts, x = [], 0.0
    for look, label, cells in counts:
        width = cells / total * _WIDTH
        parts.append(Part(look, label, cells, round(x, 2), round(width, 2)))
        x += width
    return tuple(parts)


def _look(kind: str) -> str:
    """Return which colour a kind of cell has: there are five, so that each can be told from the others."""
    if kind in MISSING:
        return "missing"
    if kind in NUMBERS:
        return "number"
    return "date" if kind in (*DATES, "time") else "text" if kind == "text" else "other"


def _anchors(profile: Profile) -> dict[tuple[str, str], str]:
    """Return the id of each column's place in the page by table and name; the first where a name comes again."""
    anchors: dict[tuple[str, str], str] = {}
    for at, table in enumerate(profile.tables):
        for place, column in enumerate(table.columns):
            anchors.setdefault((table.name, column.name), f"t{at}c{place}")
    return anchors


def _title(profile: Profile) -> str:
    names: Sequence[str] = [cut(table.name, 40) for table in profile.tables]
    return "Profile of " + ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
