"""The lines of text files that a program opens: rows of a text each."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.translate.pandas.rules.loops import LoopSymbol
from prepsql.translate.pandas.rules.reading import lines_of
from prepsql.workflow.pandas_text.value import made

_LINES = {"splitlines", "split", "readlines"}


def opened(hooks: Any, result: Any, file: Any, mode: str = "r", **named: Any) -> None:
    """Open a file: remember which."""
    path = _input(hooks, file)
    if path is not None and isinstance(result, io.TextIOWrapper) and mode in ("r", "rt"):
        hooks.texts[id(result)] = (result, path)


def _input(hooks: Any, file: Any) -> Path | None:
    if not isinstance(file, str | Path) or hooks.folder is None or not Path(file).is_relative_to(hooks.folder):
        return None
    return Path(file)


def method(hooks: Any, base: Any, name: str, given: Sequence[Any], named: Mapping[str, Any], result: Any) -> Any:
    """Read a file, or take its text as lines."""
    if isinstance(base, Path):
        if name == "open":
            opened(hooks, result, base, *given, **named)
        elif name == "read_text" and (path := _input(hooks, base)) is not None:
            hooks.texts[id(result)] = (result, path)
        return None
    _, path = hooks.texts[id(base)]
    if name in ("read", "strip", "rstrip") and not given and not named:
        hooks.texts[id(result)] = (result, path)
    if name not in _LINES or named or (name == "split" and list(given) != ["\n"]) or (name != "split" and given):
        return None
    return _lines(path, result, name == "readlines")


def loop_over(hooks: Any, file: Any) -> LoopSymbol | None:
    """Return the lines that a loop over an open file goes over, None for another thing."""
    known = hooks.texts.get(id(file))
    if known is None or not isinstance(file, io.TextIOWrapper) or file.closed:
        return None
    try:
        if file.tell():
            return None
    except OSError:  # a line of it was taken
        return None
    with known[1].open(encoding=file.encoding) as again:
        return _lines(known[1], list(again), True)


def _lines(path: Path, found: list[str], ended: bool) -> LoopSymbol:
    """Return the lines of a file, with the ends that they have where they are asked for."""
    try:
        text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    except UnicodeError:
        raise NotTranslatable("lines of a file that isn't in UTF-8") from None
    own = re.split("\r\n|\n|\r", text)
    own = own if own[-1] else own[:-1]
    if [f"{line}\n" for line in own] != found if ended else own != found:
        raise NotTranslatable("lines of a file that an input step reads otherwise")
    rows = lines_of(path.name)
    line = rows.columns["raw"]
    if ended:
        rows.assume("an end of its last line")
        line = made("x || chr(10)", "text", line, nullable=False, x=line.sql)
    return LoopSymbol(FrameSymbol(rows, {"line": line}, (), True), lambda: cells.Cell(line), len(found))
