"""What the code may read beside its own job folder: the interpreter, its libraries, this package and its macros."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from prepsql.errors import SandboxError
from prepsql.resources import macros_dir, tasks_dir

_PACKAGE = Path(__file__).resolve().parent.parent
_SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/zoneinfo",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/System/Library",
)


@dataclass(frozen=True)
class Reads:
    """`contents` may be read with all beneath; of `listings`, folders that hold a hidden path, only names are seen."""

    contents: tuple[str, ...]
    listings: tuple[str, ...]


def interpreter() -> str:
    """Return the path of this Python, links followed."""
    return os.path.realpath(sys.executable)


def import_path() -> list[str]:
    """Return where the child finds packages: the environment's, and the one folder that holds this package."""
    return [*_environment(), str(_PACKAGE.parent)]


def readable(hidden: Sequence[Path]) -> Reads:
    """Return what may be read, less `hidden` and less the bundled tasks.

    Raises SandboxError where `hidden` leaves no interpreter or no package to run the code with.
    """
    return _readable(tuple(Path(os.path.realpath(path)) for path in (*hidden, tasks_dir())))


@lru_cache(maxsize=16)
def _readable(secret: tuple[Path, ...]) -> Reads:
    needed = [interpreter(), sysconfig.get_path("stdlib"), str(_PACKAGE), str(macros_dir())]
    for path in map(os.path.realpath, needed):
        if any(Path(path).is_relative_to(s) for s in secret):
            raise SandboxError(f"{path} lies beneath a hidden folder, but the code can't run without it: hide less")
    prefixes = {sys.prefix, sys.base_prefix}
    trees = [sysconfig.get_path("platstdlib"), *(f"{p}/{name}" for p in prefixes for name in ("lib", "pyvenv.cfg"))]
    wanted = (*needed, *trees, *_environment(), *_SYSTEM)
    contents: dict[str, None] = {}
    listings: dict[str, None] = {}
    for path in dict.fromkeys(wanted):
        if os.path.lexists(path):
            _allow(Path(path), secret, contents, listings)
    return Reads(tuple(contents), tuple(listings))


def _environment() -> list[str]:
    """Return the existing package folders of this interpreter."""
    folders = [*site.getsitepackages(), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    return [folder for folder in dict.fromkeys(map(os.path.realpath, folders)) if Path(folder).is_dir()]


def _allow(path: Path, secret: Sequence[Path], contents: dict[str, None], listings: dict[str, None]) -> None:
    real = Path(os.path.realpath(path))
    if any(real.is_relative_to(s) for s in secret) or not real.exists():
        return
    if not any(s.is_relative_to(real) for s in secret):
        contents[str(path)] = None
        return
    listings[str(path)] = None
    for child in sorted(path.iterdir()):
        if child.is_symlink() and not Path(os.path.realpath(child)).is_relative_to(real):
            continue  # a link must not widen what its folder allows
        _allow(child, secret, contents, listings)
