"""The private folder of one run: inputs and code copied in, outputs and scratch files left; removed afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from prepsql.errors import InputError
from prepsql.scratch import scratch_folder


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
def job_folder(inside: Path | None = None) -> Iterator[Job]:
    """Make the folders of a run, and remove them whatever happens; what a killed process left goes too.

    They lie `inside` another folder, or where the system has its temporary ones.
    """
    with scratch_folder("prepsql-job-", inside) as root:
        job = Job(root)
        for folder in (job.inputs, job.code, job.out, job.tmp, job.own):
            folder.mkdir()
        yield job


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
