"""What is worth a line below a report's table: faults, unknown costs, gaps and gains, what is hard, what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from prepsql.evaluate.reports.report import Report
from prepsql.evaluate.reports.words import points, share, span, tries_of
from prepsql.evaluate.task import IRREGULARITY_PATTERNS
from prepsql.tables import plural

_GAINS = (
    ("ambiguity_gap", "gap", "Ambiguity gap (Direct to CodeGen)"),
    ("interaction_gain", "gain", "Interaction gain (Direct to E2E-Code)"),
    ("profiling_gain", "gain", "Profiling gain (NoProfile to CodeGen)"),
)
_NOT_FAILED = ("correct", "asked", "infrastructure", None)


def notable(report: Report) -> list[str]:
    """Return the lines, the infrastructure's faults first: their number is told also where it's 0."""
    return [
        *_faults(report), *_unknown_costs(report), *_left_out(report), *_failures(report), *_gains(report),
        *_by_kind(report), *_asking(report), *_translation(report),
    ]  # fmt: skip


def _faults(report: Report) -> Iterator[str]:
    rows = report.figures["faults"]
    met = [row for row in rows if row["faults"]]
    verdicts = sum(row["verdicts"] for row in rows)
    if not met:
        yield f"Infrastructure faults: 0 of {plural(verdicts, 'verdict')}; all are scored."
        return
    told = "; ".join(f"{row['run']}: {row['faults']:,} of {row['verdicts']:,}" for row in met)
    yield f"Infrastructure faults, scored nowhere: {told} verdicts. Resume the run to have these done again."


def _unknown_costs(report: Report) -> Iterator[str]:
    for run in report.runs:
        rows = [row for row in report.figures["calls_by_stage"] if row["run"] == run]
        calls, unknown, unused = (
            sum(row[name] for row in rows) for name in ("calls", "calls_of_unknown_cost", "calls_without_usage")
        )
        if count := unknown - unused:
            bare = [row["model"] for row in rows if row["calls_of_unknown_cost"] > row["calls_without_usage"]]
            names = " and ".join(dict.fromkeys(filter(None, bare))) or "the model"
            yield (
                f"Cost unknown (?): {count:,} of {plural(calls, 'call')} of {run} have no price. Calls are priced when "
                f"they are made: add {names} to the file PREPSQL_PRICES before a run into a new --out."
            )
        if unused:
            yield f"Cost unknown (?): {unused:,} of {plural(calls, 'call')} of {run} were answered without usage."


def _left_out(report: Report) -> Iterator[str]:
    by_model: dict[tuple[str, str], list[str]] = {}
    for row in report.figures["left_out"]:
        by_model.setdefault((row["run"], row["model"]), []).append(row["parameter"])
    for (run, model), names in by_model.items():
        of = f" of {run}" if model not in run else ""
        yield f"{model}{of}: its endpoint refuses {', '.join(names)}: calls went without, whatever the settings say."


def _failures(report: Report) -> Iterator[str]:
    for run in report.runs:
        rows = [row for row in report.figures["results"] if row["run"] == run]
        counts: Counter[str] = Counter()
        for row in rows:
            if row["result"] not in _NOT_FAILED:
                counts[row["result"]] += row["verdicts"]
        if counts:
            told = ", ".join(f"{what} {count:,}" for what, count in counts.most_common())
            of = f" of {run}" if len(report.runs) > 1 else ""
            yield f"Not passed{of}: {told}."


def _gains(report: Report) -> Iterator[str]:
    for figure, column, title in _GAINS:
        rows = report.figures[figure]
        if len(rows) == 1:
            row = rows[0]
            around = f" {span(row['low'], row['high'], signed=True)}" if row["low"] is not None else ""
            told = f"{points(row[column])} points{around} over {plural(row['tasks'], 'task')}"
            yield f"{title}{_of(report, row)}: {told}."
        elif rows:
            yield f"{title}, in points: {_range(rows, column, points)}."


def _by_kind(report: Report) -> Iterator[str]:
    for figure, column, by, what in (
        ("ambiguity_gap_by_kind", "gap", "kind", "The ambiguity gap is widest for"),
        ("profiling_gain_by_pattern", "gain", "pattern", "Profiling gains most for the irregularity"),
    ):
        rows = report.figures[figure]
        if len(report.runs) == 1 and rows:
            _, most = _ends(rows, column)
            name = IRREGULARITY_PATTERNS.get(most[by], most[by])
            if most[column] > 0:
                yield f"{what} {name}: {points(most[column])} points over {plural(most['tasks'], 'task')}."


def _asking(report: Report) -> Iterator[str]:
    rows = [row for row in report.figures["budget_usage"] if row["usage"] is not None]
    if len(rows) == 1:
        over = f"; {plural(rows[0]['over_budget'], 'question')} over it" if rows[0]["over_budget"] else ""
        yield f"Question budget used{_of(report, rows[0])}: {share(rows[0]['usage'])}{over}."
    elif rows:
        yield f"Question budget used: {_range(rows, 'usage', share)}."
    yield from _least_found(report)


def _least_found(report: Report) -> Iterator[str]:
    """Say which kinds of ambiguity are found least, of runs that asked anything."""
    hardest: Counter[str] = Counter()
    runs = 0
    for row in report.figures["budget_usage"]:
        kinds = [r for r in report.figures["disambiguation_by_kind"] if r["run"] == row["run"]]
        if row["asked"] and kinds:
            recall = min(r["recall"] for r in kinds)
            least = [r["kind"] for r in kinds if r["recall"] == recall]
            hardest.update(least)
            runs += 1
            told = f"{least[0] if len(least) == 1 else f'{len(least)} of {len(kinds)}'}, recall {share(recall)}"
            of = _of(report, row)
    most = [kind for kind, count in hardest.items() if count == max(hardest.values())]
    title = f"Least found kind{'s' if len(most) > 1 else ''} of ambiguity"
    if runs == 1:
        yield f"{title}{of}: {told}."
    elif runs:
        each = f"{most[0]}," if len(most) == 1 else f"{len(most)}, each"
        yield f"{title}: {each} in {hardest[most[0]]} of {runs} runs."


def _translation(report: Report) -> Iterator[str]:
    rows = [row for row in report.figures["translation_outcomes"] if row["measure"] == "translate"]
    if len(rows) == 1:
        row = rows[0]
        yield (
            f"Translation{_of(report, row)}: Fail {row['fail_pct']:.1f} %, Wrong {row['wrong_pct']:.1f} %, "
            f"Correct {row['correct_pct']:.1f} % of {tries_of(row['total'])}."
        )
    elif rows:
        fail, wrong = (_range(rows, column, lambda value: f"{value:.1f} %") for column in ("fail_pct", "wrong_pct"))
        yield f"Translation: Fail {fail}; Wrong {wrong}."


def _of(report: Report, row: dict[str, Any]) -> str:
    """Return of which run a line tells that only one of several has."""
    return f" of {row['run']}" if len(report.runs) > 1 else ""


def _range(rows: list[dict[str, Any]], column: str, told: Callable[[float], str]) -> str:
    """Return the least and the most of a column, each with its run; where they are alike, that."""
    low, high = _ends(rows, column)
    if told(low[column]) == told(high[column]):
        return f"{told(low[column])} in each run"
    return f"from {told(low[column])} ({low['run']}) to {told(high[column])} ({high['run']})"


def _ends(rows: list[dict[str, Any]], column: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return min(rows, key=lambda row: row[column]), max(rows, key=lambda row: row[column])
