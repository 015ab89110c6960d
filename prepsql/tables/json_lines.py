"""JSON lines, or one JSON array of objects -> a table of text."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from prepsql.errors import InputError, ReadError
from prepsql.tables.encoding import Encoding, encoding_entry, sniff_encoding
from prepsql.tables.ledger import KEPT, Entry, Ledger, on_lines, ordered, plural
from prepsql.tables.lines import LineMap, Tally
from prepsql.tables.load import load_records
from prepsql.tables.loaded import Loaded
from prepsql.tables.names import unique_names

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _Number(str):
    """A number as it stands in the file."""

    __slots__ = ()


class _Repeated(dict[str, Any]):
    """An object that names a key twice, or has such an object inside."""


def read_json(con: duckdb.DuckDBPyConnection, path: Path, name: str) -> Loaded:
    """Load a file of one object a line, or of one array of objects, into the new table `name`.

    A column a key, in order of first appearance. Numbers are written as in the file, truth values as true and false,
    nested values as JSON; null and a missing key are NULL. Lines are streamed, an array is read whole. Raises
    InputError for a file without an object, ReadError for text that isn't such JSON.
    """
    encoding = sniff_encoding(path)
    keys: dict[str, None] = {}
    held: list[int] = []
    lines, repeated = LineMap(), Tally(KEPT)
    for row, (line, record) in enumerate(_objects(path, encoding)):
        keys.update(dict.fromkeys(record))
        lines.add(row, line)
        held.append(len(record))
        if isinstance(record, _Repeated):
            repeated.add(line)
    if not keys:
        raise InputError(f"{path}: no object with a key in it; it needs one object a line, or an array of objects")
    columns, renamed = unique_names(list(keys))
    entries = [encoding_entry(encoding), *renamed]
    short = [row for row, n in enumerate(held) if n < len(keys)]
    if short:
        first = [lines.line(row) for row in short[:KEPT]]
        message = (
            f"{plural(len(short), 'object')} without some of {plural(len(keys), 'key')} ({on_lines(first, len(short))})"
        )
        entries.append(Entry("missing keys", message, tuple(first), count=len(short)))
    if repeated.count:
        message = f"{plural(repeated.count, 'object')} with a key twice ({on_lines(repeated.lines, repeated.count)})"
        entries.append(Entry("repeated keys", message, tuple(repeated.lines), count=repeated.count))
    cells = ([_text(record.get(key)) for key in keys] for _, record in _objects(path, encoding))
    rows = load_records(con, name, columns, cells)
    return Loaded(tuple(columns), rows, Ledger(str(path), "json", encoding.name, entries=ordered(entries)), lines)


def _objects(path: Path, encoding: Encoding) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each object with its line; in an array, with its number from 1."""
    for line, value in _values(path, encoding):
        if not isinstance(value, dict):
            raise ReadError(f"{path}: record {line} is no object; it needs one object a line, or an array of objects")
        yield line, value


def _values(path: Path, encoding: Encoding) -> Iterator[tuple[int, Any]]:
    # newline="\n": other line ends may stand raw in a JSON text, this one may not
    with path.open("rb") as raw:
        raw.seek(encoding.bom)
        text = io.TextIOWrapper(raw, encoding.name, newline="\n")
        start = ""
        for i, line in enumerate(text, start=1):
            if not start and (start := line.strip()[:1]) == "[":
                yield from enumerate(_parse(path, i, line + text.read()), start=1)
            elif line.strip():
                yield i, _parse(path, i, line.rstrip())


def _parse(path: Path, line: int, text: str) -> Any:
    try:
        value = json.loads(
            text, parse_float=_Number, parse_int=_Number, parse_constant=_Number, object_pairs_hook=_object
        )
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError as bad:
        raise ReadError(
            f"{path}: line {line} has half a character ({bad.object[bad.start]!r}), which is no text; write both halves"
        ) from bad
    except (json.JSONDecodeError, RecursionError) as bad:
        at = line + bad.lineno - 1 if isinstance(bad, json.JSONDecodeError) else line
        raise ReadError(
            f"{path}: line {at} is not JSON ({bad}); it needs one object a line, or an array of objects"
        ) from bad


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    repeated = len(found) < len(pairs) or any(map(_repeats, found.values()))
    return _Repeated(found) if repeated else found


def _repeats(value: Any) -> bool:
    return isinstance(value, _Repeated) or (isinstance(value, list) and any(map(_repeats, value)))


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    """Return a value as JSON, its numbers as in the file."""
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k, ensure_ascii=False)}: {_json(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_json, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
