"""What a front end hands over: a workflow that is not yet proven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prepsql.workflow import Workflow


@dataclass(frozen=True)
class Draft:
    """A workflow that a front end wrote, not yet proven.

    `document` is a workflow's document (docs/workflows.md) from the raw files: input steps with path 'input_01.csv', …,
    output steps with path 'output_01.csv', …. `reasons` tells of each script step why no operator says it;
    `specialised` of a step what it holds for, 'holds for inputs with …', where a decision depended on these inputs'
    values (also the step's note). `origins` tells of a step what of the code it came from (SQL: the created table's
    name; pandas: the line); the steps of one origin give way together. `checkpoints` names the step that holds an
    origin's table, for bisecting, in the document, or in `aside`: all nodes, with those that no output needs. `ordered`
    tells of an output's path by which of its columns the code puts its rows in order, where it does; the order of rows
    that are equal there is nobody's.
    """

    document: Mapping[str, Any]
    reasons: Mapping[str, str] = field(default_factory=dict)
    specialised: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    checkpoints: Mapping[str, str] = field(default_factory=dict)
    ordered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    aside: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def workflow(self) -> Workflow:
        """The workflow, which remembers what its steps became from one run to the next."""
        from prepsql.workflow import Workflow

        return Workflow(self.document)

    @property
    def traced(self) -> Mapping[str, Any]:
        """All nodes, with those that only a checkpoint needs."""
        return self.aside or self.document["nodes"]
