"""Which limit, if any, stands behind an exception that the code met."""

from __future__ import annotations

import errno
import re

from prepsql.sandbox.outcome import Status

NO_MEMORY = re.compile(
    "bad_alloc|MemoryError|out of memory|cannot allocate|unable to allocate|failed to allocate|failed to map segment",
    re.IGNORECASE,
)
_FILE_SIZE = re.compile(r"file too large", re.IGNORECASE)


def status_of(failure: BaseException) -> str:
    """Return the status that a failure stands for."""
    text = message_of(failure)
    if isinstance(failure, MemoryError) or "OutOfMemory" in type(failure).__name__ or NO_MEMORY.search(text):
        return Status.OUT_OF_MEMORY
    if (isinstance(failure, OSError) and failure.errno == errno.EFBIG) or _FILE_SIZE.search(text):
        return Status.FILE_TOO_LARGE
    return Status.FAILED


def message_of(failure: BaseException) -> str:
    """Return an exception's text, even where the code made that impossible."""
    try:
        return str(failure)
    except BaseException:
        return "no message"
