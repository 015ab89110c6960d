"""`prepsql score`: judge tables that any agent left in the release's layout."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from prepsql.cli.shared import jobs_option, json_option, progress, show, show_json, suite_option, task_option
from prepsql.compare import POLICIES as ALL_POLICIES
from prepsql.evaluate.disambiguation import SUMMARY, conversations, disambiguation, write_disambiguation
from prepsql.evaluate.report import verdict_table
from prepsql.evaluate.score import FOLDERS, score, write_summary
from prepsql.evaluate.suites import Suite, open_suite
from prepsql.evaluate.verdict import POLICIES, accuracy
from prepsql.tables import plural


@click.command("score", short_help="Judge tables that an agent left behind.")
@click.argument("root", type=click.Path(path_type=Path))
@suite_option
@click.option("--policy", type=click.Choice(list(ALL_POLICIES)), default=POLICIES[0], show_default=True,
              help="The reading that decides.")  # fmt: skip
@click.option("--kind", type=click.Choice([*FOLDERS, "questions"]), default="code", show_default=True,
              help="What is judged: solution/cand, solution/flow_cand, or clarify/summary.json.")  # fmt: skip
@task_option
@jobs_option
@json_option
def command(
    root: Path, suite: str, policy: str, kind: str, patterns: tuple[str, ...], jobs: int, as_json: bool
) -> None:  # fmt: skip
    """Judge the tables under ROOT/<task>/solution/cand/output_*.csv against a suite's gold.

    Writes evaluation_summary.csv and acc.txt into ROOT, unless --task leaves tasks out; of questions the disamb_*
    files. A task without tables counts as wrong.

    Exit code 0: all pass under the policy; 1: some don't; 2: it could not be scored.
    """
    tasks = open_suite(suite).select(patterns)
    if kind == "questions":
        _questions(root, tasks, as_json, whole=not patterns)
        return
    policies = tuple(dict.fromkeys((policy, *POLICIES)))
    with progress("scoring", len(tasks.tasks)) as advance:
        verdicts = score(root, tasks, policies=policies, kind=kind, jobs=jobs, on_verdict=advance)
    if not patterns:
        write_summary(root, tasks, verdicts, policy=policy, kind=kind)
    passed, judged = accuracy(verdicts, policy)
    if as_json:
        found = [verdict.to_dict() for verdict in verdicts]
        show_json({"root": str(root), "suite": tasks.name, "policy": policy, "passed": passed, "judged": judged,
                   "verdicts": found})  # fmt: skip
    else:
        show(f"suite {tasks.name} · tables in {root}\n")
        show(verdict_table(verdicts, policies))
        where = "no summary is written for some of the tasks" if patterns else f"see {root}/evaluation_summary.csv"
        show(f"\n{passed} of {judged} pass under {policy}; {where}")
    if passed < len(verdicts):
        raise click.exceptions.Exit(1)


def _questions(root: Path, suite: Suite, as_json: bool, whole: bool) -> None:
    """Tell how well an agent asked."""
    held = conversations(root, suite)
    silent = [task.id for task in suite.tasks if not (root / task.id / SUMMARY).is_file()]
    found = write_disambiguation(root, held) if whole else disambiguation(held)
    if as_json:
        show_json({"root": str(root), "suite": suite.name, **found.to_dict()})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("kind", "entries", "hit", "recall"):
        table.add_column(name, justify="left" if name == "kind" else "right")
    for kind, (entries, hits) in found.by_kind.items():
        table.add_row(kind, str(entries), str(hits), f"{hits / entries:.3f}")
    shown = {name: "–" if value is None else f"{value:.3f}" for name, value in asdict(found.micro).items()}
    show(f"suite {suite.name} · conversations in {root}\n")
    show(table)
    show(f"\nmicro F1 {shown['f1']} (precision {shown['precision']}, recall {shown['recall']}), "
         f"{shown['usage']} of the budget used; {found.questions} questions, {found.hits} of {found.entries} entries"
    )  # fmt: skip
    if silent:
        show(f"{len(silent)} of {plural(len(suite.tasks), 'task')} have no conversation and count as having asked "
             f"nothing; --task leaves them out: {', '.join(silent[:5])}{', …' if len(silent) > 5 else ''}"
        )  # fmt: skip
