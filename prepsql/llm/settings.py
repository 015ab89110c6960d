"""Where models are and what they may cost: from the caller's flags, else the environment, else `.env`.

A flag `base_url` is the variable `PREPSQL_BASE_URL`, in the environment or in the file `.env` of the working folder.
No other variable is read: keys of other programs aren't sent to an endpoint that they weren't made for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints
from urllib.parse import urlsplit, urlunsplit

from dotenv import dotenv_values
from pydantic import Field, TypeAdapter, ValidationError

from prepsql.errors import ConfigError

PREFIX = "PREPSQL_"
SECRETS = ("api_key", "simulator_api_key")
Origin = Literal["flag", "environment", ".env", "default"]
_Count = Annotated[int, Field(gt=0)]
_Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True)
class ModelSettings:
    """What is set; `origins` says where each came from. Neither printing this nor `to_dict` shows a key.

    `model` and `simulator_model` name a model of the endpoint, or `script:FILE`, a scripted one. What isn't set for the
    simulator is as for the agent, but for its model: without that there's no model that simulates. `stream` has replies
    sent piece by piece. `seconds` bounds one try of a call, `tries` how often it is tried, `calls_at_once` how
    many at a time; `max_tokens` bounds each reply. `prices` is a file of prices, `cache` a folder of replies. The rest
    are caps of a task and a run.
    """

    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    model: str | None = None
    simulator_base_url: str | None = None
    simulator_api_key: str | None = field(default=None, repr=False)
    simulator_model: str | None = None
    stream: bool = False
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 300.0
    tries: _Count = 6
    calls_at_once: _Count = 8
    max_tokens: _Count | None = None
    prices: Path | None = None
    cache: Path | None = None
    task_usd: _Dollars | None = None
    task_tokens: _Count | None = None
    task_calls: _Count | None = None
    run_usd: _Dollars | None = None
    run_tokens: _Count | None = None
    run_calls: _Count | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)

    @property
    def simulator_address(self) -> str | None:
        """Where the model is that simulates."""
        return self.simulator_base_url or self.base_url

    def to_dict(self) -> dict[str, Any]:
        """Return what is set as plain values, for JSON; of a key only that there is one."""
        values = {name: getattr(self, name) for name in NAMES}
        shown = {name: str(value) if isinstance(value, Path) else value for name, value in values.items()}
        return shown | {name: "set" if values[name] else None for name in SECRETS}


NAMES = tuple(each.name for each in fields(ModelSettings) if each.name != "origins")


def resolve(
    flags: Mapping[str, Any] | None = None, *, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> ModelSettings:
    """Return the settings: flag, else environment variable, else `.env` in `folder`, else default.

    A flag that is None isn't given; an empty variable isn't either. Raises ConfigError where a value isn't what its
    setting takes, naming where it stands.
    """
    asked = {name: value for name, value in (flags or {}).items() if value is not None}
    unknown = sorted(asked.keys() - set(NAMES))
    if unknown:
        raise ConfigError(f"no setting {unknown[0]!r} of models (settings: {', '.join(NAMES)})")
    variables = os.environ if environment is None else environment
    path = (folder or Path()) / ".env"
    written = _written(path)
    found: dict[str, tuple[Any, Origin]] = {}
    for name in NAMES:
        variable = PREFIX + name.upper()
        if name in asked:
            found[name] = asked[name], "flag"
        elif variables.get(variable):
            found[name] = variables[variable], "environment"
        elif written.get(variable):
            found[name] = written[variable], ".env"
    values = {name: _value(name, value, origin) for name, (value, origin) in found.items()}
    origins: dict[str, Origin] = {name: found[name][1] if name in found else "default" for name in NAMES}
    return ModelSettings(**values, origins=origins)


def plain_address(url: str) -> str:
    """Return where an endpoint is, without what may be secret in its address: name, password and query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def _written(path: Path) -> Mapping[str, str | None]:
    try:
        return dotenv_values(path, interpolate=False) if path.is_file() else {}
    except (OSError, UnicodeError) as wrong:
        raise ConfigError(f"cannot read {path}: {getattr(wrong, 'strerror', None) or wrong}") from wrong


def _value(name: str, value: Any, origin: Origin) -> Any:
    where = f"{name} (flag)" if origin == "flag" else f"{PREFIX}{name.upper()} ({origin})"
    if name in SECRETS:
        return _key(str(value).strip(), where)
    try:
        read = _READERS[name].validate_python(value.strip() if isinstance(value, str) else value)
    except ValidationError as wrong:
        raise ConfigError(f"{where}: {value!r}: {wrong.errors(include_url=False)[0]['msg']}") from wrong
    if isinstance(read, Path):
        return read.expanduser()
    return _url(read, where) if name.endswith("base_url") else read


def _key(text: str, where: str) -> str:
    if not re.fullmatch("[!-~]+", text):
        raise ConfigError(f"{where}: a key is of letters, digits and signs without blanks: copy it again")
    return text


def _url(text: str, where: str) -> str:
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    whole = parts.scheme in ("http", "https") and parts.hostname
    if parts.username or parts.password or ("@" in text and not whole):
        raise ConfigError(f"{where}: an address with a name or password in it would be shown: give PREPSQL_API_KEY")
    if not whole:
        raise ConfigError(f"{where}: {text!r} is no address: give one like https://api.openai.com/v1")
    return text.rstrip("/")


_READERS = {name: TypeAdapter[Any](hint) for name, hint in get_type_hints(ModelSettings, include_extras=True).items()}
