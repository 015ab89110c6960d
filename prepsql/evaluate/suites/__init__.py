"""Suites of tasks: our own, and a PrepBench release's checkout read in place."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import get_args

from prepsql.errors import InputError
from prepsql.evaluate.suites import own, prepbench
from prepsql.evaluate.task import Task, Way
from prepsql.resources import tasks_dir

__all__ = ["BUNDLED", "Suite", "open_suite", "own_suite"]

BUNDLED = "bundled"


@dataclass(frozen=True)
class Suite:
    """Tasks under one name, in order of their ids. `trusted` says that their reference code came with prepsql."""

    name: str
    root: Path
    tasks: tuple[Task, ...]
    trusted: bool

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways of writing of which it ships a solution for some task."""
        return tuple(way for way in get_args(Way) if any(way in task.reference for task in self.tasks))

    @property
    def secret(self) -> tuple[Path, ...]:
        """Where its tasks stand, and the history of the repository that they are in, which has them too."""
        root = self.root.resolve()
        return root, *(path for folder in (root, *root.parents) if (path := _history(folder / ".git")))

    def select(self, patterns: tuple[str, ...]) -> Suite:
        """Return the suite with the tasks whose id matches a shell pattern; no pattern means all.

        Raises InputError where a pattern matches none.
        """
        if not patterns:
            return self
        for pattern in patterns:
            if not any(fnmatchcase(task.id, pattern) for task in self.tasks):
                some = ", ".join(task.id for task in self.tasks[:12]) + (", …" if len(self.tasks) > 12 else "")
                raise InputError(f"no task matches {pattern!r} (suite {self.name} has {some})")
        chosen = tuple(t for t in self.tasks if any(fnmatchcase(t.id, p) for p in patterns))
        return Suite(self.name, self.root, chosen, self.trusted)


def _history(git: Path) -> Path | None:
    """Return where the history of a repository stands, None where this is none; of a worktree it's elsewhere."""
    if not git.is_file():
        return git if git.is_dir() else None
    folder = git.parent / git.read_text(encoding="utf-8", errors="replace").removeprefix("gitdir:").strip()
    common = folder / "commondir"
    return folder / common.read_text(encoding="utf-8").strip() if common.is_file() else folder


def open_suite(spec: str | Path = BUNDLED) -> Suite:
    """Return the suite that `spec` names: `bundled`, a folder of tasks in our form, or a PrepBench checkout.

    Raises InputError where the folder is missing or holds no tasks of either form.

    >>> len(open_suite("bundled").tasks)
    12
    """
    if str(spec) == BUNDLED:
        return Suite(BUNDLED, tasks_dir(), own.tasks(tasks_dir()), trusted=True)
    root = Path(spec)
    if not root.is_dir():
        found = "is a file" if root.exists() else "does not exist"
        raise InputError(f"suite {root} {found}: give '{BUNDLED}', a folder of tasks, or a PrepBench checkout")
    for form in (prepbench, own):
        tasks = form.tasks(root)
        if tasks:
            return Suite(root.resolve().name, root, tasks, trusted=False)
    if (root / "query.md").is_file():
        raise InputError(f"suite {root} is one task: give the folder that holds it, {root.parent}, and its name")
    raise InputError(
        f"suite {root} holds no tasks: wanted data/case_*/ with src/evaluate/gt/case_*/ (PrepBench), or folders "
        "with query.md and config.json"
    )


def own_suite(spec: str | Path = BUNDLED) -> Suite:
    """Return the suite that `spec` names if it is in our own form; raises InputError also where it isn't."""
    suite = open_suite(spec)
    if suite.tasks[0].gold != suite.tasks[0].folder:
        raise InputError(f"suite {spec} is a PrepBench checkout: it has no task.json to list or to prove")
    return suite
