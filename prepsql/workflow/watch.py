"""Ending a run from outside: at its time limit, or because someone says stop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import duckdb

from prepsql.errors import MemoryLimitError, PrepsqlError, TimeLimitError

_PAUSE = 0.02


@contextmanager
def watched(con: duckdb.DuckDBPyConnection, seconds: float | None, stop: Event | None) -> Iterator[Event]:
    """Run the block, but interrupt what `con` does once `seconds` are over or `stop` is set.

    Yields the event that is set then, for work that isn't DuckDB's. Whatever the block raises because of it,
    TimeLimitError comes out (PrepsqlError for `stop`); MemoryLimitError where DuckDB's memory limit ends a query.
    """
    ended, over = Event(), Event()
    watcher = Thread(target=_watch, args=(con, seconds, stop, ended, over), daemon=True)
    if seconds is not None or stop is not None:
        watcher.start()
    try:
        yield over
    except duckdb.OutOfMemoryException as full:
        raise MemoryLimitError(" ".join(str(full).partition("\n")[0].split())) from full
    except Exception as why:
        if over.is_set():
            raise _reason(seconds, stop) from why
        raise
    finally:
        ended.set()
        if watcher.ident is not None:
            watcher.join()
    if over.is_set():
        raise _reason(seconds, stop)


def _watch(
    con: duckdb.DuckDBPyConnection, seconds: float | None, stop: Event | None, ended: Event, over: Event
) -> None:
    end = float("inf") if seconds is None else time.monotonic() + seconds
    while not ended.wait(_PAUSE):
        if time.monotonic() > end or (stop is not None and stop.is_set()):
            over.set()
            con.interrupt()  # again and again: between two queries it has no effect


def _reason(seconds: float | None, stop: Event | None) -> PrepsqlError:
    if stop is not None and stop.is_set():
        return PrepsqlError("the run was stopped before its end")
    return TimeLimitError(f"the workflow was ended after {seconds:g} seconds, its time limit")
