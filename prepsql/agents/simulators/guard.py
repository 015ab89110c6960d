"""Every answer of a simulated user goes through here before an agent sees it."""

from __future__ import annotations

import re
from dataclasses import replace

from prepsql.agents.simulators.contract import REFUSALS, Answer, Secrets
from prepsql.agents.simulators.leaks import CodeLeak, GoldLeak, ProseLeak

_SPELLED = re.compile(r"(?<!\S)\S(?:[ .-]\S)+(?!\S)")


class Guard:
    """Replaces answers that give away code, gold or the full request, whichever simulator made them."""

    def __init__(self, secrets: Secrets) -> None:
        intents = [entry.intent for entry in secrets.entries]
        phrases = [entry.source_text for entry in secrets.entries]
        prose = [secrets.request, secrets.full_request, *intents, *phrases]
        code = [secrets.code, *(entry.ref for entry in secrets.entries)]
        self._leaks = (
            CodeLeak(code, prose),
            ProseLeak(secrets.full_request),
            GoldLeak(secrets.gold, secrets.inputs, [*prose, *code]),
        )

    def found(self, text: str) -> str:
        """Return what a text gives away, '' where nothing."""
        texts = dict.fromkeys((text, _SPELLED.sub(lambda word: re.sub(r"(?<=\S)[ .-](?=\S)", "", word[0]), text)))
        return next((found for said in texts for leak in self._leaks if (found := leak.found(said))), "")

    def checked(self, answer: Answer) -> Answer:
        """Return an answer as it may be handed over: itself, or a refusal whose note says what was in it."""
        found = self.found(answer.text)
        if not found:
            return answer
        note = f"withheld: {found}" + (f"; {answer.note}" if answer.note else "")
        return replace(answer, classification="refuse_illegal", text=REFUSALS["refuse_illegal"], ref="", note=note)
