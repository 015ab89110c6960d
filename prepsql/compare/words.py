"""How messages and reports put counts, names and cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names for a message, the first ones where there are many."""
    shown = ", ".join(map(repr, names[:most]))
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def cut(text: str, most: int = 40) -> str:
    """Return a text for a message, its beginning where it is long."""
    return text if len(text) <= most else text[:most] + "…"


def cell_shown(text: str) -> str:
    """Return a cell so that what can't be seen, at its ends or in it, can be."""
    plain = text and text == text.strip() and text.isprintable()
    return text if plain else repr(text)


def name_shown(name: str) -> str:
    """Return a column's name, quoted where a blank or a sign of the sentence in it would hide where it ends."""
    plain = name and name.isprintable() and not set(name) & set(" ,=()'\"")
    return name if plain else repr(name)


def key_shown(key: Mapping[str, str]) -> str:
    """Return a row's key as `name=cell` for each part."""
    return ", ".join(f"{name_shown(name)}={cell_shown(text)}" for name, text in key.items())


def one_line(text: str) -> str:
    """Return a text for a comment of one line."""
    return " ".join(text.split())


def hint(name: str, names: Sequence[str], most: int = 30) -> str:
    """Return the end of a message on a name that isn't there: the one likely meant, and those there are.

    Likely is the same in another case or trimmed, else one with few other letters.
    """
    folded = [other for other in names if other.strip().casefold() == name.strip().casefold()]
    meant = [*folded, *get_close_matches(name, names, 1)]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (f"; did you mean {meant[0]!r}?" if meant else "") + f" (has: {', '.join(names[:most])}{more})"
