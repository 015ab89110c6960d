"""The action Translate: code becomes a workflow, by the compiler, or by the model (paper, section 4.3)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal

from prepsql.agents.brief import TRANSLATE_ATTEMPTS, Brief, Desk
from prepsql.agents.code import Code
from prepsql.agents.operators_described import operators_described
from prepsql.agents.prompts import prompt
from prepsql.agents.replace_scripts import replace_scripts
from prepsql.agents.talk import NoReply, Talk
from prepsql.errors import CapReached
from prepsql.llm.model import Model
from prepsql.llm.replies import json_of
from prepsql.workflow import schema

Way = Literal["compiler", "model"]
"""Who translates: our compiler first, and the model what that leaves; or the model alone."""


def to_workflow(brief: Brief, desk: Desk, model: Model, way: Way, code: Code, temperature: float) -> bool:
    """Leave a workflow at the desk that runs; return whether one does. A note says whose it is, and if it's proven.

    Where the compiler's is proven to give what the code gives, the model is asked for its script steps only, and what
    it writes in their place is proven too. Where it isn't proven, the model is asked for a whole workflow, and sees the
    problems that the checks find; where none of these runs, the compiler's is left if it does.
    """
    if way == "model":
        return _written(brief, desk, model, code, None, temperature)
    with desk.compiled(code.text, code.language) as compiled:
        draft = json.dumps(compiled.document, ensure_ascii=False) if compiled else ""
        if compiled and compiled.proven and desk.run_flow(draft).ok:
            scripts = [one.step for one in compiled.scripts]
            desk.note("workflow", _told(scripts, scripts))
            if scripts:
                desk.note("workflow", _told(scripts, replace_scripts(brief, desk, model, compiled, temperature)))
            return True
        doubtful = draft if compiled and not compiled.proven else ""
    try:
        return _written(brief, desk, model, code, doubtful, temperature) or _left(desk, doubtful)
    except CapReached:
        _left(desk, doubtful)
        raise


def _left(desk: Desk, draft: str) -> bool:
    """Leave a workflow whose proof is missing, if there is one and it runs; return whether it does."""
    if not draft or not desk.run_flow(draft).ok:
        return False
    desk.note("workflow", "The compiler's, NOT PROVEN: none of the model's runs.")
    return True


def _told(scripts: Sequence[str], left: Sequence[str]) -> str:
    taken = [step for step in scripts if step not in left]
    parts = [
        "The compiler's, proven to give what the code gives.",
        f"Steps of the model's stand for its scripts {', '.join(taken)}." if taken else "",
        f"Scripts: {', '.join(left)}." if left else "No scripts.",
    ]
    return " ".join(filter(None, parts))


def _written(brief: Brief, desk: Desk, model: Model, code: Code, draft: str | None, temperature: float) -> bool:
    """Ask the model for a whole workflow, until one runs."""
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
            desk.note("workflow", "The model's; whether it gives what the code gives isn't proven.")
            return True
        talk.say(prompt("repair", status=tried.status.value, message=tried.message))
    return False
