"""The languages that are translated, each by a front end in a folder of its own."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from prepsql.sandbox import Language
from prepsql.translate import pandas_leeway, sql_leeway
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


# where each front end lives: the module, its function, and that of its witness
_PLACES: Mapping[Language, tuple[str, str, str, str]] = {
    "sql": ("prepsql.translate.sql", "translate_sql", "prepsql.translate.sql_witness", "tables_of_script"),
    "pandas": (
        "prepsql.translate.pandas.front", "translate_pandas", "prepsql.translate.pandas.front", "tables_of_program",
    ),
}  # fmt: skip


def front_end(language: Language) -> FrontEnd:
    """Return the front end of a language; it loads when first asked for."""
    module, function, beside, witness = _PLACES[language]
    translate = getattr(importlib.import_module(module), function)
    tells = getattr(importlib.import_module(beside), witness, None)
    leeway = sql_leeway.other_answers if language == "sql" else pandas_leeway.other_answers
    roundings = sql_leeway.other_roundings if language == "sql" else None
    return FrontEnd(language, translate, tells, in_order=language == "pandas", leeway=leeway, roundings=roundings)
