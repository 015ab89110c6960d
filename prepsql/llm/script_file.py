"""The file of a scripted model: which reply it gives on which occasion (docs/models.md)."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from string import Formatter
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from prepsql.errors import ConfigError, InputError
from prepsql.llm.model import Finish, Occasion

Failure = int | Literal["timeout", "connection", "broken", "cut"]
"""How a scripted try fails: with an HTTP status, no answer in time, no connection, broken JSON, or a cut answer."""

_TEXTS = ("role", "setting", "task", "stage")
_NUMBERS = ("attempt", "repeat")


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScriptedUsage(_Strict):
    """Tokens and US dollars of a reply; what is left out is unknown."""

    prompt_tokens: int | None = Field(default=None, ge=0)
    completion_tokens: int | None = Field(default=None, ge=0)
    usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)


class Defaults(_Strict):
    """What a reply has that doesn't say it itself."""

    usage: ScriptedUsage = ScriptedUsage()
    finish: Finish = "stop"
    delay: float = Field(default=0.0, ge=0, allow_inf_nan=False)


class Entry(_Strict):
    """One reply, and the occasions it is for: patterns or lists of them, numbers or lists; left out, any.

    `error` says how the first tries fail, one after the other; without `text` and `file` each further one fails as the
    last of them. `retry_after` is what these failures ask to wait, in seconds.
    """

    role: str | tuple[str, ...] = "*"
    setting: str | tuple[str, ...] = "*"
    task: str | tuple[str, ...] = "*"
    stage: str | tuple[str, ...] = "*"
    attempt: int | tuple[int, ...] = ()
    repeat: int | tuple[int, ...] = ()
    text: str | None = None
    file: str | None = None
    error: Failure | tuple[Failure, ...] = ()
    retry_after: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    usage: ScriptedUsage | None = None
    finish: Finish | None = None
    delay: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _whole(self) -> Entry:
        if self.text is not None and self.file is not None:
            raise ValueError("has both 'text' and 'file': keep one")
        if self.text is None and self.file is None and not self.errors:
            raise ValueError("has none of 'text', 'file' and 'error': give one")
        names = {name for _, name, _, _ in Formatter().parse(self.file or "") if name is not None}
        if names - {*_TEXTS, *_NUMBERS}:
            raise ValueError(f"'file' may hold {', '.join(f'{{{n}}}' for n in (*_TEXTS, *_NUMBERS))} only")
        return self

    @property
    def errors(self) -> tuple[Failure, ...]:
        """How the first tries fail."""
        return self.error if isinstance(self.error, tuple) else (self.error,)

    def fits(self, occasion: Occasion) -> bool:
        """Return whether this entry answers."""
        return next(self._misses(occasion), None) is None

    def missed(self, occasion: Occasion) -> tuple[str, ...]:
        """Return the parts of an occasion that this entry isn't for; none if it answers."""
        return tuple(self._misses(occasion))

    def _misses(self, occasion: Occasion) -> Iterator[str]:
        for name in _TEXTS:
            said, value = getattr(self, name), getattr(occasion, name)
            if said not in ("*", value) and not any(fnmatchcase(value, pattern) for pattern in _several(said)):
                yield name
        for name in _NUMBERS:
            asked = _several(getattr(self, name))
            if asked and getattr(occasion, name) not in asked:
                yield name

    def __str__(self) -> str:
        shown = [f"{n} {_words(getattr(self, n))}" for n in (*_TEXTS, *_NUMBERS) if getattr(self, n) not in ("*", ())]
        return ", ".join(shown) or "any call"


class Script(_Strict):
    """The whole file. The first entry that fits an occasion answers it."""

    model: str = "scripted"
    defaults: Defaults = Defaults()
    replies: tuple[Entry, ...]


def load_script(path: Path) -> Script:
    """Read a script, YAML or JSON. Raises InputError where it can't be read, ConfigError where it's no script."""
    try:
        said = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeError) as wrong:
        reason = getattr(wrong, "strerror", None) or wrong
        raise InputError(f"scripted model: cannot read {path}: {reason}") from wrong
    except (yaml.YAMLError, RecursionError) as wrong:
        raise ConfigError(f"{path} is neither YAML nor JSON: {' '.join(str(wrong).split())}") from wrong
    try:
        script = Script.model_validate(said)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise ConfigError(f"{path}: {where}: {first['msg']} (form: docs/models.md)") from wrong
    for number, entry in enumerate(script.replies):
        if entry.file is not None and "{" not in entry.file and not (path.parent / entry.file).is_file():
            raise ConfigError(f"{path}: replies.{number}: there is no file {path.parent / entry.file}")
    return script


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _words(value: Any) -> str:
    return "|".join(map(str, _several(value)))
