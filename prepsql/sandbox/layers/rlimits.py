"""Resource limits of the process: memory, processor time, file size, open files, processes."""

from __future__ import annotations

import resource
import sys

from prepsql.sandbox.layers.base import Layer
from prepsql.sandbox.outcome import Limits

LAYER = Layer(
    "rlimits", "filling memory, one endless file, too many open files, core dumps", real=False, missing=lambda: None
)

_MEGABYTE = 1 << 20
_OPEN_FILES = 256
# counts all of the user's threads on some systems, so it only bounds a fork bomb that seccomp doesn't stop
_PROCESSES = 4096


def apply(limits: Limits) -> None:
    """Limit this process; the wall clock is the parent's, processor time is the backstop behind it."""
    seconds = int(limits.seconds * max(limits.threads, 1)) + 5
    wanted = {
        resource.RLIMIT_AS: limits.memory_mb * _MEGABYTE,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: limits.file_mb * _MEGABYTE,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_NPROC: _PROCESSES,
        resource.RLIMIT_CORE: 0,
    }
    if sys.platform == "darwin":  # which refuses this one
        del wanted[resource.RLIMIT_AS]
    for kind, value in wanted.items():
        _, hard = resource.getrlimit(kind)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (bound, bound))
