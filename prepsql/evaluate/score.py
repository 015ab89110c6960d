"""Scoring tables that any agent left in the release's layout: `<root>/<case>/solution/cand/output_*.csv`."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from prepsql.compare import compare_policies
from prepsql.errors import InputError, PrepsqlError, WriteError
from prepsql.evaluate.suites import Suite
from prepsql.evaluate.task import Task
from prepsql.evaluate.verdict import POLICIES, Reading, Result, Verdict, accuracy, judge

FOLDERS = {"code": "cand", "workflow": "flow_cand"}
"""What was made → the folder under `<case>/solution` that holds its tables."""

_COLUMNS = (
    "case_name", "execution", "evaluation", "candidate_dir", "gt_dir", "error_type", "error_message",
)  # fmt: skip


def score(
    root: Path,
    suite: Suite,
    *,
    policies: tuple[str, ...] = POLICIES,
    kind: str = "code",
    jobs: int = 2,
    on_verdict: Callable[[Verdict], None] = lambda verdict: None,
) -> list[Verdict]:
    """Compare what stands under `root` with each task's gold; one verdict a task of the suite, in its order.

    A task without tables is NOT_FOUND and counts as wrong; the first of `policies` decides the result.
    Raises InputError where `root` is no folder or holds tables of none of the tasks.
    """
    pattern = f"<task>/solution/{FOLDERS[kind]}/output_*.csv"
    if not root.is_dir():
        raise InputError(f"{root} is no folder: give the one that holds {pattern}")

    def one(task: Task) -> Verdict:
        verdict = _verdict(task, root / task.id / "solution" / FOLDERS[kind], kind, policies)
        on_verdict(verdict)
        return verdict

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        verdicts = list(pool.map(one, suite.tasks))
    if all(v.result is Result.NOT_FOUND for v in verdicts):
        inside = sorted(p.parent.parent.name for p in root.glob("*/*/solution"))
        hint = f"; {root}/{inside[0]} has some" if inside else ""
        raise InputError(f"{root} has no {pattern} of any of the {len(verdicts)} tasks: wrong root or suite?{hint}")
    return verdicts


def _verdict(task: Task, folder: Path, kind: str, policies: tuple[str, ...]) -> Verdict:
    if not any(folder.glob("output_*")):
        return Verdict(task.id, kind, Result.NOT_FOUND, {}, f"no output_*.csv in {folder}", 0.0)
    try:
        result, readings, message = judge(compare_policies(task.gold, folder, policies))
    except PrepsqlError as fault:
        return Verdict(task.id, kind, Result.INFRASTRUCTURE, {}, str(fault), 0.0)
    return Verdict(task.id, kind, result, readings, message, 0.0)


def write_summary(root: Path, suite: Suite, verdicts: list[Verdict], *, policy: str, kind: str = "code") -> None:
    """Write `evaluation_summary.csv` (one row a task) and `acc.txt` (the share that passes) into `root`, or neither.

    Raises WriteError where `root` can't be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for task, verdict in zip(suite.tasks, verdicts, strict=True):
        reading = verdict.readings.get(policy)
        folder = root / task.id / "solution" / FOLDERS[kind]
        writer.writerow([task.id, *_words(verdict, reading), folder, task.gold, *_error(verdict, reading)])
    passed, judged = accuracy(verdicts, policy)
    share = f"{passed / judged if judged else 0:.4f} ({passed}/{judged})\n"
    files = {root / "evaluation_summary.csv": text.getvalue(), root / "acc.txt": share}
    drafts = {path.with_name(f".{path.name}.part"): path for path in files}
    try:
        for draft, path in drafts.items():
            draft.write_text(files[path], encoding="utf-8")
        for draft, path in drafts.items():
            draft.replace(path)
    except OSError as wrong:
        for draft in drafts:
            draft.unlink(missing_ok=True)
        raise WriteError(f"cannot write the summary into {root}: {wrong.strerror}") from wrong


def _words(verdict: Verdict, reading: Reading | None) -> tuple[str, str]:
    """Return execution and evaluation, in the words of the release's outcomes."""
    if reading is None:
        return verdict.result.name, "fail" if verdict.result is Result.NOT_FOUND else ""
    return "execok", "pass" if reading.passed else "fail"


def _error(verdict: Verdict, reading: Reading | None) -> tuple[str, str]:
    if reading is None:
        return verdict.result.name, verdict.message
    return reading.error_type, reading.message
