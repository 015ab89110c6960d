"""seccomp: the kernel refuses the system calls that no candidate needs.

The filter is compiled once, in the parent, and loaded in the child from its bytes: finding the library starts
other programs, which a locked-down child can't.
"""

from __future__ import annotations

import ctypes
import errno
import os
import tempfile
from functools import cache
from pathlib import Path

from prepsql.sandbox.layers.base import Layer

_DENIED = Path(__file__).with_name("seccomp_denied.txt")
_CLONE_THREAD = 0x10000
_PR_SET_NO_NEW_PRIVS, _PR_GET_SECCOMP, _PR_SET_SECCOMP, _MODE_FILTER = 38, 21, 22, 2


def _missing() -> str | None:
    try:
        program()
    except ImportError:
        return "the package 'pyseccomp' isn't installed (it is for Linux only)"
    except (OSError, RuntimeError) as failure:
        return f"the filter can't be made: {failure}"
    if ctypes.CDLL(None).prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) < 0:
        return "the kernel was built without it"
    return None


LAYER = Layer(
    "seccomp",
    "sockets, other programs, new processes, signals, ptrace, mounts, links, chmod, raising limits",
    real=False,
    missing=_missing,
)


@cache
def program() -> bytes:
    """Return the filter as the kernel takes it."""
    import pyseccomp

    refuse = pyseccomp.ERRNO(errno.EPERM)
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    lines = _DENIED.read_text(encoding="utf-8").splitlines()
    for name in " ".join(line for line in lines if not line.startswith("#")).split():
        if pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) != -1:  # unknown to this library or machine
            rules.add_rule(refuse, name)
    rules.add_rule(refuse, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, _CLONE_THREAD, 0))
    # its flags lie in memory, where a filter can't look; without it the C library takes clone
    rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    # reading a limit stays possible
    rules.add_rule(refuse, "prlimit64", pyseccomp.Arg(2, pyseccomp.NE, 0))
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        size = os.fstat(file.fileno()).st_size
        return os.pread(file.fileno(), size, 0)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def apply(instructions: bytes) -> None:
    """Load the filter into this process, while it has one thread."""
    libc = ctypes.CDLL(None, use_errno=True)
    filled = _Program(len(instructions) // 8, instructions)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        _PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(filled), 0, 0
    ):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
