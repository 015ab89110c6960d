"""Names of columns and tables: which are equal, which are no names, and which are about the same thing."""

from __future__ import annotations

import re

# what readers call a column without a name
_PLACEHOLDER = re.compile("(?:unnamed|column)[0-9]*")


def fold_name(name: str) -> str:
    """Return a column's name in small letters without white space and marks; a name of marks alone stays."""
    return "".join(filter(str.isalnum, name.casefold())) or name


def is_placeholder(name: str) -> bool:
    """Return whether a name is what readers call a column without one, such as Unnamed: 3, or nothing."""
    return not name.strip() or _PLACEHOLDER.fullmatch(fold_name(name)) is not None
