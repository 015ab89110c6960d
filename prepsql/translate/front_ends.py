"""The languages that are translated, each by a front end in a folder of its own."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from prepsql.sandbox import Language
from prepsql.translate.draft import Draft
from prepsql.translate.terms import DEFAULT_TERMS, Terms


class Translates(Protocol):
    """Writes a draft of code; origins in `avoid` become script steps. Raises NotTranslatable."""

    def __call__(
        self, code: str, inputs: Path, avoid: frozenset[str] = frozenset(), terms: Terms = DEFAULT_TERMS
    ) -> Draft:
        """Return the draft."""


class Witness(Protocol):
    """Gives the code's own tables at some origins, as CSV files by origin, in `out`.

    It runs the code on the `inputs`, in the sandbox. An origin whose table can't be had is left out.
    """

    def __call__(self, code: str, inputs: Path, origins: Sequence[str], out: Path, terms: Terms) -> Mapping[str, Path]:
        """Return the files."""


@dataclass(frozen=True)
class FrontEnd:
    """What turns one language into drafts, and what tells its own tables, where something does.

    `in_order`: the rows of all its tables have an order that the code determines. `leeway` gives code that means the
    same but may answer otherwise, where the language leaves something open; `roundings` code that rounds ties
    otherwise.
    """

    language: Language
    translate: Translates
    witness: Witness | None = None
    in_order: bool = False
    leeway: Callable[[str], Sequence[str]] | None = None
    roundings: Callable[[str], Sequence[str]] | None = None


# where the parts of each front end live
_PLACES: Mapping[Language, Mapping[str, str]] = {
    "sql": {
        "translate": "prepsql.translate.sql:translate_sql",
        "witness": "prepsql.translate.sql_witness:tables_of_script",
        "leeway": "prepsql.translate.sql_leeway:other_answers",
        "roundings": "prepsql.translate.sql_leeway:other_roundings",
    },
    "pandas": {
        "translate": "prepsql.translate.pandas.front:translate_pandas",
        "witness": "prepsql.translate.pandas.front:tables_of_program",
        "leeway": "prepsql.translate.pandas_leeway:other_answers",
    },
}


def front_end(language: Language) -> FrontEnd:
    """Return the front end of a language; each of its parts loads when it is first asked."""
    parts: dict[str, Any] = {name: _part(place) for name, place in _PLACES[language].items()}
    return FrontEnd(language, in_order=language == "pandas", **parts)


def _part(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")

    def ask(*given: Any, **named: Any) -> Any:
        return getattr(importlib.import_module(module), name)(*given, **named)

    return ask
