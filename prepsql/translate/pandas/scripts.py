"""What isn't understood becomes a script: the statements of the program that make a table of tables that are."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_integer_dtype

from prepsql.errors import NotTranslatable
from prepsql.sandbox.outcome import SCRIPT_CHARACTERS
from prepsql.sqltext import free_name
from prepsql.translate.pandas.containers import CarrierSymbol, names_of, one_cell
from prepsql.translate.pandas.handover import Handed, Returned, given_files, handed, returned
from prepsql.translate.pandas.names import RETURNED, read, written
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.reading import lines_of
from prepsql.translate.pandas.scripttext import code
from prepsql.translate.pandas.shortened import shortened, squeezed
from prepsql.translate.pandas.slices import (
    Activation,
    Need,
    Program,
    Slice,
    Taking,
    cut,
    encoding_in,
    named_files,
    part_of,
)
from prepsql.translate.pandas.things import is_null
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

_TOO_LONG = "a script of"
# a constant of fewer characters isn't worth a table
_LONG = 60
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
    why = ""
    for narrow, through, take in _ways(_taking(hooks, activation)):
        cut_out = partial(
            cut, hooks.program, activation, name, number, through, hooks.folder, last, take, narrow=narrow
        )
        try:
            found = cut_out()
            if _meet_by_numbers(found):
                with suppress(NotTranslatable):
                    return _table(hooks, cut_out(fresh=True), wanted, value, reason, bool(part))
            return _table(hooks, found, wanted, value, reason, bool(part))
        except NotTranslatable as refused:
            why = str(refused)
            if not why.startswith(_TOO_LONG) and not through:
                break
    hooks.why.setdefault(lines[0], why)
    return None


def _ways(take: Taking) -> Iterator[tuple[bool, bool, Taking | None]]:
    """Yield how to cut a script, from the plainest on: narrowed, through tables of scripts, with lists taken."""
    for narrow in (False, True):
        yield from ((narrow, True, None), (narrow, False, None), (narrow, False, take))


def _meet_by_numbers(found: Slice) -> bool:
    """Return whether tables of a slice whose rows have kept old numbers may meet by those."""
    taken = [need.symbol for needs in found.needs for need in needs if not isinstance(need.symbol, CarrierSymbol)]
    return len({id(one.rows) for one in taken}) > 1 and not all(one.fresh or one.index for one in taken)


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
                found = cut(hooks.program, activation, name, at - 1, False, hooks.folder, None, inner, narrow=True)
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
    if made_up := _made_up(hooks.program, found, result):
        rows.assume(f"values that make the column{'s' if made_up[1:] else ''} {', '.join(made_up)}")
    return symbol_of(rows, result, value)


def _made_up(program: Program, found: Slice, result: Returned) -> list[str]:
    """Return the columns of a script's table that neither the program names nor a table that it takes has."""
    named = {node.value for node in ast.walk(program.tree) if isinstance(node, ast.Constant)}
    symbols = [need.symbol for needs in found.needs for need in needs]
    for one in symbols:
        named |= {*getattr(one, "columns", ()), *(level.name for level in getattr(one, "index", ()))}
    names = {str(label) for label in named} | {"value"}
    return [] if found.folders else [one for one in result.types if one not in names and not one.startswith("index ")]


def _script(hooks: Any, found: Slice, name: str, result: Returned, apart: Mapping[str, CarrierSymbol] = {}) -> Rows:
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
            return _script(hooks, found, name, result, constants_apart)
        raise NotTranslatable(f"{_TOO_LONG} {len(text):,} characters")
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


def _inline(shown: pd.DataFrame) -> Rows:
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
