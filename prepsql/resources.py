"""Where the library of macros and the bundled tasks are: inside the wheel, or beside the package in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def macros_dir() -> Path:
    """Return the folder of the macro library."""
    return _find("macros")


def tasks_dir() -> Path:
    """Return the folder of the bundled tasks; code under test must never be able to read it."""
    return _find("tasks")


def _find(name: str) -> Path:
    bundled = _PACKAGE / "bundled" / name
    return bundled if bundled.is_dir() else _PACKAGE.parent / name
