"""A function of the program that is no CASE becomes a scalar script: one value a row."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.sandbox.outcome import SCRIPT_CHARACTERS
from prepsql.translate.pandas.names import read, stored
from prepsql.translate.pandas.rows import Rows
from prepsql.translate.pandas.scripttext import MODULES, text
from prepsql.translate.pandas.slices import Program
from prepsql.translate.pandas.things import SQL_TYPES, family_of, is_plain
from prepsql.workflow.pandas_text.value import Value


class Source:
    """The text of a function with what it needs: helpers, constants and imports, each once."""

    def __init__(self, program: Program, symbol: Callable[[object], object] = lambda thing: None) -> None:
        self.program = program
        self.symbol = symbol
        self.lines: list[str] = []
        self._known: set[str] = set()

    def function(self, function: Callable[..., Any]) -> str:
        """Return an expression for the function; what it needs is put before."""
        if isinstance(function, functools.partial):
            given = [
                *map(_written, function.args),
                *(f"{key}={_written(one)}" for key, one in function.keywords.items()),
            ]
            self._import("functools", "import functools")
            return f"functools.partial({', '.join([self.function(function.func), *given])})"
        node = self._node(function)
        self._needs(node, function)
        if isinstance(node, ast.Lambda):
            return f"({ast.unparse(node)})"
        if node.name not in self._known:
            self._known.add(node.name)
            self.lines.append(text(node))
        return node.name

    def _node(self, function: Any) -> ast.FunctionDef | ast.Lambda:
        code = function.__code__
        found = [
            node for node in ast.walk(self.program.tree)
            if isinstance(node, ast.FunctionDef | ast.Lambda) and _is_of(node, code)
        ]  # fmt: skip
        if not found:
            raise NotTranslatable("a function whose text isn't found")
        return min(found, key=_size)

    def _needs(self, node: ast.FunctionDef | ast.Lambda, function: Any) -> None:
        closed = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        for name in sorted(read(node)):
            if name in closed:
                self._closed(name, closed[name].cell_contents)
            elif name in MODULES:
                self._import(name, MODULES[name])
            elif name not in self._known and name in self.program.top:
                self._top(name)

    def _closed(self, name: str, value: Any) -> None:
        if name in self._known:
            return
        if getattr(value, "__code__", None) is not None:
            given = self.function(value)
            if given != name:
                self.lines.append(f"{name} = {given}")
                self._known.add(name)
            return
        if self.symbol(value) is not None:
            raise NotTranslatable("a function that needs what was made of a table")
        if isinstance(value, re.Pattern):
            self._import("re", "import re")
            flags = value.flags & ~re.UNICODE
            made = f"re.compile({value.pattern!r}{f', {int(flags)}' if flags else ''})"
        elif type(value).__name__ == "module":
            made = ""
            self._import(name, f"import {value.__name__}" + (f" as {name}" if name != value.__name__ else ""))
        else:
            made = _written(value)
        if made:
            self._known.add(name)
            self.lines.append(f"{name} = {made}")

    def _top(self, name: str) -> None:
        for statement in self.program.needed([name]):
            names = stored(statement)
            if names & self._known:
                continue
            for one in sorted(read(statement) & set(MODULES)):
                self._import(one, MODULES[one])
            self._known |= names
            self.lines.append(text(statement))

    def _import(self, name: str, text: str) -> None:
        if name not in self._known:
            self._known.add(name)
            self.lines.insert(0, text)


def _is_of(node: ast.FunctionDef | ast.Lambda, code: Any) -> bool:
    if isinstance(node, ast.FunctionDef):
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        return bool(node.name == code.co_name and first == code.co_firstlineno)
    names = tuple(one.arg for one in (*node.args.posonlyargs, *node.args.args))
    if code.co_name != "<lambda>" or names != code.co_varnames[: code.co_argcount]:
        return False
    start, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    places = [place for place in code.co_positions() if place[0] and place[3]]
    return all(start <= (at[0] or 0, at[2] or 0) and (at[1] or 0, at[3] or 0) <= end for at in places)


def _size(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


def _written(value: Any) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    if not is_plain(value):
        raise NotTranslatable(f"a function that needs a {type(value).__name__}")
    return repr(value)


def _taken(column: str, value: Value, source: Source) -> str:
    """Return the expression of a cell as the function gets it from pandas."""
    text = f"row[{column!r}]"
    if value.family == "timestamp":
        source._import("pd", MODULES["pd"])
        return f"pd.to_datetime({text})" if not value.nullable else f"pd.Timestamp({text}) if {text} else pd.NaT"
    if value.family not in SQL_TYPES:
        raise NotTranslatable(f"a script that is given {value.family}")
    if not value.nullable or value.none:
        return text
    return f"float('nan') if {text} is None else {text}"


def _script(rows: Rows, source: Source, call: str, result: pd.Series[Any], wanted: str, reason: str) -> Value:
    family = family_of(result)
    if family not in SQL_TYPES or (family == "text" and not len(result)):
        raise NotTranslatable(f"a scalar script that gives {family}")
    code = "\n".join([*source.lines, "def transform(row):", f" return {call}"])
    if len(code) > SCRIPT_CHARACTERS:
        raise NotTranslatable(f"a scalar script of {len(code):,} characters")
    nulls = result.isna()
    none = bool(nulls.any()) and any(one is None for one in result[nulls])
    return rows.scripted_column(wanted, code, SQL_TYPES[family], Value("", family, True, none=none), reason)


def of_cells(
    hooks: Any, rows: Rows, value: Value, function: Any, args: Sequence[Any], named: Mapping[str, Any],
    result: pd.Series[Any], wanted: str, reason: str, part: str = "",
) -> Value:  # fmt: skip
    """Return what a function gives for each cell of a column, as a scalar script."""
    source = Source(hooks.program, hooks.symbol)
    given = [_taken(rows.name("value", value), value, source)]
    given += [*map(_written, args), *(f"{key}={_written(one)}" for key, one in named.items())]
    return _script(rows, source, f"{source.function(function)}({', '.join(given)}){part}", result, wanted, reason)


def of_rows(
    hooks: Any, rows: Rows, columns: Mapping[Any, Value], function: Any, args: Sequence[Any], named: Mapping[str, Any],
    result: pd.Series[Any], wanted: str, reason: str, part: str = "",
) -> Value:  # fmt: skip
    """Return what a function gives for each row of a frame, as a scalar script: it is given the labels it speaks of."""
    source = Source(hooks.program, hooks.symbol)
    name = source.function(function)
    tree = ast.parse("\n".join([*source.lines, name]))
    spoken = {one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    dotted = {one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute)} & {*map(str, columns)}
    labels = [label for label in columns if label in spoken or label in dotted or not isinstance(label, str)]
    if any(
        isinstance(one, ast.Subscript) and not isinstance(one.slice, ast.Constant | ast.Slice) for one in ast.walk(tree)
    ):
        labels = list(columns)
    if not labels:
        raise NotTranslatable("a function of rows that names no column")
    pairs = [f"{label!r}: {_taken(rows.name(label, columns[label]), columns[label], source)}" for label in labels]
    record = f"{{{', '.join(pairs)}}}"
    if dotted:
        source._import("pd", MODULES["pd"])
        record = f"pd.Series({record}, dtype=object)"
    given = [record, *map(_written, args), *(f"{key}={_written(one)}" for key, one in named.items())]
    return _script(rows, source, f"{name}({', '.join(given)}){part}", result, wanted, reason)


def of_text(
    rows: Rows, value: Value, line: str, source: Source | None, result: pd.Series[Any], wanted: str, why: str
) -> Value:
    """Return what lines that end in a return give for each text `v`, null for null, as a scalar script."""
    family = family_of(result)
    if family not in SQL_TYPES:
        raise NotTranslatable(f"a scalar script that gives {family}")
    family = "integer" if family == "float" and "return len(" in line else family
    name = rows.name("value", value)
    guard = "\n if v is None:\n  return None" if value.nullable else ""
    lines = source.lines if source else []
    head = [] if any(one == "import re" for one in lines) else ["import re"]
    code = "\n".join([*head, *lines, "def transform(row):", f" v = row[{name!r}]{guard}", f" {line}"])
    if len(code) > SCRIPT_CHARACTERS:
        raise NotTranslatable(f"a scalar script of {len(code):,} characters")
    return rows.scripted_column(wanted, code, SQL_TYPES[family], Value("", family, True), why)
