"""One thread at a time for each key: threads that want the same reply wait for the one that fetches it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class Single:
    """Locks by key; a key that nobody holds or awaits takes no room."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._held: dict[str, tuple[Lock, int]] = {}

    @contextmanager
    def turn(self, key: str) -> Iterator[None]:
        """Wait for the key's turn and hold it."""
        with self._guard:
            lock, users = self._held.get(key, (Lock(), 0))
            self._held[key] = (lock, users + 1)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, users = self._held[key]
                if users == 1:
                    del self._held[key]
                else:
                    self._held[key] = (lock, users - 1)
