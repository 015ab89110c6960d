"""The agent that a model drives through the four actions: clarify, profile, code, translate (paper, section 4)."""

from __future__ import annotations

from dataclasses import dataclass

from prepsql.agents.brief import Brief, Desk, Written
from prepsql.agents.clarify import Specification, clarify
from prepsql.agents.code import Code, write_code
from prepsql.agents.explore import explore
from prepsql.agents.samples import samples
from prepsql.agents.to_workflow import Way, to_workflow
from prepsql.llm.model import Model


@dataclass(frozen=True)
class ModelAgent:
    """Writes `written`; translates by the compiler, or by the model where `translated` says so."""

    model: Model
    written: Written = "sql"
    translated: Way = "compiler"
    temperature: float = 0.7

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    def work(self, brief: Brief, desk: Desk) -> None:
        """Go through the brief's stages; each takes what those before it made."""
        code = Code(brief.code, brief.language) if brief.language else None
        if code is None:
            code = self._code(brief, desk)
        if code is not None and "translate" in brief.stages:
            with desk.timed("translate"):
                to_workflow(brief, desk, self.model, self.translated, code, self.temperature)

    def _code(self, brief: Brief, desk: Desk) -> Code | None:
        tables = samples(brief.inputs)
        facts = ""
        if {"clarify", "profile"} & {*brief.stages}:
            with desk.timed("profile"):
                facts = desk.profiled()
        known = f"{tables}\n\n{facts}" if facts else tables
        specification = Specification(brief.request)
        if "clarify" in brief.stages:
            with desk.timed("clarify"):
                specification = clarify(brief, desk, self.model, known, self.temperature)
            desk.note("specification", str(specification))
        if "code" not in brief.stages:
            return None
        if "profile" in brief.stages:
            with desk.timed("profile"):
                known = explore(brief, desk, self.model, known, str(specification), self.temperature)
            desk.note("profile", known)
        else:
            known = tables
        with desk.timed("code"):
            return write_code(brief, desk, self.model, self.written, str(specification), known, self.temperature)
