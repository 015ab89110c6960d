"""The order in which findings are read, and those of one kind over many columns as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.words import named

# in so many tables a kind of finding is told table by table
_FEW = 3
# of so many findings of a group the words are given, and so much of their columns' names
_TOLD = 3
_LONGEST = 30


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings in the order to read them: the best of each pattern first, then the rest.

    Both parts go from grave to harmless, and from a larger share to a smaller one; what is alike stays as it came.
    Measured on labelled tasks, the label's pattern is among the first three findings more often so than by severity
    alone.
    """
    ranked = sorted(findings, key=lambda finding: (finding.severity, -share(finding)))
    best = {id(finding) for finding in {finding.pattern: finding for finding in reversed(ranked)}.values()}
    return tuple(sorted(ranked, key=lambda finding: id(finding) not in best))


def share(finding: Finding) -> float:
    """Return which part of the finding's total it counts, from 0 to 1; 0 where there is nothing to count."""
    return finding.count / finding.total if finding.total else 0.0


@dataclass(frozen=True)
class Group:
    """The findings of one kind in one table, or over many tables; at least one. They are read as one line."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The finding that was first, which stands for all."""
        return self.findings[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns, each once; none where rows or the whole header are concerned."""
        return tuple(dict.fromkeys(finding.column for finding in self.findings if finding.column is not None))

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables, each once."""
        return tuple(dict.fromkeys(finding.table for finding in self.findings))

    @property
    def detail(self) -> str:
        """What was seen: the words of one where all say the same, else those of the first few, each with its place."""
        if len({finding.detail for finding in self.findings}) == 1:
            return self.first.detail
        at = [finding.column if len(self.columns) > 1 else finding.table for finding in self.findings[:_TOLD]]
        told = [
            f"{named(name or '', _LONGEST)}: {finding.detail}"
            for name, finding in zip(at, self.findings, strict=False)
            if finding.detail
        ]
        return "; ".join(told) + ("; …" if len(self.findings) > _TOLD else "")

    @property
    def examples(self) -> tuple[Example, ...]:
        """Examples of the first, or of several findings one of each, a value once; at most EXAMPLES."""
        if len(self.findings) == 1:
            return self.first.examples
        firsts: dict[str, Example] = {}
        for finding in self.findings:
            for example in finding.examples[:1]:
                firsts.setdefault(example.value, example)
        return tuple(firsts.values())[:EXAMPLES]

    @property
    def macros(self) -> tuple[str, ...]:
        """What mends them, each once."""
        return tuple(dict.fromkeys(finding.macro for finding in self.findings if finding.macro))

    @property
    def count(self) -> int:
        """How many there are in all columns together."""
        return sum(finding.count for finding in self.findings)

    @property
    def total(self) -> int:
        """Of how many."""
        return sum(finding.total for finding in self.findings)


def grouped(findings: Iterable[Finding]) -> tuple[Group, ...]:
    """Return the findings with those of one kind together, where the first of them stands.

    Together are those of one table; and those of all tables where more than a few have the kind.
    """
    findings = tuple(findings)
    having: dict[str, set[str]] = {}
    for finding in findings:
        having.setdefault(finding.kind, set()).add(finding.table)
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        table = finding.table if len(having[finding.kind]) <= _FEW else ""
        groups.setdefault((finding.kind, table), []).append(finding)
    return tuple(Group(tuple(group)) for group in groups.values())
