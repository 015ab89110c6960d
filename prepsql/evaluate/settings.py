"""The settings in which an agent is measured: what it starts from, which stages it goes through, what is judged.

Spec: paper, section 5.1 and Table 6. A stage takes what the stages before it made; one run of `e2e` is judged twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prepsql.agents.brief import Stage

Judged = Literal["code", "workflow", "questions"]


@dataclass(frozen=True)
class Setting:
    """`request` is the user's own (query), the disambiguated one (query_full), or none but reference code (code)."""

    name: str
    request: Literal["query", "query_full", "code"]
    stages: tuple[Stage, ...]
    judged: tuple[Judged, ...]


SETTINGS: dict[str, Setting] = {
    one.name: one
    for one in (
        Setting("e2e", "query", ("clarify", "profile", "code", "translate"), ("code", "workflow")),
        Setting("e2e-code", "query", ("clarify", "profile", "code"), ("code",)),
        Setting("e2e-workflow", "query", ("clarify", "profile", "code", "translate"), ("workflow",)),
        Setting("disambiguate", "query", ("clarify",), ("questions",)),
        Setting("codegen", "query_full", ("profile", "code"), ("code",)),
        Setting("codegen-noprofile", "query_full", ("code",), ("code",)),
        Setting("direct", "query", ("profile", "code"), ("code",)),
        Setting("translate", "code", ("translate",), ("workflow",)),
    )
}
"""Name → setting."""

REFERENCE = "reference"
"""The setting in which a suite's own solutions are run."""


def order(setting: str) -> int:
    """Return the place of a setting among the others, an unknown one's after theirs."""
    names = [*SETTINGS, REFERENCE]
    return names.index(setting) if setting in names else len(names)
