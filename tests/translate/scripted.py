"""A front end for tests: it gives the drafts that it holds, one after the other, and notes what it was to avoid."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.draft import Draft
from prepsql.translate.front_ends import FrontEnd
from prepsql.translate.sql_leeway import other_answers
from prepsql.translate.sql_witness import tables_of_script
from prepsql.translate.terms import DEFAULT_TERMS, Terms

TASKS = Path(__file__).parents[2] / "tasks"


def task_document(task: str) -> dict[str, Any]:
    """Return a bundled task's own workflow, its inputs named as a front end names them."""
    document: dict[str, Any] = json.loads((TASKS / task / "workflow.json").read_text(encoding="utf-8"))
    for node in document["nodes"].values():
        if "path" in node["params"] and node["kind"] == "input":
            node["params"]["path"] = Path(node["params"]["path"]).name
    return document


def changed(document: Mapping[str, Any], step: str, **params: Any) -> dict[str, Any]:
    """Return a document with other parameters in one step."""
    made = copy.deepcopy(dict(document))
    made["nodes"][step]["params"] |= params
    return made


@dataclass
class Scripted:
    """Gives the draft for the origins that are to be avoided, and notes what it was asked."""

    drafts: Mapping[frozenset[str], Draft]
    asked: list[frozenset[str]] = field(default_factory=list)

    def __call__(
        self, code: str, inputs: Path, avoid: frozenset[str] = frozenset(), terms: Terms = DEFAULT_TERMS
    ) -> Draft:
        """Return the draft that avoids these origins; raise NotTranslatable where there is none."""
        self.asked.append(avoid)
        if avoid not in self.drafts:
            raise NotTranslatable("nothing is left to avoid")
        return self.drafts[avoid]

    @property
    def front(self) -> FrontEnd:
        """Return the front end, with SQL's own witness and leeway."""
        return FrontEnd("sql", self, tables_of_script, leeway=other_answers)
