"""Temporary folders that go away even when their process was killed: the next one removes them."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LOCK = ".lock"


@contextmanager
def scratch_folder(prefix: str, inside: Path | None = None) -> Iterator[Path]:
    """Yield a new folder `inside` another, or in the system's place for such, and remove it whatever happens.

    Folders of this `prefix` whose process is no more go too: each holds a lock that ends with its process.
    """
    place = inside or Path(tempfile.gettempdir())
    _remove_orphans(place, prefix)
    root = Path(os.path.realpath(tempfile.mkdtemp(prefix=prefix, dir=place)))
    draft = root / f"{_LOCK}.new"
    try:
        with draft.open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            draft.rename(root / _LOCK)  # never there unlocked
            yield root
    finally:
        _remove(root)


def _remove_orphans(folder: Path, prefix: str) -> None:
    for path in folder.glob(f"{prefix}*/{_LOCK}"):
        with suppress(OSError), path.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(path.parent)


def _remove(root: Path) -> None:
    with suppress(OSError, RecursionError):
        shutil.rmtree(root)
    if root.exists() and (program := shutil.which("rm")):  # folders nested deeper than Python follows
        subprocess.run([program, "-rf", "--", root], check=False, capture_output=True)
