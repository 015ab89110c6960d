"""The library of SQL macros: one file a macro in the top-level `macros/`, read from its header form.

A file is a header of `-- key: value` lines, then one SQL expression:

    -- name: is_blank
    -- topic: text
    -- parameters: s, words := 'null'
    -- purpose: whether a cell says nothing
    -- nulls: null is blank
    -- also: ISBLANK, str.isspace
    -- example: is_blank('  ') => true
    coalesce(trim(s), '') = '' OR lower(s) = words

`parameters` may give defaults with `:=`. `topic` is one of TOPICS. `also`, which may be left out, names functions by
which people of other tools look for it. `example` may stand several times; the tests run each: both sides of `=>`
are SQL, compared with IS NOT DISTINCT FROM.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prepsql.errors import ConfigError
from prepsql.resources import macros_dir

if TYPE_CHECKING:
    import duckdb

_HEADER = re.compile(r"--\s*(name|topic|parameters|purpose|nulls|also|example):\s*(.*)")
_CALLED = re.compile(r"\b(\w+)\s*\(")
_SPLIT = re.compile(r",\s*(?=[A-Za-z_]\w*\s*(?::=|,|$))")
_ONCE = ("name", "topic", "parameters", "purpose", "nulls")
# in the order of lists; the macros of INNER are what other code and other macros are made of
INNER = ("comparing", "parts")
TOPICS = ("text", "numbers", "dates", "categories", "codes", "matching", "profiling", *INNER)


@dataclass(frozen=True)
class Macro:
    """One scalar macro: what its file says.

    `parameters` maps each name, in order, to its default as SQL text, or None where the caller must give it.
    `also` are names by which people of other tools look for it.
    """

    name: str
    topic: str
    parameters: Mapping[str, str | None]
    purpose: str
    nulls: str
    also: tuple[str, ...]
    examples: tuple[tuple[str, str], ...]
    body: str

    def create_sql(self) -> str:
        """Return the statement that defines the macro in DuckDB."""
        return f"CREATE OR REPLACE MACRO {self.signature} AS (\n{self.body}\n)"

    def to_dict(self) -> dict[str, Any]:
        """Return what the file says, and the statement, as JSON."""
        return {
            "name": self.name,
            "topic": self.topic,
            "signature": self.signature,
            "purpose": self.purpose,
            "nulls": self.nulls,
            "also": list(self.also),
            "examples": [{"call": call, "result": result} for call, result in self.examples],
            "sql": self.create_sql(),
        }

    @property
    def signature(self) -> str:
        """The name with its parameters and their defaults, as SQL writes them."""
        parameters = ", ".join(p if d is None else f"{p} := {d}" for p, d in self.parameters.items())
        return f"{self.name}({parameters})"


@cache
def library(folder: Path | None = None) -> Mapping[str, Macro]:
    """Return every macro of `folder` (the shipped library by default) by name, in name order.

    Raises ConfigError where a file isn't in the header form.
    """
    files = sorted((folder or macros_dir()).glob("*.sql"))
    return {macro.name: macro for macro in map(_read, files)}


def named_in(text: str) -> list[str]:
    """Return the macros whose names occur in a text, in name order: those that it may call, and perhaps more."""
    words = set(re.findall(r"\w+", text.lower()))
    return [name for name in library() if name in words]


def create_sql(names: Iterable[str] | None = None) -> list[str]:
    """Return the statements that define `names` (all macros by default) and every macro they call, callees first."""
    macros, ordered = library(), {}

    def visit(name: str) -> None:
        if name not in ordered:
            for other in _CALLED.findall(macros[name].body):
                if other in macros and other != name:
                    visit(other)
            ordered[name] = macros[name].create_sql()

    for name in macros if names is None else names:
        visit(name)
    return list(ordered.values())


def install(con: duckdb.DuckDBPyConnection, names: Iterable[str] | None = None) -> None:
    """Define macros of the library on a connection; see `create_sql`."""
    for statement in create_sql(names):
        con.execute(statement)


def _read(path: Path) -> Macro:
    header: dict[str, str] = {}
    examples: list[tuple[str, str]] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    start = 0
    for start, line in enumerate(lines):  # noqa: B007
        match = _HEADER.fullmatch(line)
        if match is None:
            break
        key, value = match[1], match[2].strip()
        if key == "example":
            call, arrow, result = value.partition(" => ")
            if not arrow:
                raise ConfigError(f"macro {path.name}: example {value!r} has no ' => result'")
            examples.append((call.strip(), result.strip()))
        else:
            header[key] = value
    missing = [key for key in _ONCE if key not in header]
    body = "\n".join(lines[start:]).strip()
    if missing or not examples or not body or header["name"] != path.stem:
        wanted = ", ".join((*_ONCE, "example"))
        raise ConfigError(f"macro {path.name}: wants header lines {wanted}, the file's own name as name, and a body")
    if header["topic"] not in TOPICS:
        raise ConfigError(f"macro {path.name}: no topic {header['topic']!r} (has: {', '.join(TOPICS)})")
    also = tuple(filter(None, map(str.strip, header.get("also", "").split(","))))
    parameters: dict[str, str | None] = {}
    for part in filter(None, map(str.strip, _SPLIT.split(header["parameters"]))):
        name, given, default = part.partition(":=")
        parameters[name.strip()] = default.strip() if given else None
    return Macro(
        header["name"], header["topic"], parameters, header["purpose"], header["nulls"], also, tuple(examples), body
    )
