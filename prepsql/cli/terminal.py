"""Text that a terminal only shows: what code under test or an endpoint wrote can't steer it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

_KEPT = "\n\t"
_OVERRIDES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # of the direction in which text is read
_STEERING = [*map(chr, (*range(32), *range(127, 160))), *_OVERRIDES]
_HARMLESS = str.maketrans({sign: "�" for sign in _STEERING if sign not in _KEPT})


def harmless(text: str) -> str:
    r"""Return text with � for every sign that steers a terminal.

    >>> harmless("a\x1b[2J\n")
    'a�[2J\n'
    """
    return text if text.isascii() and text.isprintable() else text.translate(_HARMLESS)


class Harmless:
    """Something to print whose own text is `harmless`, with its colours."""

    def __init__(self, what: RenderableType) -> None:
        self._what = what

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for segment in console.render(self._what, options):
            yield segment if segment.control else segment._replace(text=harmless(segment.text))
