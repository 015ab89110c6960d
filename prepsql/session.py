"""A DuckDB of one's own: in memory up to a limit, beyond it in a temporary folder that goes away."""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from prepsql.errors import InputError
from prepsql.scratch import scratch_folder

_GIB = 1 << 30
_SIZE = re.compile("([0-9]+(?:[.][0-9]+)?) *([KMGT]i?B)", re.IGNORECASE)
_SMALLEST = 64e6


@contextmanager
def session(prefix: str, memory_limit: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection; `memory_limit` is DuckDB's, e.g. '4GB', from 64MB on. `prefix` names its folder.

    By default 2 GiB, or what fits into the process's own limits (`ulimit -d`, `ulimit -v`) where that is less.
    Raises InputError where `memory_limit` is no such size. A query that Ctrl-C ends is a KeyboardInterrupt.
    """
    check_memory_limit(memory_limit)
    with (
        scratch_folder(prefix) as folder,
        duckdb.connect(config={"temp_directory": str(folder / "spilled"), **_limits(memory_limit)}) as con,
    ):
        try:
            yield con
        except RuntimeError as bad:
            if is_interrupt(bad):
                raise KeyboardInterrupt from None
            raise


def is_interrupt(bad: Exception) -> bool:
    """Return whether an error says that a query was ended from outside: by Ctrl-C, or by `interrupt`."""
    return isinstance(bad, duckdb.InterruptException) or (type(bad) is RuntimeError and str(bad) == "Query interrupted")


def check_memory_limit(limit: str | None) -> None:
    """Raise InputError where a limit isn't a size that DuckDB reads, or too small to work in."""
    if limit is None:
        return
    found = _SIZE.fullmatch(limit.strip())
    if not found:
        raise InputError(f"memory limit {limit!r}: no size; write a number and KB, MB, GB or TB (KiB …), e.g. 4GB")
    unit = found[2].upper()
    size = float(found[1]) * (1024 if "I" in unit else 1000) ** " KMGT".index(unit[0])
    if size < _SMALLEST:
        raise InputError(f"memory limit {limit!r}: too little for tables; give at least 64MB")


def _limits(memory_limit: str | None) -> dict[str, str | int]:
    """Return DuckDB's settings for this process."""
    space, data = (resource.getrlimit(limit)[0] for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    allowed = [2 * _GIB]
    if data != resource.RLIM_INFINITY:
        allowed.append(data // 2)
    settings: dict[str, str | int] = {}
    if space != resource.RLIM_INFINITY:
        # `ulimit -v` counts what is only reserved, of which each thread reserves more
        allowed.append(space // 5)
        settings["threads"] = 1
    return {"memory_limit": memory_limit or f"{min(allowed) >> 20}MiB", **settings}
