"""The command that runs another as an ordinary user, though only root may reach the interpreter."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
_MAPPED = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"]
_PRIVATE = ["unshare", "--mount", "--propagation", "private", "--"]


def ordinary(command: list[str], stage: Path) -> list[str] | None:
    """Return the command that runs `command` as user 65534, else as a mapped user 1000; None where neither can be had.

    Where a folder above the interpreter or this checkout is closed to others, it's replaced, in a mount namespace of
    the command's own, by an empty one that holds only what is needed; `stage` is an empty folder for that.
    """
    needed = [Path(p) for p in dict.fromkeys((sys.base_prefix, sys.prefix, str(Path(__file__).parents[2])))]
    closed = {next(filter(_closed, reversed((path, *path.parents))), None) for path in needed} - {None}
    whole = [*_PRIVATE, "sh", "-ec", _script(needed, sorted(closed), stage, command)] if closed else None
    candidates = [whole or [*_NOBODY, *command], [*_MAPPED, *command]]
    probes = [[*(_PRIVATE if closed else []), *_NOBODY, "true"], [*_MAPPED, "true"]]
    for candidate, probe in zip(candidates, probes, strict=True):
        if shutil.which(probe[0]) and subprocess.run(probe, capture_output=True, check=False).returncode == 0:
            return candidate
    return None


def _closed(path: Path) -> bool:
    return not path.stat().st_mode & 0o001


def _script(needed: list[Path], closed: list[Path], stage: Path, command: list[str]) -> str:
    lines = []
    moved = [path for path in needed if any(path.is_relative_to(folder) for folder in closed)]
    for number, path in enumerate(moved):
        lines += [f"mkdir {_q(stage / str(number))}", f"mount --rbind {_q(path)} {_q(stage / str(number))}"]
    lines += [f"mount -t tmpfs -o mode=755 tmpfs {_q(folder)}" for folder in closed]
    for number, path in enumerate(moved):
        lines += [f"mkdir -p {_q(path)}", f"mount --rbind {_q(stage / str(number))} {_q(path)}"]
    return "\n".join([*lines, "exec " + shlex.join([*_NOBODY, *command])])


def _q(path: Path) -> str:
    return shlex.quote(os.fspath(path))
