"""Refusals by rule: how questions are put that a user wouldn't answer."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

MOST_PARTS = 2
"""A question may have so many questions in it; one with more is too broad."""

_FILE = Path(__file__).with_name("refusals.txt")
_ASKING = r"how|what|which|who|when|where|why|whether|should|shall|do|does|did|is|are|can|could|will|would|must|may"
_START = (
    r"(?:^|[?;]\s*|[,:]\s+(?:and\s+|or\s+)?|\s+and\s+)(?:and\s+|or\s+|also\s+)?(?:in\s+|by\s+|on\s+|from\s+|to\s+)?"
)
_CLAUSE = re.compile(r"^(?:and |but |so )?(?:when|where|if|for|in|after|before|once)\b[^,?]*,\s*", re.IGNORECASE)
_PART = re.compile(rf"{_START}(?:{_ASKING})\b", re.IGNORECASE)


def refused(question: str) -> str:
    """Return the classification by which a question is refused, '' where no rule refuses it.

    >>> refused("Is there anything else?"), refused("Does exactly 50 pass?")
    ('refuse_too_broad', '')
    """
    low = " ".join(question.lower().replace("’", "'").split())
    for classification, patterns in _rules().items():
        if any(pattern.search(low) for pattern in patterns):
            return classification
    return "refuse_too_broad" if parts(question) > MOST_PARTS else ""


def parts(question: str) -> int:
    """Return how many questions a text asks.

    A clause that comes first and says only when isn't one.

    >>> parts("Which key, which rounding and what order?"), parts("When it's 5, is it in, or does it drop out?")
    (3, 2)
    """
    return len(_PART.findall(_CLAUSE.sub("", question.strip())))


@cache
def _rules() -> dict[str, tuple[re.Pattern[str], ...]]:
    rules: dict[str, list[re.Pattern[str]]] = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]") and re.fullmatch(r"\[refuse_\w+\]", line):
            rules[line[1:-1]] = []
        elif line and not line.startswith("#"):
            rules[next(reversed(rules))].append(re.compile(line))
    return {classification: tuple(patterns) for classification, patterns in rules.items()}
