"""The careful path's first pass: how many cells each record has, and on which lines that is odd."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from prepsql.tables.ledger import KEPT, Entry, on_lines, plural
from prepsql.tables.lines import LineMap, Tally

_FOOTER = 10


@dataclass
class Shape:
    """What a pass over the records of a table, without its header, finds.

    `widths` tallies the rows by their number of cells; `emptied` counts those of them whose last cell is empty.
    """

    rows: int = 0
    widths: dict[int, Tally] = field(default_factory=dict)
    emptied: int = 0
    blank: Tally = field(default_factory=lambda: Tally(KEPT))
    nul: Tally = field(default_factory=lambda: Tally(KEPT))
    lines: LineMap = field(default_factory=LineMap)
    last: deque[tuple[int, list[str]]] = field(default_factory=lambda: deque(maxlen=_FOOTER))

    @property
    def widest(self) -> int:
        """The most cells that a row has, 0 where there is none."""
        return max(self.widths, default=0)


def measure(records: Iterable[tuple[int, list[str]]], skip: int, *, look_for_nul: bool) -> Shape:
    """Return the shape of all numbered records but the first `skip` that aren't blank lines."""
    shape = Shape()
    for line, record in records:
        if look_for_nul and "\0" in "".join(record):
            shape.nul.add(line)
        if not record:
            shape.blank.add(line)
        elif skip:
            skip -= 1
        else:
            width = len(record)
            if width not in shape.widths:
                shape.widths[width] = Tally(KEPT)
            shape.widths[width].add(line)
            shape.emptied += not record[-1]
            shape.lines.add(shape.rows, line)
            shape.last.append((line, record))
            shape.rows += 1
    return shape


def ragged_entries(shape: Shape, width: int, extra: Sequence[str]) -> list[Entry]:
    """Return the entries for rows of fewer or more cells than the `width` of the header, and for a footer."""
    entries = []
    for kind, odd, effect in (
        ("short rows", {w: t for w, t in shape.widths.items() if w < width}, "the missing cells are empty"),
        ("long rows", {w: t for w, t in shape.widths.items() if w > width}, f"the extra cells are {', '.join(extra)}"),
    ):
        count = sum(tally.count for tally in odd.values())
        if count:
            lines = sorted(line for tally in odd.values() for line in tally.lines)[:KEPT]
            cells = " or ".join(map(str, sorted(odd)[:4])) + (" or …" if len(odd) > 4 else "")
            message = (
                f"{plural(count, 'row')} with {cells} cells under {plural(width, 'name')} "
                f"({on_lines(lines, count)}); {effect}"
            )
            entries.append(Entry(kind, message, tuple(lines), count=count))
    footer: list[tuple[int, list[str]]] = []
    for line, record in reversed(shape.last):
        if len(record) > width // 2:
            break
        footer.insert(0, (line, record))
    if footer and len(footer) < min(shape.rows, _FOOTER):
        lines = [line for line, _ in footer]
        texts = tuple(" ".join(record) for _, record in footer)
        message = f"the last {plural(len(footer), 'row')} may be no data ({on_lines(lines, len(lines))}); kept as rows"
        entries.append(Entry("footer", message, tuple(lines), texts, len(footer)))
    return entries
