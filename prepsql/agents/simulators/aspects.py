"""What a question is about beyond its subject: missing values, limits, ties, order, keys and the like."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("aspects.txt")


@dataclass(frozen=True)
class Aspect:
    """How questions and entries speak of one thing."""

    asked: re.Pattern[str]
    entry: re.Pattern[str]


@cache
def aspects() -> Mapping[str, Aspect]:
    """Return the aspects of aspects.txt by name."""
    found: dict[str, Aspect] = {}
    for block in re.sub(r"^#.*\n", "", _FILE.read_text(encoding="utf-8"), flags=re.MULTILINE).strip().split("\n\n"):
        name, asked, entry = block.splitlines()
        found[name] = Aspect(re.compile(asked.removeprefix("asked: ")), re.compile(entry.removeprefix("entry: ")))
    return found


def of_question(text: str) -> list[str]:
    """Return the aspects that a question touches.

    >>> of_question("Does exactly 50 pass?")
    ['@limit']
    """
    low = text.lower().replace("’", "'")
    return [f"@{name}" for name, aspect in aspects().items() if aspect.asked.search(low)]


def of_entry(text: str) -> list[str]:
    """Return the aspects that what is said of an entry touches."""
    low = text.lower()
    return [f"@{name}" for name, aspect in aspects().items() if aspect.entry.search(low)]
