"""The action Code: write what makes the output tables, and mend it where it doesn't run (paper, section 4.2)."""

from __future__ import annotations

from dataclasses import dataclass

from prepsql.agents.brief import CODE_ATTEMPTS, Brief, Desk, Written
from prepsql.agents.fitting_macros import fitting_macros
from prepsql.agents.prompts import prompt
from prepsql.agents.talk import NoReply, Talk
from prepsql.errors import NoCode
from prepsql.llm.model import Model
from prepsql.llm.replies import code_of
from prepsql.sandbox import Language


@dataclass(frozen=True)
class Code:
    """Code that ran."""

    text: str
    language: Language


def write_code(
    brief: Brief, desk: Desk, model: Model, written: Written, specification: str, tables: str, temperature: float
) -> Code | None:
    """Return the first code that runs, None where none of the attempts did.

    After a failure the model sees the error with the place in its code, and tries again.
    """
    languages: tuple[Language, ...] = ("sql", "pandas") if written == "auto" else (written,)
    talk = Talk(model, brief, "code", temperature)
    talk.say(prompt("code", languages=languages, specification=specification, tables=tables,
                    names=[path.stem for path in brief.inputs],
                    macros=fitting_macros(f"{specification}\n{tables}") if "sql" in languages else []),
             "system")  # fmt: skip
    talk.say("Write the code.")
    for _ in range(CODE_ATTEMPTS):
        try:
            code = talk.once(None, lambda text: _code(text, languages))
        except NoReply as none:
            desk.fail("code", none.text, none.result, str(none))
            continue
        tried = desk.run_code(code.text, code.language)
        if tried.ok:
            return code
        talk.say(prompt("repair", status=tried.status.value, message=tried.message))
    return None


def _code(reply: str, languages: tuple[Language, ...]) -> Code:
    first: NoCode | None = None
    for language in languages:
        try:
            return Code(code_of(reply, language), language)
        except NoCode as none:
            first = first or none
    assert first is not None
    raise first
