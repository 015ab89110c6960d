"""Code and JSON out of what a model wrote around them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal

from prepsql.errors import NoCode, NoJson
from prepsql.llm.characters import whole_characters
from prepsql.llm.code_text import like_python, like_sql, python_in, sql_in
from prepsql.llm.fences import Block, blocks, without_thoughts
from prepsql.llm.loose_json import NotJson, read_value
from prepsql.llm.schema import schema_faults as _faults

Language = Literal["sql", "pandas"]

_LABELS: Mapping[Language, frozenset[str]] = {
    "sql": frozenset({"sql", "duckdb", "duckdb-sql", "postgresql", "postgres", "pgsql", "plpgsql", "sqlite", "ddl"}),
    "pandas": frozenset({"python", "py", "python3", "pandas", "ipython", "py3"}),
}
_FENCE: Mapping[Language, str] = {"sql": "sql", "pandas": "python"}
_WANTED: Mapping[Language, str] = {"sql": "SQL", "pandas": "Python"}
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_BRACKET = re.compile(r"[{\[]")
_STARTS = 1000
_FAULTS = 5


def code_of(text: str, language: Language) -> str:
    r"""Return the code of a reply.

    It is the last whole block that its fence says to be in this language; else the last whole one without a label
    that looks like it; else a last block of it whose end is missing; else, without any block, what stands in the text
    itself and looks like code. Raises NoCode, whose message may be sent back, where there is none of these.

    >>> code_of("Here it is:\n```sql\nCREATE TABLE output_01 AS SELECT 1\n```\nEnjoy!", "sql")
    'CREATE TABLE output_01 AS SELECT 1'
    """
    said = without_thoughts(text)
    found = [block for block in blocks(said) if block.text.strip()]
    like, bare = (like_sql, sql_in) if language == "sql" else (like_python, python_in)
    named = [block for block in found if block.label in _LABELS[language]]
    unnamed = [block for block in found if not block.label and like(block.text)]
    for candidates in ([b for b in named if b.closed], [b for b in unnamed if b.closed], named, unnamed):
        if candidates:
            return candidates[-1].text.strip("\n").rstrip()
    code = None if found else bare(said)
    if code is None:
        raise NoCode(_no_code(said, found, language))
    return code


def _no_code(said: str, found: list[Block], language: Language) -> str:
    labels = sorted({block.label for block in found if block.label})
    if not said.strip():
        there = "The reply is empty"
    elif labels:
        there = f"The reply has no block of {_WANTED[language]}, only of {', '.join(labels)}"
    elif found:
        there = f"The reply's block doesn't look like {_WANTED[language]}"
    else:
        there = f"The reply has no {_WANTED[language]} code"
    fence = _FENCE[language]
    return f"{there}. Answer with the whole code in one block that begins with ```{fence} and ends with ```."


def json_of(text: str, schema: Mapping[str, Any] | None = None) -> Any:
    r"""Return the JSON value of a reply, with whatever prose, fences and comments stand around and in it.

    With a schema it must fit; of several values it is the last large one that does. Raises NoJson, whose message says
    what is wrong and may be sent back. Nothing that is missing is made up: a value that isn't closed is none.

    >>> json_of('The {answer}: ```json\n{"a": [1, 2,], // two\n}\n```')
    {'a': [1, 2]}
    """
    said = without_thoughts(text).strip()
    values, furthest = _values(said)
    if not any(whole for _, _, whole in values):
        raise NoJson(f"{_no_json(said, furthest)} Answer with one JSON value and nothing else.")
    fits = [(value, size, whole) for value, size, whole in values if not whole or not _faults(value, schema)]
    found, whole = _last_large(fits if any(whole for _, _, whole in fits) else values)
    faults = _faults(found, schema) if whole else [f"the last value isn't whole: {furthest}"]
    if not faults:
        return found
    shown = "; ".join(faults[:_FAULTS]) + (f"; and {len(faults) - _FAULTS} more" if len(faults) > _FAULTS else "")
    raise NoJson(f"The JSON isn't as it should be: {shown}. Answer with one JSON value that is, and nothing else.")


def _values(said: str) -> tuple[list[tuple[Any, int, bool]], NotJson | None]:
    """Return the values in a text, with their lengths and whether they're whole, and the fault furthest into it.

    One that the end of the text cuts is the last: what stands in it is no value of its own.
    """
    try:
        value = json.loads(said, parse_constant=_no_constant, parse_float=_finite)
        return [(_whole(value) if _HALF.search(said) else value, len(said), True)], None
    except (ValueError, RecursionError):
        pass
    values: list[tuple[Any, int, bool]] = []
    furthest: NotJson | None = None
    behind = 0
    for count, start in enumerate(_BRACKET.finditer(said)):
        at = start.start()
        if count == _STARTS:
            break
        if at < behind:
            continue
        try:
            value, behind = read_value(said, at)
        except NotJson as wrong:
            furthest = wrong if furthest is None or wrong.cut or wrong.at > furthest.at else furthest
            if wrong.cut:
                values.append((None, len(said) - at, False))
                break
        else:
            values.append((value, behind - at, True))
    return values, furthest


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {_whole(key): _whole(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_whole(inner) for inner in value]
    return whole_characters(value) if isinstance(value, str) else value


def _finite(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{digits} is too large")
    return value


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _last_large(values: list[tuple[Any, int, bool]]) -> tuple[Any, bool]:
    """Return the last value of at least half the length of the longest: not the footnote [1]."""
    longest = max(size for _, size, _ in values)
    return [(value, whole) for value, size, whole in values if size * 2 >= longest][-1]


def _no_json(said: str, wrong: NotJson | None) -> str:
    if not said:
        return "The reply is empty."
    if wrong is None:
        return "The reply holds no JSON."
    line = said.count("\n", 0, wrong.at) + 1
    column = wrong.at - (said.rfind("\n", 0, wrong.at) + 1) + 1
    return f"The reply holds no whole JSON value: line {line}, column {column}: {wrong}."
