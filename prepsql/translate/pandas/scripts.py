"""What isn't understood becomes a script: the statements of the program that make a table of tables that are."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.sandbox.outcome import SCRIPT_CHARACTERS
from prepsql.translate.pandas.handover import Handed, Returned, given_files, handed, returned
from prepsql.translate.pandas.names import RETURNED
from prepsql.translate.pandas.rules.reading import lines_of
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows, SeriesSymbol, Symbol
from prepsql.translate.pandas.scripttext import code
from prepsql.translate.pandas.slices import Activation, Program, Slice, cut, encoding_in, named_files, part_of
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

__all__ = ["RETURNED", "Activation", "Program", "opaque"]


def opaque(hooks: Any, activation: Activation, name: str, value: Any, number: int, part: str = "") -> Symbol | None:
    """Return the symbol of a table that the statements of a function make, None where no script can.

    `part` is the key of the table where it is in a dict of that name that the function returns.
    """
    function = hooks.program.functions.get(activation.line)
    if function is None:
        return None
    last = part_of(function, number, part) if part else None
    wanted = f"{name}[{part!r}]" if part and last is None else name
    lines = range(function.body[number].lineno, (function.body[number].end_lineno or 0) + 1)
    reason = next((hooks.why[line] for line in sorted(hooks.why, reverse=True) if line in lines), "")
    for through in (True, False):
        try:
            found = cut(hooks.program, activation, name, number, through, hooks.folder, last)
            return _script(hooks, found, wanted, value, reason or "its origin isn't understood", bool(part))
        except NotTranslatable as refused:
            hooks.why.setdefault(lines[0], str(refused))
    return None


def _script(hooks: Any, found: Slice, name: str, value: Any, reason: str, final: bool) -> Symbol:
    result = returned(name, value, final)
    if not found.has_tables:
        if result.lines:
            raise NotTranslatable("a constant table of things that can't be written out")
        return symbol_of(_inline(result.shown), result, value)
    tables: dict[str, Handed] = {}
    # the lines that come before each statement
    before: list[list[str]] = []
    for needs in found.needs:
        lines: list[str] = []
        for need in needs:
            port = next((port for port, one in tables.items() if one.symbol is need.symbol), None)
            if port is None or port != need.name:
                port = need.name if need.name not in tables else _free(need.name, tables)
                tables[port] = handed(need.name, need.symbol, port)
            lines.append(port)
        before.append(lines)
    top = hooks.program.needed(found.free)
    files = _files(hooks, found, [*found.statements, *top])
    alone = len(tables) + len(files) == 1
    loads = [[line for port in ports for line in tables[port].lines(alone)] for ports in before]
    prelude = [f"{one} = {plain!r}" for one, plain in found.values.items()]
    prelude = given_files(files, found, alone, encoding_in(found.statements, top)) + prelude
    parameter = next(iter([*tables, *files])) if alone else "tables"
    text = code(top, found.statements, parameter, prelude, loads, result.expression, result.lines)
    if len(text) > SCRIPT_CHARACTERS:
        raise NotTranslatable(f"a script of {len(text):,} characters")
    inputs = {port: one.rows for port, one in tables.items()} | files
    rows = Rows("script", {}, inputs, wanted=name.partition("[")[0].strip("_"), reason=reason)
    rows.params = {"language": "python", "code": text, "columns": dict(result.types)}
    return symbol_of(rows, result, value)


def _free(name: str, taken: Any) -> str:
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _files(hooks: Any, found: Slice, statements: list[ast.stmt]) -> dict[str, Rows]:
    """Return the lines of the files that the statements may read, by the files' stems."""
    if not found.folders:
        return {}
    there = sorted(path.name for path in hooks.folder.iterdir())
    named = {path for path in found.folders.values() if path in there}
    named |= named_files(statements) & set(there)
    if not named:
        named = set(there)
    files = {}
    for name in sorted(named):
        files[Path(name).stem] = lines_of(name)
    return files


def _inline(shown: pd.DataFrame) -> Rows:
    """Return the rows of a table that depends on no input."""
    data: list[dict[str, Any]] = []
    for row in shown.itertuples(index=False):
        data.append({str(name): _plain(cell) for name, cell in zip(shown.columns, row, strict=True)})
    if not data or not len(shown.columns):
        raise NotTranslatable("an empty table that is made of no table")
    return Rows("input", {"data": data}, {}, wanted="constants")


def _plain(cell: Any) -> Any:
    if cell is None or cell is pd.NaT or cell is pd.NA or (isinstance(cell, float) and cell != cell):
        return None
    cell = cell.item() if hasattr(cell, "item") else cell
    if not isinstance(cell, str | int | float | bool):
        raise NotTranslatable(f"a constant {type(cell).__name__}")
    return cell


def symbol_of(rows: Rows, result: Returned, value: Any) -> Symbol:
    """Return what a table that a script gives stands for; the rows get its columns."""
    columns = {}
    for name, family in result.families.items():
        columns[name] = Value(column_name(name), family)
    rows.columns = columns
    names = list(columns)
    levels = tuple(
        IndexLevel(label, columns[name])
        for label, name in zip(value.index.names, names[: result.levels], strict=False)
    ) if result.levels else ()  # fmt: skip
    index = value.index
    fresh = isinstance(index, pd.RangeIndex) and index.start == 0 and index.step == 1
    if isinstance(value, pd.Series):
        return SeriesSymbol(rows, columns[names[-1]], value.name, levels, fresh)
    return FrameSymbol(rows, dict(zip(value.columns, list(columns.values())[result.levels :], strict=True)), levels, fresh)
