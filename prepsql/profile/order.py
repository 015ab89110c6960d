"""The order in which findings are read, and those of one kind over many columns as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prepsql.profile.finding import Finding

# in so many tables a kind of finding is told table by table
_FEW = 3


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
