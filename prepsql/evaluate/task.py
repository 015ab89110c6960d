"""A task: a request, raw tables, a knowledge base of its ambiguities, reference code, gold (spec: paper, section 3)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from prepsql.errors import ConfigError, InputError

Way = Literal["sql", "pandas", "workflow"]
"""How a solution is written."""

AMBIGUITY_KINDS = (
    "Single-table reference",
    "Multi-table alignment",
    "Group-level concept",
    "Row-level concept",
    "Operation incomplete",
    "Operation inconsistent",
    "Operation boundary",
)
"""The seven kinds of ambiguity (paper, section 4.1)."""

IRREGULARITY_PATTERNS = {
    "HI": "header",
    "RI": "rows",
    "FV": "format variants",
    "SV": "spelling variants",
    "MV": "missing variants",
}
"""The five patterns of irregular data (paper, Table 3)."""


@dataclass(frozen=True)
class Ambiguity:
    """One entry of a task's knowledge base: what the request leaves open, and what was meant.

    `intent` says the decision in words; `ref` is the fragment of reference code that makes it; `source_text` the
    phrase of the request. An entry has at least one of `intent` and `ref`.
    """

    id: str
    kind: str
    node_id: str
    op: str
    source_text: str
    intent: str
    ref: str
    extra: Mapping[str, Any]

    @classmethod
    def parse(cls, entry: Mapping[str, Any], where: str) -> Ambiguity:
        """Read one entry; raises ConfigError naming `where` if its id or kind isn't right."""
        if not entry.get("id"):
            raise ConfigError(f"{where}: an entry has no id")
        if entry.get("kind") not in AMBIGUITY_KINDS:
            kinds = ", ".join(AMBIGUITY_KINDS)
            raise ConfigError(f"{where}: entry {entry['id']!r} is of kind {entry.get('kind')!r} (kinds: {kinds})")
        names = ("id", "kind", "node_id", "op", "source_text", "intent", "ref")
        known = {name: str(entry.get(name) or "") for name in names}
        return cls(**known, extra={k: v for k, v in entry.items() if k not in known})


@dataclass(frozen=True)
class Task:
    """Where the assets of one task are; the text of each is read when asked for.

    `folder` holds request, knowledge base and `inputs/`; `gold` holds config.json and `output_*.csv` (the same folder
    in our own tasks); `reference` maps a way of writing (`sql`, `pandas`, `workflow`) to the task's own solution.
    `steps` (None: unknown) and `patterns` of irregularity are what the suite says of it; our own say it in task.json.
    """

    id: str
    folder: Path
    gold: Path
    reference: Mapping[Way, Path]
    steps: int | None = None
    patterns: tuple[str, ...] = ()

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The raw tables, by name. Raises InputError where there is none."""
        files = tuple(sorted(p for p in (self.folder / "inputs").glob("*") if p.is_file() and p.name[0] != "."))
        if not files:
            raise InputError(f"task {self.id}: no raw table in {self.folder / 'inputs'}")
        return files

    @property
    def request(self) -> str:
        """The request as the user said it."""
        return self._text("query.md")

    @property
    def full_request(self) -> str:
        """The request with every ambiguity resolved."""
        return self._text("query_full.md")

    @property
    def ambiguities(self) -> tuple[Ambiguity, ...]:
        """The knowledge base. Raises ConfigError where it isn't JSON of the known shape."""
        path = self.folder / "amb_kb.json"
        try:
            entries = json.loads(self._text("amb_kb.json"))["ambiguities"]
        except (ValueError, KeyError, TypeError) as wrong:
            raise ConfigError(f"{path}: not a knowledge base with a list 'ambiguities': {wrong}") from wrong
        return tuple(Ambiguity.parse(entry, str(path)) for entry in entries)

    @property
    def secret(self) -> tuple[Path, ...]:
        """What code under test must never read: gold, reference code and knowledge base."""
        return tuple({self.folder, self.gold})

    def digest(self) -> str:
        """Return a hash of everything that decides the task's verdicts: requests, inputs, gold and reference code."""
        total = hashlib.sha256()
        apart = ("query.md", "query_full.md", "amb_kb.json") if self.folder != self.gold else ()
        others = (*self.gold.glob("*"), *(self.folder / name for name in apart))
        files = [*self.inputs, *self.reference.values(), *(path for path in others if path.is_file())]
        for path in sorted(files):
            total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
        return total.hexdigest()[:16]

    def _text(self, name: str) -> str:
        path = self.folder / name
        try:
            return path.read_text(encoding="utf-8-sig")
        except OSError as wrong:
            raise InputError(f"task {self.id}: cannot read {path}: {wrong.strerror}") from wrong
