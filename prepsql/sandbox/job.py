"""The private folder of one run: inputs and code copied in, outputs and scratch files left; removed afterwards."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from prepsql.errors import InputError

_PREFIX = "prepsql-job-"
_LOCK = "lock"


@dataclass(frozen=True)
class Job:
    """The folders of a run; only `out` and `tmp` may be written by the code, `own` not even seen."""

    root: Path

    @property
    def inputs(self) -> Path:
        """The copies of the inputs."""
        return self.root / "inputs"

    @property
    def code(self) -> Path:
        """The code and what the child is told."""
        return self.root / "code"

    @property
    def out(self) -> Path:
        """Where output tables are left."""
        return self.root / "out"

    @property
    def tmp(self) -> Path:
        """The working and home folder of the code."""
        return self.root / "tmp"

    @property
    def own(self) -> Path:
        """What the parent alone opens: standard output, standard error, the child's report."""
        return self.root / "own"


@contextmanager
def job_folder() -> Iterator[Job]:
    """Make the folders of a run, and remove them whatever happens; what a killed process left goes too."""
    _remove_orphans(Path(tempfile.gettempdir()))
    root = Path(os.path.realpath(tempfile.mkdtemp(prefix=_PREFIX)))
    try:
        job = Job(root)
        for folder in (job.inputs, job.code, job.out, job.tmp, job.own):
            folder.mkdir()
        with _locked(job.own / _LOCK):
            yield job
    finally:
        _remove(root)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock that goes when this process does, however it ends."""
    draft = path.with_suffix(".new")
    with draft.open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        draft.rename(path)  # never there unlocked
        yield


def _remove_orphans(folder: Path) -> None:
    """Remove job folders whose lock nobody holds any more."""
    for path in folder.glob(f"{_PREFIX}*/own/{_LOCK}"):
        with suppress(OSError), path.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(path.parent.parent)


def stage(inputs: str | Path | Sequence[str | Path], folder: Path) -> list[Path]:
    """Copy the inputs, a folder's files or the files named, and return the copies in name order.

    Raises InputError where one is missing, isn't a file, or shares its name with another.
    """
    files = input_files(inputs)
    for file in files:
        if not file.is_file():
            raise InputError(f"input {file}: {'not a file' if file.exists() else 'no such file'}")
        if (folder / file.name).exists():
            raise InputError(f"input {file}: another input is named {file.name} too; rename one")
        shutil.copyfile(file, folder / file.name)
    return sorted(folder / file.name for file in files)


def input_files(inputs: str | Path | Sequence[str | Path]) -> list[Path]:
    """Return the files that are meant: all of a folder that aren't hidden, in name order, or those named."""
    if not isinstance(inputs, str | Path):
        return [Path(file) for file in inputs]
    inputs = Path(inputs)
    if not inputs.is_dir():
        return [inputs]
    return sorted(file for file in inputs.iterdir() if file.is_file() and not file.name.startswith("."))


def _remove(root: Path) -> None:
    with suppress(OSError, RecursionError):
        shutil.rmtree(root)
    program = shutil.which("rm")
    if root.exists() and program:  # folders nested deeper than Python follows
        subprocess.run([program, "-rf", "--", root], check=False, capture_output=True)
