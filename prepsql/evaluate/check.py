"""The proof that a task of our own is whole: what `prepsql tasks check` runs.

A task passes if its solutions (SQL, pandas, a workflow without problems) reproduce gold under `strict`, its generator
reproduces its inputs byte for byte, and its request alone doesn't determine gold: each knowledge-base entry quotes the
open phrase of the request (`source_text`), the sentence of the full request that settles it (`stated`, absent from the
request), and carries the other plausible reading as edits of the SQL solution (`variant`) that give another output
under `paper`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from prepsql.compare import compare
from prepsql.errors import ConfigError, PrepsqlError
from prepsql.evaluate import reference
from prepsql.evaluate.solve import Terms, solve
from prepsql.evaluate.task import AMBIGUITY_KINDS, IRREGULARITY_PATTERNS, Ambiguity, Task, Way
from prepsql.sandbox import Status, run_several


def check_task(task: Task) -> list[str]:
    """Return everything that is wrong with a task, one line each; an empty list is the proof.

    The task's own code runs with whatever layers the sandbox has here.
    """
    problems: list[str] = []
    for part in (_description, _generator, _solutions, _ambiguities):
        try:
            problems += part(task)
        except (PrepsqlError, OSError) as wrong:
            problems.append(" ".join(str(wrong).split()))
    return problems


def coverage_gaps(tasks: Sequence[Task]) -> list[str]:
    """Return the kinds of ambiguity and the patterns of irregularity that none of the tasks has."""
    kinds = {entry.kind for task in tasks for entry in _readable(task)}
    patterns = {entry.get("pattern") for task in tasks for entry in describe(task)["irregularities"]}
    return [k for k in AMBIGUITY_KINDS if k not in kinds] + [p for p in IRREGULARITY_PATTERNS if p not in patterns]


def _readable(task: Task) -> tuple[Ambiguity, ...]:
    try:
        return task.ambiguities
    except PrepsqlError:
        return ()


def describe(task: Task) -> dict[str, Any]:
    """Return task.json: title, domain, steps (how many preparation steps) and irregularities.

    Raises ConfigError where it's missing, not JSON, or lacks one of these.
    """
    path = task.folder / "task.json"
    try:
        described = json.loads(path.read_text(encoding="utf-8"))
        missing = {"title", "domain", "steps", "irregularities"} - set(described)
    except OSError as wrong:
        raise ConfigError(f"{path}: cannot be read: {wrong.strerror}") from wrong
    except (ValueError, TypeError) as wrong:
        raise ConfigError(f"{path}: not JSON: {wrong}") from wrong
    if missing:
        raise ConfigError(f"{path}: lacks {', '.join(sorted(missing))}")
    return dict(described)


def _description(task: Task) -> Iterator[str]:
    described = describe(task)
    tables = {path.stem for path in task.inputs}
    for entry in described["irregularities"]:
        if entry.get("pattern") not in IRREGULARITY_PATTERNS:
            yield f"task.json: irregularity {entry.get('pattern')!r} (patterns: {', '.join(IRREGULARITY_PATTERNS)})"
        if entry.get("table") not in tables:
            yield f"task.json: no table {entry.get('table')!r} (has: {', '.join(sorted(tables))})"
    if not described["irregularities"]:
        yield "task.json: names no irregularity"


def _generator(task: Task) -> Iterator[str]:
    script = task.folder / "make_inputs.py"
    with TemporaryDirectory() as made:
        done = subprocess.run([sys.executable, "-I", script, made], capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"make_inputs.py failed: {done.stderr.strip().splitlines()[-1:]}"
            return
        names = {p.name for p in task.inputs} | {p.name for p in Path(made).iterdir()}
        for name in sorted(names):
            kept, again = task.folder / "inputs" / name, Path(made) / name
            if not (kept.is_file() and again.is_file() and kept.read_bytes() == again.read_bytes()):
                yield f"make_inputs.py doesn't reproduce inputs/{name}"


def _solutions(task: Task) -> Iterator[str]:
    from prepsql.workflow import Workflow

    for way in reference.WAYS:
        if way not in task.reference:
            yield f"no {way} solution"
            continue
        what = f"the {way} solution"
        problems = Workflow.load(task.reference[way]).check(task.folder) if way == "workflow" else []
        yield from (f"{what}: {problem}" for problem in problems)
        if not problems:
            yield from _run(task, task.reference[way].read_text(encoding="utf-8"), way, what)


def _ambiguities(task: Task) -> Iterator[str]:
    if not task.ambiguities:
        yield "amb_kb.json: no ambiguity, so the request alone would determine the output"
    solution = task.reference["sql"].read_text(encoding="utf-8") if "sql" in task.reference else ""
    variants: list[tuple[str, str]] = []
    for entry in task.ambiguities:
        where = f"ambiguity {entry.id}"
        yield from (f"{where}: {problem}" for problem in _entry(task, entry, solution))
        variant, problem = _variant(entry, solution)
        if problem:
            yield f"{where}: {problem}"
        else:
            variants.append((where, variant))
    yield from _must_differ(task, variants)


def _entry(task: Task, entry: Ambiguity, solution: str) -> Iterator[str]:
    stated = str(entry.extra.get("stated") or "")
    if not entry.intent:
        yield "has no intent"
    if not entry.source_text or entry.source_text not in task.request:
        yield f"source_text {entry.source_text!r} isn't in query.md"
    if not entry.ref or entry.ref not in solution:
        yield "its ref isn't in solution.sql"
    if not stated or stated not in task.full_request:
        yield f"stated {stated!r} isn't in query_full.md"
    elif stated in task.request:
        yield "what it states is already in query.md: the request isn't open there"


def _variant(entry: Ambiguity, solution: str) -> tuple[str, str]:
    """Return the SQL solution edited to the other reading, or what is wrong with the edits."""
    edits = (entry.extra.get("variant") or {}).get("edits")
    if not edits:
        return "", "has no variant with edits"
    for edit in edits:
        found = solution.count(edit["replace"])
        if found != 1:
            return "", f"the edit {edit['replace']!r} must occur once in solution.sql, not {found} times"
        solution = solution.replace(edit["replace"], edit["with"])
    return solution, ""


def _run(task: Task, code: str, way: Way, what: str) -> Iterator[str]:
    with TemporaryDirectory() as work:
        out = Path(work) / "cand"
        done = solve(task, way, code, out, Terms(accept_risk=True))
        problem = f"{done.status.value}: {done.message}" if done.status is not Status.OK else _must_match(task, out)
    if problem:
        yield f"{what} {problem}"


def _must_match(task: Task, out: Path) -> str:
    found = compare(task.gold, out, policy="strict")
    return "" if found.passed else f"doesn't reproduce gold: {found.error_type} {found.message}"


def _must_differ(task: Task, variants: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield which of the variants, each after where it stands, fail or give the same output as gold."""
    codes = {str(at): variant for at, (_, variant) in enumerate(variants)}
    if not codes:
        return
    with TemporaryDirectory() as work:
        given = dict.fromkeys(codes, task.inputs)
        failed = run_several(codes, given, Path(work), "sql", accept_risk=True, hidden=task.secret)
        for name, (where, _) in zip(codes, variants, strict=True):
            if failed[name]:
                yield f"{where}: the variant fails: {failed[name]}"
            elif compare(task.gold, Path(work) / name).passed:
                yield f"{where}: the variant gives the same output as gold: the ambiguity doesn't matter"
