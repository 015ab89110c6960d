"""From code to a proven workflow: translate, polish, prove; what the proof speaks against gives way."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from prepsql.errors import InputError, NotTranslatable
from prepsql.sandbox import DEFAULT_LIMITS, Language, Limits, stage
from prepsql.sandbox.run import read_code
from prepsql.scratch import scratch_folder
from prepsql.translate.bisect import culprits
from prepsql.translate.draft import Draft
from prepsql.translate.front_ends import FrontEnd, front_end
from prepsql.translate.leeway import one_of
from prepsql.translate.own import Case, given_case, other_cases, perturbed_cases
from prepsql.translate.polish import polish
from prepsql.translate.prove import prove
from prepsql.translate.terms import Terms
from prepsql.translate.translation import GIVEN, GaveWay, Proof, ScriptStep, Translation, Verdict
from prepsql.workflow import Workflow

_ROUNDS = 8


def translate(
    code: str | Path,
    inputs: str | Path | Sequence[str | Path],
    language: Language | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    accept_risk: bool = False,
    hidden: Sequence[Path] = (),
) -> Translation:
    """Turn a candidate's SQL script or pandas program into a workflow, and prove that its outputs are the code's own.

    `code` and `inputs` are as for `run_code`: text or the Path of a .sql or .py file; a folder, or the files. The
    workflow names its input files as they are called there. What the proof speaks against becomes a script step; where
    that doesn't help, the translation isn't `proven` and its `proofs` say what differs. `limits` are those of each run.

    Raises NotTranslatable where not even scripts can say the code or it fails on these inputs itself, else what
    `run_code` raises for code and inputs that can't be read, and where nothing here keeps files from code.
    """
    start = time.monotonic()
    text, kind = read_code(code, language)
    terms = Terms(limits, accept_risk, hidden)
    with scratch_folder("prepsql-translate-") as scratch:
        folder = _folder(inputs, scratch)
        search = Search(text, front_end(kind), folder, scratch, terms)
        best = search.run()
        return _translation(best, kind, folder, search.gave_way, time.monotonic() - start)


def _folder(inputs: str | Path | Sequence[str | Path], scratch: Path) -> Path:
    if isinstance(inputs, str | Path) and Path(inputs).is_dir():
        return Path(inputs)
    if isinstance(inputs, str | Path) and not Path(inputs).exists():
        raise InputError(f"{inputs}: no such folder; name the one with the input files")
    folder = scratch / "inputs"
    folder.mkdir()
    stage(inputs, folder)
    return folder


@dataclass(frozen=True)
class Attempt:
    """One draft, as it was `written` and polished where that keeps its outputs, and its proofs so far."""

    draft: Draft
    written: Draft
    proofs: tuple[Proof, ...]

    @property
    def against(self) -> Proof | None:
        """The first proof that speaks against it and counts, None where it is proven."""
        return next((proof for proof in self.proofs if not proof.sound and not proof.edge), None)

    @property
    def rank(self) -> tuple[bool, int, int]:
        """How good it is: first that it is equal on the given inputs, then few proofs against it, then few scripts."""
        against = sum(not proof.sound and not proof.edge for proof in self.proofs)
        scripts = sum(node["kind"] == "script" for node in self.draft.document["nodes"].values())
        return self.proofs[0].sound, -against, -scripts


@dataclass
class Search:
    """The attempts at one piece of code, each without what the proofs before it spoke against."""

    code: str
    front: FrontEnd
    inputs: Path
    scratch: Path
    terms: Terms
    gave_way: list[GaveWay] = field(default_factory=list)
    _perturbed: Sequence[Case] | None = None
    _open: dict[str, Sequence[Case]] = field(default_factory=dict)

    def run(self) -> Attempt:
        """Return the first attempt that is proven, or the best of all."""
        given = given_case(self.code, self.front.language, self.inputs, self.scratch, self.terms)
        best: tuple[Attempt, int] | None = None
        avoid: frozenset[str] = frozenset()
        for _ in range(_ROUNDS):
            try:
                draft = self.front.translate(self.code, self.inputs, avoid)
            except NotTranslatable:
                if best is None:
                    raise
                break
            attempt = self._attempt(draft, given)
            if best is None or attempt.rank > best[0].rank:
                best = attempt, len(self.gave_way)
            if attempt.against is None:
                break
            new = self._culprits(attempt, given, avoid)
            if not new:
                break
            avoid = avoid.union(new)
            self.gave_way += [GaveWay(origin, attempt.against.inputs, why) for origin, why in new.items()]
        assert best is not None
        self.gave_way = self.gave_way[: best[1]]
        return best[0]

    def _attempt(self, written: Draft, given: Case) -> Attempt:
        """Prove a draft as polished; where that isn't sound but the draft is, as it was written."""
        polished = polish(written, self.inputs)
        first = self._proven(polished, written, given)
        if first.against is None or polished == written:
            return first
        (again,) = prove(written, [self._case(first.against, given)], self.terms)
        if not again.sound:
            return first
        return max(first, self._proven(written, written, given), key=lambda attempt: attempt.rank)

    def _proven(self, draft: Draft, written: Draft, given: Case) -> Attempt:
        (proof,) = prove(draft, [given], self.terms)
        if not proof.sound:
            return Attempt(draft, written, (proof,))
        cases = self._cases(given)
        proofs = prove(draft, cases, self.terms)
        eased = tuple(self._eased(draft, each, case) for each, case in zip(proofs, cases, strict=True))
        return Attempt(draft, written, (proof, *eased))

    def _eased(self, draft: Draft, proof: Proof, case: Case) -> Proof:
        """Return a proof of a difference as `undetermined` where the workflow's answer is another one of the code's."""
        if proof.verdict is not Verdict.DIFFERENT or self.front.leeway is None:
            return proof
        if proof.inputs not in self._open:
            others = self.front.leeway(self.code)
            self._open[proof.inputs] = other_cases(others, self.front.language, case, self.scratch, self.terms)
        answers = [case.own, *(other.own for other in self._open[proof.inputs])]
        if len(answers) > 1 and one_of(draft, case, answers, self.terms):
            return replace(proof, verdict=Verdict.UNDETERMINED)
        return proof

    def _case(self, proof: Proof, given: Case) -> Case:
        return given if proof.inputs == GIVEN else next(c for c in self._cases(given) if c.name == proof.inputs)

    def _cases(self, given: Case) -> Sequence[Case]:
        if self._perturbed is None:
            self._perturbed = perturbed_cases(self.code, self.front.language, given, self.scratch, self.terms)
        return self._perturbed

    def _culprits(self, attempt: Attempt, given: Case, avoid: frozenset[str]) -> dict[str, str]:
        proof = attempt.against
        assert proof is not None
        case = self._case(proof, given)
        return culprits(attempt.written, case, proof, self.front, self.code, self.terms, avoid)


def _translation(
    attempt: Attempt, language: Language, folder: Path, gave_way: Sequence[GaveWay], seconds: float
) -> Translation:
    draft = attempt.draft
    nodes = draft.document["nodes"]
    scripts = tuple(
        ScriptStep(name, node["params"].get("language", "python"), len(node["params"].get("code", "")),
                   draft.reasons.get(name, "no reason given"))
        for name, node in nodes.items()
        if node["kind"] == "script"
    )  # fmt: skip
    specialised = {name: why for name, why in draft.specialised.items() if name in nodes}
    return Translation(
        Workflow(draft.document, folder), language, attempt.proofs, scripts, specialised, tuple(gave_way),
        round(seconds, 3),
    )  # fmt: skip
