"""Code becomes a workflow: SQL scripts and pandas programs in steps that people read, proven equal by running."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prepsql.translate.draft import Draft
    from prepsql.translate.run import translate
    from prepsql.translate.translation import GaveWay, OutputProof, Proof, ScriptStep, Translation, Verdict

# a front end's tracer runs in the sandbox, where nothing else of this room is needed
_PLACES = {
    "Draft": "draft",
    "GaveWay": "translation",
    "OutputProof": "translation",
    "Proof": "translation",
    "ScriptStep": "translation",
    "Translation": "translation",
    "Verdict": "translation",
    "translate": "run",
}

__all__ = ["Draft", "GaveWay", "OutputProof", "Proof", "ScriptStep", "Translation", "Verdict", "translate"]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'prepsql.translate' has no attribute {name!r}")
    return getattr(importlib.import_module(f"prepsql.translate.{_PLACES[name]}"), name)
