"""How the faces of a profile put counts, names and cells, so that a cell's text can't be taken for the face's own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from prepsql.profile.result import DATES, NUMBERS, Column
from prepsql.tables import plural

# controls, formats (direction marks, zero-width signs), line and paragraph ends, halves of pairs, unassigned, private
_HIDDEN = {"Cc", "Cf", "Zl", "Zp", "Cs", "Cn", "Co"}
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


def visible(text: str) -> str:
    r"""Return `text` on one line with everything that nobody sees, and the backslash, as an escape.

    >>> visible("a\tb")
    'a\\tb'
    """
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return "".join(map(_escaped, text))


def cut(text: str, most: int) -> str:
    """Return what is `visible` of a text, at most `most` (from 1) characters, with … in the place of its end."""
    return _cut(text, most, _escaped)


def quoted(text: str, most: int = 40) -> str:
    """Return a text in quotes, between them as `cut` to `most` characters; a quote in it is escaped too."""
    return '"' + _cut(text, most, lambda character: '\\"' if character == '"' else _escaped(character)) + '"'


def told(detail: str, most: int) -> str:
    """Return the words of a finding as `cut`, each value that they quote to 40 characters; backslashes stay.

    >>> told(f"all like '{'x' * 50}'", 60)
    "all like 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"
    """
    shortened = re.sub(r"""(?<=')[^']{41,}(?=')|(?<=")[^"]{41,}(?=")""", lambda value: value[0][:39] + "…", detail)
    return _cut(shortened, most, lambda character: character if character == "\\" else _escaped(character))


def named(name: str, most: int = 40) -> str:
    """Return the name of a column or table: as it is where it is one word, else `quoted`."""
    return name if re.fullmatch(r"\w+", name) and len(name) <= most else quoted(name, most)


def listed(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def place(columns: Sequence[str], tables: Sequence[str], several: bool) -> str:
    """Return the first few columns, if there are any, and if there are `several` tables, of which or how many."""
    names = listed([named(column) for column in columns], 4)
    if not several:
        return names
    of = named(tables[0]) if len(tables) == 1 else plural(len(tables), "table")
    return f"{names} of {of}" if names else of


def percent(part: float) -> str:
    """Return a share from 0 to 1 in percent, which says 0 % and 100 % of nothing else.

    >>> percent(0.9999)
    '>99 %'
    """
    if 0 < part < 0.01:
        return "<1 %"
    if 0.99 < part < 1:
        return ">99 %"
    return f"{part:.0%}".replace("%", " %")


def number(value: float) -> str:
    """Return a number in few characters: six digits that count, integers up to a thousand million whole.

    >>> number(2024.0), number(64000.0), number(1.23456789)
    ('2024', '64,000', '1.23457')
    """
    if abs(value) < 1e9 and value == int(value):
        return f"{int(value):,}" if abs(value) >= 10_000 else str(int(value))
    return f"{value:.6g}"


def span_of(column: Column) -> tuple[str, str] | None:
    """Return the least and greatest number or date of a column of such; None of another, or where they aren't known."""
    if column.minimum is None or column.maximum is None or column.type not in (*NUMBERS, *DATES):
        return None
    ends = (column.minimum, column.maximum)
    low, high = (end if isinstance(end, str) else number(end) for end in ends)
    return low, high


def _cut(text: str, most: int, escaped: Callable[[str], str]) -> str:
    # each character gives one at least: what is longer than this is cut anyway
    pieces = [escaped(character) for character in text[: most + 1]]
    if sum(map(len, pieces)) <= most:
        return "".join(pieces)
    size, kept = 1, []
    for piece in pieces:
        size += len(piece)
        if size > most:
            break
        kept.append(piece)
    return "".join(kept) + "…"


def _escaped(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    odd_blank = character != " " and unicodedata.category(character) == "Zs"
    if odd_blank or unicodedata.category(character) in _HIDDEN:
        code = ord(character)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character
