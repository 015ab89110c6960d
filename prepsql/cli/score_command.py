"""`prepsql score`: judge tables that any agent left in the release's layout."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from prepsql.cli.shared import DEFAULT_JOBS, progress, show, show_json
from prepsql.compare import POLICIES as ALL_POLICIES
from prepsql.evaluate.report import verdict_table
from prepsql.evaluate.score import FOLDERS, score
from prepsql.evaluate.suites import BUNDLED, open_suite
from prepsql.evaluate.verdict import accuracy


@click.command("score", short_help="Judge tables that an agent left behind.")
@click.argument("root", type=click.Path(path_type=Path))
@click.option("--suite", default=BUNDLED, show_default=True, metavar="SUITE",
              help="'bundled', a folder of tasks, or a PrepBench checkout.")  # fmt: skip
@click.option("--policy", type=click.Choice(list(ALL_POLICIES)), default="paper", show_default=True,
              help="The reading that decides.")  # fmt: skip
@click.option("--kind", type=click.Choice(list(FOLDERS)), default="code", show_default=True,
              help="What made the tables: solution/cand or solution/flow_cand.")  # fmt: skip
@click.option(
    "--task", "patterns", multiple=True, metavar="PATTERN", help="Only tasks whose id matches, like 'case_00*'."
)
@click.option("--jobs", type=click.IntRange(1), default=DEFAULT_JOBS, show_default=True, help="Tasks at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
def command(
    root: Path, suite: str, policy: str, kind: str, patterns: tuple[str, ...], jobs: int, as_json: bool
) -> None:  # fmt: skip
    """Judge the tables under ROOT/<task>/solution/cand/output_*.csv against a suite's gold.

    Writes evaluation_summary.csv and acc.txt into ROOT. A task without tables counts as wrong.
    Exit code 0: all pass under the policy; 1: some don't; 2: it could not be scored.
    """
    tasks = open_suite(suite).select(patterns)
    with progress("scoring", len(tasks.tasks)) as advance:
        verdicts = score(root, tasks, policy=policy, kind=kind, jobs=jobs, on_verdict=advance)
    passed, judged = accuracy(verdicts, policy)
    if as_json:
        show_json({"root": str(root), "suite": tasks.name, "policy": policy, "passed": passed, "judged": judged,
                   "verdicts": [asdict(v) for v in verdicts]})  # fmt: skip
    else:
        show(verdict_table(f"suite {tasks.name} · tables in {root}", verdicts))
        show(f"\n{passed} of {judged} pass under {policy}; see {root}/evaluation_summary.csv")
    if passed < len(verdicts):
        raise click.exceptions.Exit(1)
