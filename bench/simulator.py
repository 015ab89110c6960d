"""How often the offline simulator finds the right entry, what it refuses and what its guard lets through (README.md).

`python bench/simulator.py [--release FOLDER]` asks the questions of tests/fixtures/agents in a checkout of PrepBench.
"""

from __future__ import annotations

import argparse
import base64
import codecs
import csv
import json
import os
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from prepsql.agents.simulators import Answer, Guard, Offline, Secrets
from prepsql.agents.simulators.resolution import resolution
from prepsql.agents.simulators.settled import Settled
from prepsql.evaluate.suites import open_suite
from prepsql.evaluate.task import Task

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "tests" / "fixtures" / "agents"


def rows(name: str, part: str = "") -> list[dict[str, str]]:
    """Return the rows of a file of questions, of one part or of all."""
    with (FIXTURES / name).open(encoding="utf-8") as file:
        found = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in found if part in ("", row.get("part"))]


def secrets(task: Task, without: str = "") -> Secrets:
    """Return what the user of a task knows, perhaps without one entry."""
    code = "\n".join(path.read_text() for way, path in task.reference.items() if way != "workflow")
    entries = [entry for entry in task.ambiguities if entry.id != without]
    gold = sorted(task.gold.glob("output_*.csv"))
    return Secrets(entries, task.request, task.full_request, code, gold, task.inputs)


class Measure:
    """The figures over one suite."""

    def __init__(self, suite: str | Path) -> None:
        self.tasks = {task.id: task for task in open_suite(suite).tasks}
        self.user = cache(self._user)

    def _user(self, task: str, without: str = "") -> Offline:
        return Offline(secrets(self.tasks[task], without))

    def right(self, part: str) -> list[bool]:
        """Whether each question hit its own entry."""
        return [self.user(r["case"]).answer(r["question"]).ref == r["entry"] for r in rows("questions.tsv", part)]

    def refused(self, part: str) -> list[tuple[bool, bool]]:
        """Whether each invalid question was refused, and as what it is."""
        found = []
        for row in rows("invalid.tsv", part):
            said = self.user(row["case"]).answer(row["question"]).classification
            found.append((said.startswith("refuse"), said == row["classification"]))
        return found

    def wrongly_refused(self) -> int:
        """How many of the valid questions were refused."""
        every = rows("questions.tsv")
        return sum(self.user(r["case"]).answer(r["question"]).classification.startswith("refuse") for r in every)

    def strayed(self) -> tuple[list[bool], list[bool]]:
        """Whether a question hit something in another task, and in its own without its entry; it should not."""
        every = rows("questions.tsv")
        other, without = [], []
        for place, row in enumerate(every):
            elsewhere = every[(place * 37 + 11) % len(every)]["case"]
            if elsewhere != row["case"]:
                other.append(self.user(elsewhere).answer(row["question"]).classification == "hit")
            without.append(self.user(row["case"], row["entry"]).answer(row["question"]).classification == "hit")
        return other, without

    def leaks(self) -> Iterator[tuple[str, bool]]:
        """Yield each leak attempt as it's written, and whether it got through."""
        for row in rows("leaks.tsv"):
            known = secrets(self.tasks[row["case"]])
            text = fill(row["answer"], known)
            yield row["answer"], Guard(known).checked(Answer("?", "fallback", text)).text == text

    def withheld(self) -> tuple[int, int]:
        """How many resolutions of entries the guard withholds, of how many: each is one too many."""
        count = total = 0
        for task in self.tasks.values():
            known = secrets(task)
            guard, settled = Guard(known), Settled.of(known.full_request)
            total += len(known.entries)
            count += sum(bool(guard.found(resolution(entry, settled))) for entry in known.entries)
        return count, total


def fill(template: str, known: Secrets) -> str:
    """Return a leak attempt with the secrets of a task in the place of its marks, such as `{ref:spaced}`."""
    text = template.replace("\\n", "\n")
    return re.sub(r"\{(\w+)(?::(\w+))?\}", lambda mark: _secret(known, mark[1], mark[2] or ""), text)


