"""The search for a workflow that is proven: translate, polish, prove; what the proof speaks against gives way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from prepsql.errors import NotTranslatable, PrepsqlError
from prepsql.scratch import scratch_folder
from prepsql.translate.bisect import culprits
from prepsql.translate.draft import Draft
from prepsql.translate.front_ends import FrontEnd
from prepsql.translate.leeway import Leeway
from prepsql.translate.own import Case, given_case, perturbed_cases
from prepsql.translate.polish import polish
from prepsql.translate.polish.edit import specialise, with_nodes
from prepsql.translate.prove import made_in, prove
from prepsql.translate.terms import Terms
from prepsql.translate.translation import GIVEN, GaveWay, Proof, Verdict

_ROUNDS = 8


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
    """The attempts at one piece of code, from the `first` draft, each without what the proofs before spoke against."""

    code: str
    front: FrontEnd
    inputs: Path
    scratch: Path
    terms: Terms
    first: Future[Draft]
    gave_way: list[GaveWay] = field(default_factory=list)
    _perturbed: Future[Sequence[Case]] | None = None
    _found: tuple[Attempt, Case] | None = None

    @cached_property
    def _leeway(self) -> Leeway:
        return Leeway(self.code, self.front, self.scratch, self.terms)

    def run(self) -> Attempt:
        """Return the first attempt that is proven, or the best of all."""
        with ThreadPoolExecutor(1) as beside:
            # the code's own runs go on while it is translated
            own = beside.submit(given_case, self.code, self.front.language, self.inputs, self.scratch, self.terms)
            self._perturbed = beside.submit(self._perturb, own)
            try:
                draft = self.first.result()
            except PrepsqlError:
                self._perturbed.cancel()
                own.result()  # where the code itself fails, that is the reason
                raise
            given = own.result()
            best = self._search(draft, given)
            self._found = best, given
            return best

    def prove_nodes(self, nodes: Mapping[str, Any]) -> Attempt:
        """Prove other nodes in the place of those that `run` found; what a changed step is specialised to goes."""
        assert self._found is not None
        best, given = self._found
        old = best.draft.document["nodes"]
        specialised = {step: why for step, why in best.draft.specialised.items() if nodes.get(step) == old.get(step)}
        draft = with_nodes(replace(best.draft, specialised=specialised), nodes)
        return self._proven(draft, draft, given)

    def _search(self, draft: Draft, given: Case) -> Attempt:
        best: tuple[Attempt, int] | None = None
        avoid: frozenset[str] = frozenset()
        for number in range(_ROUNDS):
            try:
                draft = self._draft(avoid) if number else draft
            except NotTranslatable:
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

    def _draft(self, avoid: frozenset[str]) -> Draft:
        return self.front.translate(self.code, self.inputs, avoid, self.terms)

    def _perturb(self, given: Future[Case]) -> Sequence[Case]:
        return perturbed_cases(self.code, self.front.language, given.result(), self.scratch, self.terms)

    def _attempt(self, written: Draft, given: Case) -> Attempt:
        """Prove a draft as polished; where that isn't sound but the draft is, as it was written."""
        polished = polish(written, self.inputs)
        first = self._proven(polished, written, given)
        if first.against is None or polished == written:
            return first
        with scratch_folder("prepsql-proof-") as out:
            (again,) = prove(written, [self._case(first.against, given)], out, self.terms)
        if not again.sound:
            return first
        return max(first, self._proven(written, written, given), key=lambda attempt: attempt.rank)

    def _proven(self, draft: Draft, written: Draft, given: Case) -> Attempt:
        cases = self._cases()
        with scratch_folder("prepsql-proof-") as out:
            proof, *proofs = prove(draft, [given, *cases], out, self.terms)
            if not proof.sound:
                return Attempt(draft, written, (proof,))
            if reshaped := next((each.reshaped for each in proofs if each.reshaped and not each.sound), ""):
                names = ", ".join(draft.document["nodes"][reshaped]["params"]["columns"])
                draft = specialise(draft, reshaped, f"values that make the columns {names}")
                return self._proven(draft, written, given)
            pairs = zip(proofs, cases, strict=True)
            eased = tuple(self._eased(each, case, made_in(out, case)) for each, case in pairs)
        return Attempt(draft, written, (proof, *eased))

    def _eased(self, proof: Proof, case: Case, made: Path) -> Proof:
        """Return a proof of a difference as `undetermined` where the workflow's answer is another one of the code's."""
        if proof.verdict is Verdict.DIFFERENT and self._leeway.covers(case, made):
            return replace(proof, verdict=Verdict.UNDETERMINED)
        return proof

    def _case(self, proof: Proof, given: Case) -> Case:
        return given if proof.inputs == GIVEN else next(c for c in self._cases() if c.name == proof.inputs)

    def _cases(self) -> Sequence[Case]:
        assert self._perturbed is not None
        return self._perturbed.result()

    def _culprits(self, attempt: Attempt, given: Case, avoid: frozenset[str]) -> dict[str, str]:
        proof = attempt.against
        assert proof is not None
        case = self._case(proof, given)
        return culprits(attempt.written, case, proof, self.front, self.code, self.terms, avoid)
