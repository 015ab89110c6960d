"""Every error that prepsql raises on purpose.

Each message is one line: the thing, what is available, the next step. `exit_code` is what the command
line leaves with: 2, "the work could not be done", for all of them.
"""

from __future__ import annotations

from typing import Literal


class PrepsqlError(Exception):
    """A failure that prepsql explains."""

    exit_code = 2


class InputError(PrepsqlError):
    """A path that the caller named is missing, of the wrong kind or not readable."""


class ReadError(PrepsqlError):
    """A raw file can't become a table without losing something."""


class WriteError(PrepsqlError):
    """An output can't be written: no space, no right, no folder."""


class ConfigError(PrepsqlError):
    """A configuration (config.json, amb_kb.json, task.json, …) is not what its format says."""


class SandboxError(PrepsqlError):
    """Code that isn't ours can't be run safely here."""


class RecordError(PrepsqlError):
    """A run record can't be opened, or belongs to another run."""


class NotTranslatable(PrepsqlError):
    """pandas text whose meaning SQL can't certainly keep; the message says which part and why."""


class WorkflowError(PrepsqlError):
    """A workflow has problems, all of which are in `problems`; or a step of it failed."""

    exit_code = 1

    def __init__(self, message: str, problems: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class TimeLimitError(WorkflowError):
    """A workflow was ended at its time limit."""


class MemoryLimitError(WorkflowError):
    """A workflow wanted more memory than it may use."""


class OtherColumnsError(WorkflowError):
    """The code of a workflow's step gave other columns than the step declares; `step` is its name."""

    def __init__(self, message: str, step: str) -> None:
        super().__init__(message)
        self.step = step


class MacroError(PrepsqlError):
    """A macro of the library is called with arguments that don't fit it."""


class ModelError(PrepsqlError):
    """A model can't be reached or used: an infrastructure fault, never a wrong answer."""


class NoAnswers(ModelError):
    """An endpoint that has answered nothing so far can't be reached, or refuses every call: there is no going on."""


class CapReached(ModelError):
    """The next call might cross a cap on money, tokens or calls; `scope` is "task" or "run"."""

    def __init__(self, message: str, scope: Literal["task", "run"]) -> None:
        super().__init__(message)
        self.scope = scope


class ContextExceeded(ModelError):
    """A conversation is longer than the model can take: its own limit, not a fault of the endpoint."""


class ReplyError(PrepsqlError):
    """A model's reply doesn't hold what was asked for; the message may be sent back to the model as it is."""


class NoCode(ReplyError):
    """A reply holds no code in the language that was asked for."""


class NoJson(ReplyError):
    """A reply holds no JSON, or JSON that doesn't fit its schema."""
