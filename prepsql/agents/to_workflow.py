"""The action Translate: code becomes a workflow, by the compiler, or by the model (paper, section 4.3)."""

from __future__ import annotations

import json
from typing import Literal

from prepsql.agents.brief import TRANSLATE_ATTEMPTS, Brief, Desk
from prepsql.agents.code import Code
from prepsql.agents.operators_described import operators_described
from prepsql.agents.prompts import prompt
from prepsql.agents.talk import NoReply, Talk
from prepsql.errors import ModelError
from prepsql.llm.model import Model
from prepsql.llm.replies import json_of
from prepsql.workflow import schema

Way = Literal["compiler", "model"]
"""Who translates: our compiler first and the model where that gives nothing proven, or the model alone."""


def to_workflow(brief: Brief, desk: Desk, model: Model, way: Way, code: Code, temperature: float) -> bool:
    """Leave a workflow at the desk that runs; return whether one does.

    The compiler's workflow counts where it's proven to give what the code gives. Where it isn't, the model is asked
    for one, and sees the problems that the checks find.
    """
    draft = None
    if way == "compiler":
        draft, proven = desk.compiled(code.text, code.language)
        if proven and draft and desk.run_flow(draft).ok:
            return True
    try:
        return _written(brief, desk, model, code, draft, temperature)
    except ModelError:
        if draft and desk.run_flow(draft).ok:  # better than none: it runs, though its proof is missing
            return True
        raise


def _written(brief: Brief, desk: Desk, model: Model, code: Code, draft: str | None, temperature: float) -> bool:
    talk = Talk(model, brief, "translate", temperature)
    talk.say(prompt("translate", operators=operators_described(), code=code, draft=draft,
                    names=[path.name for path in brief.inputs]), "system")  # fmt: skip
    talk.say("Write the workflow.")
    form = schema()
    for _ in range(TRANSLATE_ATTEMPTS):
        try:
            document = talk.once(form, json_of)
        except NoReply as none:
            desk.fail("translate", none.text, none.result, str(none))
            continue
        tried = desk.run_flow(json.dumps(document, ensure_ascii=False))
        if tried.ok:
            return True
        talk.say(prompt("repair", status=tried.status.value, message=tried.message))
    return False
