"""Pieces of SQL in the making: text that knows whether it may stand anywhere, and templates filled with such."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from prepsql.workflow.dialects.dialect import Each, Template

_PLACE = re.compile(r"\{(\d+)\}")
_TIGHT = re.compile(
    r"[A-Za-z_]\w*\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)|CASE .* END|\([^()]*\)", re.DOTALL
)


@dataclass(frozen=True)
class Piece:
    """Text; `tight` where it needs no parentheses, `condition` where it is true or false, and not a column or value."""

    text: str
    tight: bool = True
    condition: bool = False

    @property
    def closed(self) -> str:
        """The text, in parentheses where it needs them."""
        return self.text if self.tight else f"({self.text})"


def filled(template: Template, pieces: Sequence[Piece]) -> Piece:
    """Return a template with its arguments."""
    if isinstance(template, Each):
        text = template.glue.join(template.item.replace("{}", p.text) for p in pieces)
        text = template.whole.replace("{}", text)
    else:
        text = _PLACE.sub(lambda place: _put(template, place, pieces[int(place[1])]), template)
    plain = template.whole if isinstance(template, Each) else template
    shape = _PLACE.sub("x", plain).replace("{}", "x") if template != "{0}" else ""
    tight = pieces[0].tight if template == "{0}" else bool(_TIGHT.fullmatch(shape))
    return Piece(text, tight)


def _put(template: str, place: re.Match[str], piece: Piece) -> str:
    """Return a piece for its place, in parentheses where it could come apart."""
    before, after = template[: place.start()].rstrip(), template[place.end() :].lstrip()
    alone = (not before or before[-1] in "(,[") and (not after or after.startswith((")", ",", "]", "AS ", "ORDER BY ")))
    return piece.text if alone else piece.closed
