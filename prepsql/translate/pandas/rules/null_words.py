"""The words for nothing in a file: what pandas takes for null, and what an input step must be told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

OWN = [
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
]  # fmt: skip


def common(options: Mapping[str, Any]) -> list[str]:
    """Return the null words of columns for which none are given."""
    if options.get("na_filter") is False:
        return []
    given = options.get("na_values")
    more = [] if isinstance(given, Mapping) else _written(given)
    return list(dict.fromkeys([*(OWN if options.get("keep_default_na", True) else []), *more]))


def of_column(options: Mapping[str, Any], label: Any) -> list[str]:
    """Return the null words of a column."""
    given, words = options.get("na_values"), common(options)
    if not isinstance(given, Mapping) or label not in given or options.get("na_filter") is False:
        return words
    return list(dict.fromkeys([*words, *_written(given[label])]))


def _written(given: Any) -> list[str]:
    """Return words as they stand in a file; a number also as pandas finds it among floats."""
    found = []
    for word in [] if given is None else [given] if isinstance(given, str | int | float) else list(given):
        found.append(str(word))
        try:
            number = float(word)
        except ValueError:
            continue
        if number.is_integer():
            found += [str(int(number)), f"{int(number)}.0"]
    return found


def as_input(table: pd.DataFrame, words: list[str]) -> bool:
    """Return whether an input step, which minds neither case nor space, finds the null words that pandas finds."""
    exact = set(words)
    there = set(pd.unique(table.to_numpy().ravel()))
    folded = {word.strip().lower() for word in (exact if exact & there - {""} else {""})}
    return not any(cell not in exact and cell.strip().lower() in folded for cell in there)


def needed(table: pd.DataFrame, words: list[str], options: Mapping[str, Any]) -> list[str]:
    """Return the words that an input step must be told: of pandas' own ones none where the file has none of them."""
    there = set(pd.unique(table.to_numpy().ravel())) - {""}
    if there & set(OWN) & set(words):
        return words
    given = options.get("na_values")
    more = [] if isinstance(given, Mapping) else _written(given)
    return [word for word in dict.fromkeys(more) if word]


def without(table: pd.DataFrame, words: Sequence[str], known: Sequence[str] | None) -> list[str]:
    """Return the null words of a column that a step after the input must see to, which knows `known` or is all text."""
    if known is not None:
        return [word for word in words if word not in known]
    there = set(pd.unique(table.to_numpy().ravel())) - {""}
    own = set(OWN) - {""}
    return list(words) if there & own & set(words) else [word for word in words if word not in own]
