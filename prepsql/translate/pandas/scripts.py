"""A script step of a slice of the program: its text, the tables that it takes, the columns that it gives."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_integer_dtype

from prepsql.errors import NotTranslatable
from prepsql.sandbox.outcome import SCRIPT_CHARACTERS
from prepsql.sqltext import free_name
from prepsql.translate.pandas.containers import CarrierSymbol, one_cell
from prepsql.translate.pandas.handover import Handed, Returned, given_files, handed
from prepsql.translate.pandas.names import read, written
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.reading import lines_of
from prepsql.translate.pandas.scripttext import code
from prepsql.translate.pandas.shortened import shortened, squeezed
from prepsql.translate.pandas.slices import (
    Need,
    Slice,
    encoding_in,
    named_files,
)
from prepsql.translate.pandas.things import is_null
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

TOO_LONG = "a script of"
"""How the refusal of a script begins that would be too long."""
# a constant of fewer characters isn't worth a table
_LONG = 60


def script(hooks: Any, found: Slice, name: str, result: Returned, apart: Mapping[str, CarrierSymbol] = {}) -> Rows:
    """Return the rows that a script of a slice gives; constants `apart` are tables that it is given."""
    tables: dict[str, Handed] = {}
    constants = [Need(one, symbol) for one, symbol in apart.items()]
    # the lines that come before each statement
    before: list[list[str]] = []
    given = [Need(key, symbol) for one in found.tables.values() for key, symbol in one.items()]
    for needs in [[*constants, *given, *found.needs[0]], *found.needs[1:]]:
        lines: list[str] = []
        for need in needs:
            port = next((port for port, one in tables.items() if one.symbol is need.symbol), None)
            if port is None or port != need.name:
                port = free_name(need.name, tables)
                tables[port] = handed(need.name, need.symbol)
            lines.append(port)
        before.append(lines)
    top = [one for one in hooks.program.needed(found.free) if not written(one) & apart.keys()]
    files = _files(hooks, found, [*found.statements, *top])
    alone = len(tables) + len(files) == 1
    times = Counter(port for ports in before for port in ports)
    parameter = next(iter([*tables, *files])) if alone else "tables"
    if alone and times[parameter] > 1:
        parameter = "table"

    def taken_as(port: str) -> str:
        return (parameter if alone else f"tables[{port!r}]") + (".copy()" if times[port] > 1 else "")

    loads = [[line for port in ports for line in tables[port].lines(taken_as(port))] for ports in before]
    for one, held in found.tables.items():
        kept = "**tables, " if one == "tables" and not alone else ""
        loads[0] = [*loads[0], f"{one} = {{{kept}{', '.join(f'{key!r}: {key}' for key in held)}}}"]
    prelude = [f"global {', '.join(apart)}"] if apart else []
    prelude += given_files(files, found, alone, encoding_in(found.statements, top))
    prelude += [f"{one} = {plain!r}" for one, plain in found.values.items()]
    text = code(top, found.statements, parameter, prelude, loads, result.expression, result.lines)
    if len(text) > SCRIPT_CHARACTERS:
        taken = {*tables, *found.values, *found.folders, *apart, "pd", "np", "table", "tables"}
        taken |= {need.name for needs in found.needs for need in needs} | _names_in(result.expression, *result.lines)
        short = shortened(top, found.statements, taken)
        text = squeezed(code(*short, parameter, prelude, loads, result.expression, result.lines))
    if len(text) > SCRIPT_CHARACTERS:
        if not apart and (constants_apart := _constants(top)):
            return script(hooks, found, name, result, constants_apart)
        raise NotTranslatable(f"{TOO_LONG} {len(text):,} characters")
    inputs = {port: one.rows for port, one in tables.items()} | files
    rows = Rows("script", {}, inputs, wanted=name.partition("[")[0].strip("_"))
    rows.params = {"language": "python", "code": text, "columns": dict(result.types)}
    return rows


def _constants(top: Sequence[ast.stmt]) -> dict[str, CarrierSymbol]:
    """Return the long constants at the top that only functions read, each as a table of one cell."""
    found = {}
    for one in top:
        if not isinstance(one, ast.Assign) or not isinstance(one.targets[0], ast.Name) or len(one.targets) > 1:
            continue
        name, text = one.targets[0].id, ast.unparse(one.value)
        others = [other for other in top if other is not one and not isinstance(other, ast.FunctionDef)]
        if len(text) > _LONG and _is_written_out(one.value) and not any(name in read(other) for other in others):
            rows = Rows("input", {"data": [{"value": text}]}, {}, wanted=name)
            one_cell(rows)
            found[name] = CarrierSymbol(rows, ())
    return found


def _is_written_out(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


def _names_in(*texts: str) -> set[str]:
    return set().union(*(re.findall(r"[^\W\d]\w*", text) for text in texts))


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


def inline(shown: pd.DataFrame) -> Rows:
    """Return the rows of a table that depends on no input."""
    data: list[dict[str, Any]] = []
    for row in shown.itertuples(index=False):
        data.append({str(name): _plain(cell) for name, cell in zip(shown.columns, row, strict=True)})
    if not data or not len(shown.columns):
        raise NotTranslatable("an empty table that is made of no table")
    rows = Rows("input", {"data": data}, {}, wanted="constants")
    times = [str(name) for name in shown.columns if pd.api.types.is_datetime64_dtype(shown[name].dtype)]
    if not times:
        return rows
    rows.columns = {str(name): Value(column_name(str(name)), "text", True) for name in shown.columns}
    return Rows(
        "project", {"cast": [{"col": name, "type": "TIMESTAMP"} for name in times]}, {"in": rows}, wanted="times"
    )


def _plain(cell: Any) -> Any:
    if is_null(cell):
        return None
    cell = cell.item() if hasattr(cell, "item") else cell
    if isinstance(cell, pd.Timestamp):
        return str(cell)
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
