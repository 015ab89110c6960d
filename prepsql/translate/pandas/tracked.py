"""Plain numbers and texts that came of the data: of a type of their own, so that each is an object by itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd


class TrackedInt(int):
    """A whole number that a reduction gave."""


class TrackedFloat(float):
    """A float that a reduction gave."""


class TrackedText(str):
    """A text that came from a cell."""

    __slots__ = ()


_CONTAINERS = (list, tuple, dict, set, frozenset, deque, np.ndarray, pd.Index, pd.Series, pd.DataFrame, range, Iterator)
_FOUND: dict[int, Any] = {}
_OWN: dict[type, type] = {int: TrackedInt, float: TrackedFloat, str: TrackedText}
_KINDS = (TrackedInt, TrackedFloat, TrackedText, np.generic, pd.Timestamp, pd.Timedelta)


def is_lost(value: Any) -> bool:
    """Return whether a thing came of the data by itself, so that it stands for something or is lost."""
    return type(value) in (TrackedInt, TrackedFloat, TrackedText)


def own(value: Any) -> Any:
    """Return a plain number or text as an object of its own, another thing as it is.

    Python keeps one object for small numbers and short texts, so that their identity says nothing.
    """
    kind = _OWN.get(type(value))
    return kind(value) if kind is not None else value


def is_own(value: Any) -> bool:
    """Return whether a thing's identity says where it came from."""
    return isinstance(value, _KINDS) and not isinstance(value, np.bool_)


def mark(value: Any) -> Any:
    """Return a thing that holds values of tables and has no symbol: it is no constant."""
    value = own(value)
    if is_own(value) or isinstance(value, _CONTAINERS):
        _FOUND[id(value)] = value
    return value


def unmark(value: Any) -> None:
    """Take a thing that has a symbol for what that says."""
    _FOUND.pop(id(value), None)


def is_marked(value: Any) -> bool:
    """Return whether a thing holds values of tables and has no symbol."""
    return _FOUND.get(id(value)) is value and value is not None


def forget() -> None:
    """Unmark everything."""
    _FOUND.clear()
