"""Landlock: the kernel refuses every file that isn't on the list, whoever the user is."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path

from prepsql.sandbox.layers import seccomp
from prepsql.sandbox.layers.base import Layer


def _missing() -> str | None:
    try:
        import landlock
    except ImportError:
        return "the package 'landlock' isn't installed (it is for Linux only)"
    try:
        landlock.landlock_abi_version()
    except (OSError, landlock.LandlockError) as failure:
        return str(getattr(failure, "reason", None) or failure)
    # alone it leaves the network and signals open, so it would be no wall
    return "it needs seccomp beside it" if seccomp.LAYER.missing() else None


LAYER = Layer(
    "landlock", "reading, writing, deleting or linking any file outside the job folder", real=True, missing=_missing
)


# DuckDB asks these for limits of the control group, and stops where they exist but may not be read
_CONTROL_GROUP = ("/proc/self/cgroup", "/sys/fs/cgroup")


def apply(reads: Sequence[str], lists: Sequence[str], writes: Sequence[str]) -> None:
    """Restrict this thread and those it starts: call it while it is the only one.

    `reads` are files, and folders with all beneath; of `lists` only the names are seen; in the folders `writes`
    regular files may be made, read, changed and removed, and nothing else.
    """
    from landlock import FSAccess, Ruleset

    ctypes.set_errno(0)  # the package takes a stale one for a failure
    rules = Ruleset()
    read, inside = FSAccess.READ_FILE, FSAccess.READ_FILE | FSAccess.READ_DIR
    change = (
        inside | FSAccess.WRITE_FILE | FSAccess.MAKE_REG | FSAccess.REMOVE_FILE | FSAccess.TRUNCATE
    ) & FSAccess.all()
    for path in reads:
        rules.allow(path, rules=inside if Path(path).is_dir() else read)
    for path in lists:
        rules.allow(path, rules=FSAccess.READ_DIR)
    for path in writes:
        rules.allow(path, rules=change)
    for path in filter(os.path.exists, _CONTROL_GROUP):
        os.open(path, os.O_PATH)  # never closed: the rule lasts as long as the kernel keeps the entry
        rules.allow(path, rules=inside if Path(path).is_dir() else read)
    rules.allow("/dev/null", rules=read | FSAccess.WRITE_FILE)
    rules.apply()
