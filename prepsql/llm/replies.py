"""Code and JSON out of what a model wrote around them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal

from prepsql.errors import NoCode, NoJson
from prepsql.llm.code_text import like_python, like_sql, python_in, sql_in
from prepsql.llm.fences import Block, blocks, without_thoughts
from prepsql.llm.loose_json import NotJson, read_value

Language = Literal["sql", "pandas"]

_LABELS: Mapping[Language, frozenset[str]] = {
    "sql": frozenset({"sql", "duckdb", "duckdb-sql", "postgresql", "postgres", "pgsql", "plpgsql", "sqlite", "ddl"}),
    "pandas": frozenset({"python", "py", "python3", "pandas", "ipython", "py3"}),
}
_FENCE: Mapping[Language, str] = {"sql": "sql", "pandas": "python"}
_WANTED: Mapping[Language, str] = {"sql": "SQL", "pandas": "Python"}
_BRACKET = re.compile(r"[{\[]")
_STARTS = 2000
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
    if not values:
        raise NoJson(f"{_no_json(said, furthest)} Answer with one JSON value and nothing else.")
    fitting = [(value, size) for value, size in values if not (schema and _faults(value, schema))]
    if fitting:
        return _last_large(fitting)
    faults = _faults(_last_large(values), schema or {})
    shown = "; ".join(faults[:_FAULTS]) + (f"; and {len(faults) - _FAULTS} more" if len(faults) > _FAULTS else "")
    raise NoJson(f"The JSON doesn't fit its schema: {shown}. Answer with one JSON value that does, and nothing else.")


def _values(said: str) -> tuple[list[tuple[Any, int]], NotJson | None]:
    """Return the values in a text with their lengths, and the fault furthest into the text of what is none."""
    try:
        return [(json.loads(said, parse_constant=_no_constant), len(said))], None
    except (ValueError, RecursionError):
        pass
    values: list[tuple[Any, int]] = []
    furthest: NotJson | None = None
    behind = 0
    for count, start in enumerate(_BRACKET.finditer(said)):
        if count == _STARTS:
            break
        if start.start() < behind:
            continue
        try:
            value, behind = read_value(said, start.start())
        except NotJson as wrong:
            furthest = wrong if furthest is None or wrong.at > furthest.at else furthest
        else:
            values.append((value, behind - start.start()))
    return values, furthest


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _last_large(values: list[tuple[Any, int]]) -> Any:
    """Return the last value of at least half the length of the longest: not the footnote [1]."""
    longest = max(size for _, size in values)
    return [value for value, size in values if size * 2 >= longest][-1]


def _no_json(said: str, wrong: NotJson | None) -> str:
    if not said:
        return "The reply is empty."
    if wrong is None:
        return "The reply holds no JSON."
    line = said.count("\n", 0, wrong.at) + 1
    column = wrong.at - (said.rfind("\n", 0, wrong.at) + 1) + 1
    return f"The reply holds no whole JSON value: line {line}, column {column}: {wrong}."


def _faults(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """Return what in a value doesn't fit a schema, by place."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    found = sorted(
        Draft202012Validator(schema).iter_errors(value), key=lambda wrong: list(map(str, wrong.absolute_path))
    )
    nearest = [best_match(iter([wrong])) or wrong for wrong in found]
    return [f"{wrong.json_path}: {_short(wrong.message)}" for wrong in nearest]


def _short(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= 200 else line[:120] + " … " + line[-75:]
