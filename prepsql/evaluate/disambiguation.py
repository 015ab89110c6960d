"""How well an agent asked: precision, recall and F1 of conversations (paper, section 4.1); the files of them."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from prepsql.agents.simulators import budget
from prepsql.errors import ConfigError, InputError, WriteError
from prepsql.evaluate.suites import Suite
from prepsql.evaluate.task import AMBIGUITY_KINDS

SUMMARY = Path("clarify") / "summary.json"
"""Where a conversation stands under a task's folder."""


@dataclass(frozen=True)
class Conversation:
    """One task's conversation: the kind of each entry by its id, and each asked question's classification and ref.

    Questions that were dropped aren't among `asked`.
    """

    task: str
    kinds: Mapping[str, str]
    asked: Sequence[tuple[str, str]]
    max_questions: int

    @property
    def hits(self) -> frozenset[str]:
        """The distinct entries that were hit; a ref that is no entry's id counts for nothing."""
        return frozenset(ref for classification, ref in self.asked if classification == "hit" and ref in self.kinds)


@dataclass(frozen=True)
class Figures:
    """Shares from 0 to 1; None where the denominator is 0. `usage` is questions asked over budget."""

    precision: float | None
    recall: float | None
    f1: float | None
    usage: float | None


@dataclass(frozen=True)
class Disambiguation:
    """The figures of many conversations. Counts are sums over tasks.

    `micro` puts all questions and entries together. `macro` is the mean over tasks that have entries, where a task
    without questions counts 0 in precision, recall and F1. `by_kind` has entries and distinct entries hit of each kind.
    """

    tasks: int
    entries: int
    questions: int
    hits: int
    micro: Figures
    macro: Figures
    by_kind: Mapping[str, tuple[int, int]]

    def recall(self, kind: str) -> float | None:
        """Return the recall of one kind, None where no entry is of it."""
        entries, hits = self.by_kind.get(kind, (0, 0))
        return hits / entries if entries else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        kinds = {
            kind: {"entries": n, "hits": hit, "recall": self.recall(kind)} for kind, (n, hit) in self.by_kind.items()
        }
        counts = {name: getattr(self, name) for name in ("tasks", "entries", "questions", "hits")}
        return {**counts, "micro": asdict(self.micro), "macro": asdict(self.macro), "by_kind": kinds}


def figures(hits: int, questions: int, entries: int, budget: int) -> Figures:
    """Return the figures of counts: precision hits / questions, recall hits / entries, F1 their harmonic mean.

    >>> figures(2, 4, 5, 13)
    Figures(precision=0.5, recall=0.4, f1=0.4444444444444444, usage=0.3076923076923077)
    """
    precision = hits / questions if questions else None
    recall = hits / entries if entries else None
    f1 = 2 * hits / (questions + entries) if questions + entries else None
    return Figures(precision, recall, f1, questions / budget if budget else None)


def disambiguation(conversations: Iterable[Conversation]) -> Disambiguation:
    """Return the figures of conversations, one a task and repeat."""
    all_of_them = tuple(conversations)
    entries: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    for one in all_of_them:
        entries.update(one.kinds.values())
        hit.update(one.kinds[ref] for ref in one.hits)
    each = [_own(one) for one in all_of_them if one.kinds]
    macro = Figures(*(_mean([getattr(own, name) or 0.0 for own in each]) for name in Figures.__annotations__))
    counts = [sum(len(part) for part in parts) for parts in (
        (one.hits for one in all_of_them), (one.asked for one in all_of_them), (one.kinds for one in all_of_them),
    )]  # fmt: skip
    hits, questions, total = counts
    micro = figures(hits, questions, total, sum(one.max_questions for one in all_of_them))
    order = [*AMBIGUITY_KINDS, *sorted(set(entries) - set(AMBIGUITY_KINDS))]
    by_kind = {kind: (entries[kind], hit[kind]) for kind in order if entries[kind]}
    return Disambiguation(len(all_of_them), total, questions, hits, micro, macro, by_kind)


def conversations(root: Path, suite: Suite) -> list[Conversation]:
    """Read `<root>/<task>/clarify/summary.json` of every task of a suite; a task without one asked nothing.

    Raises InputError where no task has one, ConfigError where one isn't of the release's form.
    """
    if not any((root / task.id / SUMMARY).is_file() for task in suite.tasks):
        below = sorted(path.parents[2] for path in root.glob(f"*/*/{SUMMARY}")) if root.is_dir() else []
        hint = f"score {below[0]}, the folder of a setting" if below else "wrong root or suite?"
        raise InputError(f"{root} has no <task>/{SUMMARY} of any of the {len(suite.tasks)} tasks: {hint}")
    found = []
    for task in suite.tasks:
        kinds = {entry.id: entry.kind for entry in task.ambiguities}
        path = root / task.id / SUMMARY
        found.append(
            _read(path, task.id, kinds) if path.is_file() else Conversation(task.id, kinds, (), budget(len(kinds)))
        )
    return found


def write_disambiguation(root: Path, found: Sequence[Conversation]) -> Disambiguation:
    """Write the release's four files into `root` and return the figures.

    `disamb_summary.csv` has one row a conversation, `disamb_by_type.csv` one a kind, `disamb_metrics.json` everything,
    `disamb_f1.txt` the micro F1. Empty cells are figures without a denominator. Raises WriteError.
    """
    total = disambiguation(found)
    rows = [_row(one) for one in found]
    kinds = [
        {"kind": kind, "entries": n, "hits": hit, "recall": _shown(total.recall(kind))}
        for kind, (n, hit) in total.by_kind.items()
    ]
    micro = total.micro
    f1 = f"{micro.f1 or 0:.4f} (precision {micro.precision or 0:.4f}, recall {micro.recall or 0:.4f})\n"
    files = {
        "disamb_summary.csv": _csv(rows),
        "disamb_by_type.csv": _csv(kinds),
        "disamb_metrics.json": json.dumps(total.to_dict(), indent=2) + "\n",
        "disamb_f1.txt": f1,
    }
    try:
        for name, text in files.items():
            draft = root / f".{name}.part"
            draft.write_text(text, encoding="utf-8")
            draft.replace(root / name)
    except OSError as wrong:
        raise WriteError(f"cannot write the figures into {root}: {wrong.strerror}") from wrong
    return total


def _own(one: Conversation) -> Figures:
    return figures(len(one.hits), len(one.asked), len(one.kinds), one.max_questions)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _read(path: Path, task: str, kinds: Mapping[str, str]) -> Conversation:
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
        asked = tuple((str(one["classification"]), str(one.get("ref") or "")) for one in summary["qa_history"])
        return Conversation(task, kinds, asked, int(summary["max_questions"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise ConfigError(f"{path}: no conversation with max_questions and qa_history: {wrong!r}") from wrong


def _row(one: Conversation) -> dict[str, object]:
    own = _own(one)
    counts = {"entries": len(one.kinds), "hits": len(one.hits)}
    shares = {name: _shown(getattr(own, name)) for name in Figures.__annotations__}
    asked = {"questions_used": len(one.asked), "max_questions": one.max_questions}
    return {"case_name": one.task, **asked, **counts, **shares}


def _shown(share: float | None) -> str:
    return "" if share is None else f"{share:.4f}"


def _csv(rows: Sequence[Mapping[str, object]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["kind"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
