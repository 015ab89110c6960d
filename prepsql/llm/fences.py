"""The blocks between fences (three backticks or tildes) of a model's reply."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPEN = re.compile(r"^(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<label>[\w+#.-]*)(?P<rest>[^`\n]*)$")
_ON_A_LINE = re.compile(r"^\s*(?P<fence>`{3,})(?P<label>[\w+#.-]*)[ \t]+(?P<text>[^`\n]+?)\s*(?P=fence)\s*$")
_THOUGHT = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Block:
    """One block: its label in lower case (empty where it has none), its text, and whether its end is there."""

    label: str
    text: str
    closed: bool


def without_thoughts(text: str) -> str:
    """Return a reply without the thoughts that some models put before it.

    >>> without_thoughts("<think>a or b?</think>b")
    'b'
    """
    return _THOUGHT.sub("", text, count=1)


def blocks(text: str) -> tuple[Block, ...]:
    r"""Return the blocks of a reply, in order.

    A block ends with a line of as many marks as it began with, or at the end of a line of its text.

    >>> [b.text for b in blocks("So:\n```sql\nSELECT 1\n```\nor\n```\nSELECT 2```")]
    ['SELECT 1', 'SELECT 2']
    """
    found: list[Block] = []
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines):
        opened, whole = _OPEN.match(lines[at]), _ON_A_LINE.match(lines[at])
        at += 1
        if whole:
            found.append(Block(whole["label"].lower(), whole["text"], True))
        elif opened:
            block, at = _block(lines, at, opened)
            found.append(block)
    return tuple(found)


def _block(lines: list[str], at: int, opened: re.Match[str]) -> tuple[Block, int]:
    fence, indent, label = opened["fence"], opened["indent"], opened["label"].lower()
    held: list[str] = []
    while at < len(lines):
        line = lines[at].removeprefix(indent)
        at += 1
        bare = line.strip()
        if bare and set(bare) == {fence[0]} and len(bare) >= len(fence):
            return Block(label, "\n".join(held), True), at
        if line.rstrip().endswith(fence) and fence not in line.rstrip()[: -len(fence)]:
            held.append(line.rstrip()[: -len(fence)])
            return Block(label, "\n".join(held), True), at
        held.append(line)
    return Block(label, "\n".join(held), False), at
