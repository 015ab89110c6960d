"""What tokens cost: a table in a file, which the user may complete or correct.

    {"gpt-4o-mini": {"prompt": 0.15, "cached": 0.075, "completion": 0.6, "date": "2026-11-05", "source": "https://…"}}

US dollars a million tokens; `cached` is for those of the prompt that the endpoint had kept, and may be left out: then
they cost as the others. `date` is when the figure was looked up, `source` where.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from prepsql.errors import ConfigError, InputError

_OWN = Path(__file__).with_name("prices.json")
_MILLION = 1_000_000


class Price(BaseModel):
    """US dollars a million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: float = Field(ge=0, allow_inf_nan=False)
    completion: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    date: str = ""
    source: str = ""

    def usd(
        self, prompt_tokens: int | None, completion_tokens: int | None, cached_tokens: int | None = None
    ) -> float | None:
        """Return what a call cost, None where its tokens aren't known.

        `cached_tokens` are part of `prompt_tokens`; where it isn't known, all are taken as not cached.

        >>> Price(prompt=2.0, cached=1.0, completion=10.0).usd(1_000_000, 100_000, 500_000)
        2.5
        """
        if prompt_tokens is None or completion_tokens is None:
            return None
        kept = min(cached_tokens or 0, prompt_tokens)
        cached = self.prompt if self.cached is None else self.cached
        whole = (prompt_tokens - kept) * self.prompt + kept * cached + completion_tokens * self.completion
        return whole / _MILLION


_TABLE = TypeAdapter(dict[str, Price])


@cache
def known_prices(path: Path | None = None) -> Mapping[str, Price]:
    """Return model → price: those that come with the package, and over them those of the file at `path`.

    Raises InputError where that can't be read, ConfigError where it isn't such a table.
    """
    return _read(_OWN) if path is None else {**_read(_OWN), **_read(path)}


def _read(path: Path) -> dict[str, Price]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as wrong:
        raise InputError(f"prices: cannot read {path}: {getattr(wrong, 'strerror', None) or wrong}") from wrong
    try:
        return _TABLE.validate_json(text)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigError(
            f"{path}: {where + ': ' if where else ''}{first['msg']}; a price is written like "
            '{"my-model": {"prompt": 0.5, "completion": 1.5}}, in US dollars a million tokens'
        ) from wrong
