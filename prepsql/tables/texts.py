"""Python's texts as an Arrow array."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import pyarrow as pa


def texts(cells: Sequence[str | None]) -> pa.LargeStringArray:
    """Return `cells` as an array; None is null, '' stays ''.

    `pa.array` would load pandas to see whether it was given something of that, which takes half a second.

    >>> texts(["a", None, ""]).to_pylist()
    ['a', None, '']
    """
    raw = [b"" if cell is None else cell.encode() for cell in cells]
    ends = np.fromiter(accumulate(map(len, raw), initial=0), np.int64, len(raw) + 1)
    there = np.packbits(np.fromiter((cell is not None for cell in cells), bool, len(cells)), bitorder="little")
    return pa.LargeStringArray.from_buffers(
        len(raw), pa.py_buffer(ends), pa.py_buffer(b"".join(raw)), pa.py_buffer(there)
    )