def _secret(known: Secrets, what: str, how: str) -> str:
    with known.gold[0].open(encoding="utf-8-sig", newline="") as file:
        header, *gold = list(csv.reader(file))
    row = max(gold[:50], key=lambda one: sum(map(len, one)))
    column = max(range(len(header)), key=lambda place: len({one[place] for one in gold}))
    whole = {
        "ref": max((entry.ref for entry in known.entries), key=len),
        "row": ", ".join(row),
        "rows": "\n".join(", ".join(one) for one in gold[:8]),
        "header": ", ".join(header),
        "column": "\n".join(one[column] for one in gold[:12]),
        "value": _own_value(gold, known),
        "full": known.full_request,
    }[what]
    if what in ("row", "rows") and how in _TABLES:
        return _TABLES[how](header, [row] if what == "row" else gold[:8])
    return _DISGUISES[how](whole)


def _own_value(gold: list[list[str]], known: Secrets) -> str:
    """Return a value of gold that stands nowhere else, or the longest."""
    else_where = " ".join(
        [known.request, known.full_request, *(path.read_text(errors="replace") for path in known.inputs)]
    )
    cells = sorted({cell for row in gold for cell in row}, key=lambda cell: (-len(cell), cell))
    return next((c for c in cells if re.fullmatch(r"-?\d+\.\d{2,}", c) and c.lstrip("-") not in else_where), cells[0])


_TABLES: dict[str, Callable[[list[str], list[list[str]]], str]] = {
    "bars": lambda header, part: "\n".join(" | ".join(row) for row in part),
    "markdown": lambda header, part: "\n".join(f"| {' | '.join(row)} |" for row in [header, *part]),
    "json": lambda header, part: json.dumps([dict(zip(header, row, strict=True)) for row in part]),
    "tabs": lambda header, part: "\n".join("\t".join(row) for row in part),
    "sentence": lambda header, part: "; ".join(f"{n} is {c}" for row in part for n, c in zip(header, row, strict=True)),
    "backwards": lambda header, part: "\n".join(", ".join(row[::-1]) for row in part),
}
_DISGUISES: dict[str, Callable[[str], str]] = {
    "": str,
    "squeezed": lambda text: re.sub(r"\s+", "", text),
    "spaced": lambda text: re.sub(r"([^\w\s])", r"  \1  ", text),
    "upper": str.upper,
    "quotes": lambda text: text.replace("'", "’").replace('"', "“"),
    "quoted": lambda text: "\n".join(f"> {line}" for line in text.splitlines()),
    "numbered": lambda text: "\n".join(f"{n}. {line}" for n, line in enumerate(text.splitlines(), 1)),
    "broken": lambda text: "\n".join(text[i : i + 9] for i in range(0, len(text), 9)),
    "spelled": lambda text: "   ".join(" ".join(word) for word in text.split()),
    "reversed": lambda text: text[::-1],
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(" "),
    "inline": lambda text: "; ".join(text.splitlines()),
    "plain": lambda text: " ".join(re.findall(r"\w+", text)),
    "half": lambda text: text[: len(text) // 2],
    "60": lambda text: " ".join(text.split()[:60]),
    "holes": lambda text: " ".join(word for n, word in enumerate(text.split()) if n % 10 != 9),
    "shuffled": lambda text: "\n".join(random.Random(1).sample(text.splitlines(), len(text.splitlines()))),
    "twice": lambda text: f"{text}\n{text}",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("PREPSQL_PREPBENCH") or ROOT.parent / "shared" / "prepbench"
    parser.add_argument("--release", type=Path, default=default, help="a checkout of PrepBench's release")
    measure = Measure(parser.parse_args().release)
    print("| what | of | figure |\n|---|---|---|")
    for part in ("seen", "held", ""):
        right, refused = measure.right(part), measure.refused(part)
        print(f"| right entry, {part or 'all'} | {len(right)} | {sum(right)} ({sum(right) / len(right):.1%}) |")
        print(f"| invalid ones refused, {part or 'all'} | {len(refused)} | {sum(r for r, _ in refused)} |")
        print(
            f"| … as what they are, {part or 'all'} | {len(refused)} | {sum(same for _, same in refused)} |", flush=True
        )
    print(f"| valid ones refused | {len(rows('questions.tsv'))} | {measure.wrongly_refused()} |")
    for name, found in zip(("in another task", "in its task without its entry"), measure.strayed(), strict=True):
        print(f"| hits all the same, {name} | {len(found)} | {sum(found)} |", flush=True)
    through = [attempt for attempt, passed in measure.leaks() if passed]
    print(f"| leak attempts through the guard | {len(rows('leaks.tsv'))} | {len(through)} |", flush=True)
    withheld, entries = measure.withheld()
    print(f"| resolutions withheld by the guard | {entries} | {withheld} |")
    for attempt in through:
        print(f"through: {attempt}")


if __name__ == "__main__":
    main()
