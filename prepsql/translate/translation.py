"""What a translation is: the workflow, how far it is proven, and what a reader should know of it."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from prepsql.errors import WriteError
from prepsql.workflow import Workflow

GIVEN = "given"
"""The name of the proof on the inputs as they are."""
UNPROVEN = "NOT PROVEN"


class Verdict(StrEnum):
    """How a workflow's outputs stand to the code's own, on the same inputs."""

    EQUAL = "equal"
    REORDERED = "reordered"
    DIFFERENT = "different"
    FAILED = "failed"
    FLAGGED = "flagged"
    UNDETERMINED = "undetermined"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True)
class OutputProof:
    """One output compared with the code's own, under the policy `strict`.

    `reordered`: the same rows, in another order than the code's, which the code doesn't determine. `rows` are the
    code's. `message` tells the first difference, '' where there is none.
    """

    path: str
    verdict: Verdict
    rows: int
    message: str = ""


@dataclass(frozen=True)
class Proof:
    """Workflow and code run on one set of inputs: those given, or perturbed ones (`inputs` says how).

    `failed`: the workflow ends with an error where the code doesn't. `flagged`: it fails or differs, and a step before
    says that it holds for inputs like the given ones only. `undetermined`: it differs, but gives what the code itself
    gives when tables hold their rows in another order, which its language leaves open. `not applicable`: the code
    itself fails on these inputs.
    `edge` proofs (a table with one row, with none) are reported and decide nothing. `reshaped` is the script step whose
    columns are other ones on these inputs, where that is why it failed.
    """

    inputs: str
    verdict: Verdict
    outputs: tuple[OutputProof, ...] = ()
    message: str = ""
    edge: bool = False
    reshaped: str = ""

    @property
    def sound(self) -> bool:
        """Whether nothing speaks against the workflow."""
        return self.verdict not in (Verdict.DIFFERENT, Verdict.FAILED)


@dataclass(frozen=True)
class ScriptStep:
    """A step that no operator says: its language, its length, and why."""

    step: str
    language: str
    characters: int
    reason: str


@dataclass(frozen=True)
class GaveWay:
    """A part of the code that was translated first, and became a script since the proof spoke against it."""

    origin: str
    inputs: str
    why: str


@dataclass(frozen=True)
class Translation:
    """A workflow made of code, and the proof that its outputs are the code's own.

    `proofs` begin with that on the given inputs. `specialised` tells of a step what it holds for. `seconds` are wall
    time, the runs of the code included.
    """

    workflow: Workflow
    language: str
    proofs: tuple[Proof, ...]
    scripts: tuple[ScriptStep, ...] = ()
    specialised: dict[str, str] = field(default_factory=dict)
    gave_way: tuple[GaveWay, ...] = ()
    seconds: float = 0.0

    @property
    def proven(self) -> bool:
        """Whether the outputs are the code's own on the given inputs, and on perturbed ones or flagged there.

        Proofs on tables with one row or none don't count.
        """
        given = [proof for proof in self.proofs if proof.inputs == GIVEN]
        return bool(given) and all(proof.sound for proof in self.proofs if not proof.edge)

    @property
    def kinds(self) -> dict[str, int]:
        """How many steps there are of each kind, in the document's order."""
        counts: dict[str, int] = {}
        for node in self.workflow.document["nodes"].values():
            counts[node["kind"]] = counts.get(node["kind"], 0) + 1
        return counts

    @property
    def native_share(self) -> float:
        """The share of the steps that are no scripts; inputs and outputs don't count. 1.0 where there are no others."""
        between = {kind: count for kind, count in self.kinds.items() if kind not in ("input", "output")}
        total = sum(between.values())
        return (total - between.get("script", 0)) / total if total else 1.0

    @property
    def script_characters(self) -> int:
        """The characters of all scripts."""
        return sum(script.characters for script in self.scripts)

    def save(self, path: str | Path) -> None:
        """Write the workflow as JSON, whole or not at all; one that isn't proven says so in its name.

        Raises WriteError where the file can't be written.
        """
        document = dict(self.workflow.document)
        if not self.proven:
            document["name"] = f"{document.get('name', '')} ({UNPROVEN})".strip()
        path = Path(path)
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            Workflow(document).save(part)
            part.replace(path)
        except OSError as bad:
            part.unlink(missing_ok=True)
            raise WriteError(
                f"{path}: can't be written ({bad.strerror or bad}); name a file in a folder that is there"
            ) from bad

    def to_dict(self) -> dict[str, Any]:
        """Return the translation as plain values, for JSON."""
        return {
            "workflow": self.workflow.to_dict(),
            "language": self.language,
            "proven": self.proven,
            "native_share": round(self.native_share, 4),
            "steps": self.kinds,
            "script_characters": self.script_characters,
            "scripts": [asdict(script) for script in self.scripts],
            "specialised": dict(self.specialised),
            "proofs": [asdict(proof) for proof in self.proofs],
            "gave_way": [asdict(part) for part in self.gave_way],
            "seconds": self.seconds,
        }
