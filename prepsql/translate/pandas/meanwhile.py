"""What holds while a block runs, on top of what held before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

_Thing = TypeVar("_Thing")


@contextmanager
def meanwhile(stack: list[_Thing], thing: _Thing) -> Iterator[None]:
    """Have a thing at the end of a stack while the block runs."""
    stack.append(thing)
    try:
        yield
    finally:
        stack.pop()
