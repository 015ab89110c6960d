"""What functions of other dialects, of pandas, Python and spreadsheets are called here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from prepsql.macros.library import INNER, TOPICS, library

_MOST = 3  # macros that one alias may name


@cache
def aliases() -> Mapping[str, str]:
    """Return what each name, in small letters, is called here: SQL, or signatures of macros.

    A name with a dot (`str.title`) is known by its last part too, unless that means something else.
    """
    macros: dict[str, dict[str, None]] = {}
    for macro in sorted(library().values(), key=lambda m: (TOPICS.index(m.topic), m.name)):
        for name in macro.also:
            macros.setdefault(name.lower(), {})[macro.signature] = None
    table = {name: " or ".join(list(signatures)[:_MOST]) for name, signatures in macros.items()}
    table |= _written()
    last = {name.rpartition(".")[2]: mend for name, mend in reversed(table.items()) if "." in name}
    return last | table


def alias(name: str) -> str | None:
    """Return what `name` is called here, None where that isn't known.

    >>> alias("nvl")
    'coalesce(a, b)'
    >>> alias(".str.title")
    'title_case(s)'
    """
    parts = name.lower().strip(".").split(".")
    found = (aliases().get(".".join(parts[start:])) for start in range(len(parts)))
    return next(filter(None, found), None)


def suggest(name: str, known: Iterable[str] = ()) -> str | None:
    """Return what was likely meant by an unknown function `name`, None where nothing is near.

    First what it is called here if it is another tool's name, else the macro or the one of `known` that is spelt most
    like it.

    >>> suggest("initcap")
    'title_case(s)'
    >>> suggest("titel_case")
    'title_case(s)'
    """
    meant = alias(name)
    if meant:
        return meant
    macros = {macro.name: macro.signature for macro in library().values() if macro.topic not in INNER}
    spelt = {other.lower(): other for other in known} | macros
    near = get_close_matches(name.lower(), spelt, 1, cutoff=0.75)
    return spelt[near[0]] if near else None


def _written() -> dict[str, str]:
    lines = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    entries = (line.partition(" = ") for line in lines if line and not line.startswith("#"))
    return {name: mend for name, _, mend in entries}
