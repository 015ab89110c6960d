"""bubblewrap: the process sees a file system of its own, and no network, no other process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache

from prepsql.sandbox.layers.base import Layer

_ISOLATED = ("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL")


@cache
def _missing() -> str | None:
    program = shutil.which("bwrap")
    if program is None:
        return "the program 'bwrap' isn't installed (package bubblewrap)"
    probe = [program, *_ISOLATED, "--ro-bind", "/", "/", "--", sys.executable, "-S", "-c", ""]
    try:
        done = subprocess.run(probe, env={}, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as failure:
        return f"bwrap doesn't start: {failure}"
    if done.returncode:
        return "bwrap doesn't work here: " + (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    return None


LAYER = Layer(
    "bubblewrap",
    "seeing any file outside the job folder, the network, other processes; leaving processes behind",
    real=True,
    missing=_missing,
)


def command(inner: Sequence[str], reads: Sequence[str], writes: Sequence[str], folder: str) -> list[str]:
    """Return the command that runs `inner` in `folder` where only `reads` and `writes` exist."""
    program = shutil.which("bwrap") or "bwrap"
    binds = [word for path in reads for word in ("--ro-bind", path, path)]
    binds += [word for path in writes for word in ("--bind", path, path)]
    devices = [word for path in ("/dev/null", "/dev/urandom") for word in ("--dev-bind", path, path)]
    # the root is a file system in memory, which no limit counts
    return [program, *_ISOLATED, *binds, *devices, "--chdir", folder, "--remount-ro", "/", "--", *inner]
