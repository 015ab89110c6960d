"""What isn't understood becomes a script: the statements of the program that make a table of tables that are."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_integer_dtype

from prepsql.errors import NotTranslatable
from prepsql.sandbox.outcome import SCRIPT_CHARACTERS
from prepsql.translate.pandas.containers import CarrierSymbol, names_of, one_cell
from prepsql.translate.pandas.handover import Handed, Returned, given_files, handed, returned
from prepsql.translate.pandas.names import RETURNED
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.reading import lines_of
from prepsql.translate.pandas.scripttext import code
from prepsql.translate.pandas.shortened import shortened, squeezed
from prepsql.translate.pandas.slices import Activation, Program, Slice, Taking, cut, encoding_in, named_files, part_of
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

_TOO_LONG = "a script of"
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
    reason = reason or "its origin isn't understood"
    for through, take in ((True, None), (False, None), (False, _taking(hooks, activation))):
        try:
            found = cut(hooks.program, activation, name, number, through, hooks.folder, last, take)
            found = _numbered(hooks, found, activation, name, number, last)
            return _table(hooks, found, wanted, value, reason, bool(part))
        except NotTranslatable as refused:
            hooks.why.setdefault(lines[0], str(refused))
            if not str(refused).startswith(_TOO_LONG) and not through:
                break
    return None


def _numbered(hooks: Any, found: Slice, activation: Activation, name: str, number: int, last: ast.stmt | None) -> Slice:
    """Return a slice that takes no table whose rows have kept old numbers, where tables may meet by those."""
    taken = [need.symbol for needs in found.needs for need in needs if not isinstance(need.symbol, CarrierSymbol)]
    if len({id(one.rows) for one in taken}) < 2 or all(one.fresh or one.index for one in taken):
        return found
    try:
        whole = cut(hooks.program, activation, name, number, False, hooks.folder, last, None, True)
        _script(hooks, whole, name, Returned(name, pd.DataFrame(), {}, {}, 0))
    except NotTranslatable:
        return found
    return whole


def _taking(hooks: Any, activation: Activation) -> Taking:
    """Return what makes a script of its own of a list, dict or number before a statement, where it can be written."""
    known = activation.taken

    def take(name: str, value: Any, at: int) -> CarrierSymbol | None:
        if (name, at) not in known:
            known[name, at] = made(name, value, at)
        found: CarrierSymbol | None = known[name, at]
        return found

    def made(name: str, value: Any, at: int) -> CarrierSymbol | None:
        names = names_of(value)
        if names is None or at == 0 or name in hooks.program.top:
            return None
        for inner in (None, take):
            try:
                found = cut(hooks.program, activation, name, at - 1, False, hooks.folder, None, inner)
                if not found.statements or not found.has_tables:
                    return None
                return CarrierSymbol(_carrier(hooks, found, name), names)
            except NotTranslatable as refused:
                if not str(refused).startswith(_TOO_LONG):
                    return None
        return None

    return take


def _carrier(hooks: Any, found: Slice, name: str) -> Rows:
    expression = f"pd.DataFrame({{'value': [repr({name})]}})"
    rows = _script(hooks, found, name, Returned(expression, pd.DataFrame(), {"value": "VARCHAR"}, {}, 0))
    one_cell(rows)
    rows.reason = f"{name} is no table"
    return rows


def _table(hooks: Any, found: Slice, name: str, value: Any, reason: str, final: bool) -> Symbol:
    result = returned(name, value, final)
    if not found.has_tables:
        if result.lines:
            raise NotTranslatable("a constant table of things that can't be written out")
        return symbol_of(_inline(result.shown), result, value)
    rows = _script(hooks, found, name, result)
    rows.reason = reason
    return symbol_of(rows, result, value)


def _script(hooks: Any, found: Slice, name: str, result: Returned) -> Rows:
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
        taken = {*tables, *found.free, "pd", "np", "tables"}
        short = shortened(top, taken), shortened(found.statements, taken)
        text = squeezed(code(*short, parameter, prelude, loads, result.expression, result.lines))
    if len(text) > SCRIPT_CHARACTERS:
        raise NotTranslatable(f"{_TOO_LONG} {len(text):,} characters")
    inputs = {port: one.rows for port, one in tables.items()} | files
    rows = Rows("script", {}, inputs, wanted=name.partition("[")[0].strip("_"))
    rows.params = {"language": "python", "code": text, "columns": dict(result.types)}
    return rows


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
    for at, (name, family) in enumerate(result.families.items()):
        kind = result.shown.dtypes.iloc[at]
        never = not pd.api.types.is_extension_array_dtype(kind) and (is_integer_dtype(kind) or is_bool_dtype(kind))
        columns[name] = Value(column_name(name), family, not never)
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
    return FrameSymbol(
        rows, dict(zip(value.columns, list(columns.values())[result.levels :], strict=True)), levels, fresh
    )
