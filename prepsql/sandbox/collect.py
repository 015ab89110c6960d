"""Take over the outputs of a run: all of them, checked, or none."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from prepsql.errors import WriteError
from prepsql.sandbox.outcome import OUTPUT_NAME, Limits


class Unacceptable(Exception):
    """An output isn't what a run may leave."""


def collect(left: Path, out: Path, limits: Limits) -> tuple[Path, ...]:
    """Copy the `output_*.csv` in the folder `left` into `out`, and return them in name order.

    `out` is made where it's missing, and older `output_*.csv` in it go. Raises Unacceptable, with nothing copied,
    where there is no output, or one is a link, no regular file, too large or oddly named; WriteError where `out`
    can't be written.
    """
    try:
        names = sorted(path.name for path in left.iterdir())
    except OSError as failure:
        raise Unacceptable(f"the folder of outputs can't be read: {failure.strerror}") from failure
    _check_names(names)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".prepsql-", dir=out) as fresh:
            for name in names:
                _copy(left / name, Path(fresh) / name, limits)
            for old in out.glob("output_*.csv"):
                old.unlink()
            for name in names:
                (Path(fresh) / name).replace(out / name)
    except OSError as failure:
        raise WriteError(f"folder {out}: outputs can't be written: {failure.strerror or failure}") from failure
    return tuple(out / name for name in names)


def _check_names(names: Sequence[str]) -> None:
    if not names:
        raise Unacceptable("no output: define output_01 (and output_02, … if asked for)")
    for name in names:
        if not name.endswith(".csv") or not OUTPUT_NAME.fullmatch(name.removesuffix(".csv")):
            raise Unacceptable(f"output {name!r}: a name must look like output_01.csv")


def _copy(source: Path, target: Path, limits: Limits) -> None:
    with open_plain(source, limits) as left, target.open("xb") as copy:
        shutil.copyfileobj(left, copy)


@contextmanager
def open_plain(source: Path, limits: Limits) -> Iterator[BinaryIO]:
    """Open a file that the code left; raise Unacceptable where it's a link, no regular file or too large."""
    try:
        # neither a link is followed nor a pipe waited for
        descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as failure:
        raise Unacceptable(f"output {source.name!r}: not a plain file: {failure.strerror}") from failure
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
            raise Unacceptable(f"output {source.name!r}: not a plain file of its own")
        if facts.st_size > limits.file_mb << 20:
            raise Unacceptable(f"output {source.name!r}: larger than {limits.file_mb} MB")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)
