"""Code becomes a workflow: SQL scripts and pandas programs in steps that people read, proven equal by running."""

from prepsql.translate.draft import Draft
from prepsql.translate.run import translate
from prepsql.translate.translation import GaveWay, OutputProof, Proof, ScriptStep, Translation, Verdict

__all__ = ["Draft", "GaveWay", "OutputProof", "Proof", "ScriptStep", "Translation", "Verdict", "translate"]
