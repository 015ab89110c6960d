"""Python values as one Arrow column of one type: nothing is guessed, nothing bent to fit."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

# what a caller may ask for: the kinds of values that fit, and the type that they become
TYPES: dict[str, tuple[frozenset[str], pa.DataType]] = {
    "BIGINT": (frozenset({"int"}), pa.int64()),
    "DOUBLE": (frozenset({"int", "float"}), pa.float64()),
    "VARCHAR": (frozenset({"str"}), pa.string()),
    "BOOLEAN": (frozenset({"bool"}), pa.bool_()),
    "DATE": (frozenset({"date"}), pa.date32()),
    "TIMESTAMP": (frozenset({"datetime"}), pa.timestamp("us")),
}
_SINGLE: dict[str, pa.DataType | None] = {
    "bool": pa.bool_(),
    "int": pa.int64(),
    "float": pa.float64(),
    "str": pa.string(),
    "bytes": pa.binary(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
    "time": pa.time64("us"),
    "timedelta": pa.duration("us"),
    "Decimal": None,  # its digits decide
}
# a class stands before those that it derives from
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    ((bool, np.bool_), "bool"),
    ((int, np.integer), "int"),
    ((float, np.floating), "float"),
    (str, "str"),
    ((bytes, bytearray), "bytes"),
    (datetime.datetime, "datetime"),
    (datetime.date, "date"),
    (datetime.time, "time"),
    (datetime.timedelta, "timedelta"),
    (Decimal, "Decimal"),
    ((list, tuple, np.ndarray), "list"),
    (dict, "dict"),
)
_NULLS = {"NoneType", "NAType", "NaTType"}


class Unfit(Exception):
    """Values that make no one column; the text goes on from the name of what holds them, `mend` is the next step."""

    def __init__(self, reason: str, mend: str = "") -> None:
        super().__init__(reason)
        self.mend = mend


def column(values: Sequence[Any], returns: str | None = None) -> pa.Array:
    """Return the values as one column, of the type `returns` (one of TYPES) or else of the one that they all have.

    None, NaN, NaT and NA are null. Whole numbers among others become floats, if none loses a digit; lists and dicts
    with the same keys are columns within a column. With nothing but nulls it's text. Raises Unfit.
    """
    kinds = {kind: _kind(kind) for kind in set(map(type, values))}
    found = {kind for kind in kinds.values() if kind}
    if "float" in found and (len(found) > 1 or returns) and all(v != v for v in values if kinds[type(v)] == "float"):
        found.discard("float")
    if returns is not None and not found <= TYPES[returns][0]:
        odd = next(kind for kind in map(_kind, map(type, values)) if kind in found - TYPES[returns][0])
        raise Unfit(f"gives {_first(values, odd)}, but {returns} is wanted")
    if len(found) > 1 and found != {"int", "float"}:
        raise Unfit("mixes " + " and ".join(sorted((_first(values, kind) for kind in found), key=_row)))
    kind = "float" if found == {"int", "float"} else next(iter(found), "str")
    if kind not in _SINGLE:
        return _nested(values, kind, kinds)
    wanted = TYPES[returns][1] if returns else _SINGLE[kind]
    if kind == "datetime":
        wanted = _instant([value for value in values if kinds[type(value)] == kind], returns)
    try:
        return pa.array(values, wanted, from_pandas=True)
    except (pa.ArrowException, ValueError, OverflowError, TypeError) as failure:
        raise Unfit(f"holds a value that doesn't fit {kind} ({failure})") from None


def _kind(kind: type) -> str | None:
    """Return what values of a Python type are, None for those that mean null."""
    if kind.__name__ in _NULLS:
        return None
    return next((name for types, name in _KINDS if issubclass(kind, types)), kind.__name__)


def _first(values: Sequence[Any], kind: str | None) -> str:
    row = next(n for n, v in enumerate(values, 1) if _kind(type(v)) == kind and (kind != "float" or v == v))
    return f"{kind} in row {row}"


def _instant(values: Sequence[datetime.datetime], returns: str | None) -> pa.DataType:
    """Return the type for datetimes; raise Unfit where only some have a time zone, or `returns` has less than they."""
    aware = {value.tzinfo is not None for value in values}
    if len(aware) > 1:
        raise Unfit("mixes datetimes with a time zone and without")
    fine = any(getattr(value, "nanosecond", 0) for value in values)
    if returns and (fine or True in aware):
        raise Unfit(f"gives a datetime with {'nanoseconds' if fine else 'a time zone'}, but {returns} is wanted")
    return pa.timestamp("ns" if fine else "us", "UTC" if True in aware else None)


def _row(text: str) -> int:
    return int(text.rpartition(" ")[2])


def _nested(values: Sequence[Any], kind: str, kinds: Mapping[type, str | None]) -> pa.Array:
    blank = [kinds[type(v)] != kind for v in values]
    held = [None if none else v for v, none in zip(values, blank, strict=True)]
    if kind == "list":
        held = [_items(v) if isinstance(v, np.ndarray) else v for v in held]
        flat = [item for v in held if v is not None for item in v]
        ends = np.cumsum([0] + [0 if v is None else len(v) for v in held])
        starts = pa.array(ends, pa.int32(), mask=np.array([*blank, False]))
        return pa.ListArray.from_arrays(starts, _within(flat, "lists"))
    if kind == "dict":
        keys = list(next(v for v in held if v is not None))
        for row, v in enumerate(held, 1):
            if not keys or not all(isinstance(k, str) for k in keys) or (v is not None and set(v) != set(keys)):
                raise Unfit(f"holds dicts without the same names as keys (row {row})")
        parts = [_within([None if v is None else v[key] for v in held], f"{key!r} of dicts") for key in keys]
        return pa.StructArray.from_arrays(parts, names=keys, mask=pa.array(blank))
    raise Unfit(f"holds {_first(values, kind)}, which no table can carry")


def _items(values: np.ndarray[Any, Any]) -> list[Any]:
    """Return an array's values as Python's own, masked ones as None."""
    times = values.dtype.kind in "Mm"
    items: list[Any] = (values.astype(f"{values.dtype.kind}8[us]") if times else values).tolist()
    return items


def _within(values: Sequence[Any], where: str) -> pa.Array:
    try:
        return column(values)
    except Unfit as reason:
        raise Unfit(f"holds {where} whose content {re.sub(' in row [0-9]+', '', str(reason))}") from None
