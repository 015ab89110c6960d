"""Text of whole characters: JSON may write half of one, which no file, table or terminal takes."""

from __future__ import annotations


def whole_characters(text: str) -> str:
    r"""Return text in which two halves that belong together are one character, and any other half is U+FFFD.

    >>> whole_characters("\ud83d\ude00 \ud83d")
    '😀 �'
    """
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
