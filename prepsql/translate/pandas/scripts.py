"""What isn't understood becomes a script: the statements of the program that make a table of tables that are."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.sandbox.outcome import SCRIPT_CHARACTERS
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows, SeriesSymbol, Symbol, of_columns, settled
from prepsql.translate.pandas.things import family_of
from prepsql.workflow.pandas_text.value import Family, Value
from prepsql.workflow.reserved import column_name

RETURNED = "returned_"
"""The name under which the instrumented program keeps what a function returns."""
_TYPES: Mapping[Family, str] = {
    "integer": "BIGINT", "float": "DOUBLE", "boolean": "BOOLEAN", "timestamp": "TIMESTAMP", "text": "VARCHAR",
    "date": "DATE",
}  # fmt: skip
_PLAIN = (str, int, float, bool, type(None))
# methods that change what they are called on
_CHANGING = {"append", "extend", "insert", "update", "add", "pop", "remove", "setdefault", "clear", "sort", "drop",
             "rename", "sort_values", "reset_index", "set_index", "fillna", "replace", "drop_duplicates", "dropna",
             "sort_index", "discard", "appendleft", "popleft", "reverse"}  # fmt: skip


@dataclass
class Activation:
    """A function of the program while it runs: what its names stand for, and the statement that it is at.

    `before` has for each statement, by its number, the symbols of tables and the plain values as they were before it.
    """

    name: str
    line: int
    given: dict[str, Any]
    at: int = 0
    before: dict[int, dict[str, Any]] = field(default_factory=dict)


class Program:
    """The program's own text: its functions by line, and what stands at its top."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.functions = {node.lineno: node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)}
        self.top: dict[str, ast.stmt] = {}
        for statement in self.tree.body:
            for name in written(statement):
                self.top[name] = statement
        self.imports = [node for node in self.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]

    def needed(self, names: Iterable[str]) -> list[ast.stmt]:
        """Return the statements at the top that names need, in their order, without pandas and numpy themselves."""
        found: dict[int, ast.stmt] = {}
        waiting = list(names)
        while waiting:
            statement = self.top.get(waiting.pop())
            if statement is None or statement.lineno in found or _is_pandas(statement):
                continue
            found[statement.lineno] = statement
            waiting += read(statement)
        return [found[line] for line in sorted(found)]


def _is_pandas(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import) and all(name.name in ("pandas", "numpy") for name in statement.names)


def read(node: ast.AST) -> set[str]:
    """Return the names that a piece of code reads."""
    return {
        one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not hasattr(builtins, one.id)
    }  # fmt: skip


def written(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds or whose things it changes."""
    names: set[str] = set()
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(one.asname or one.name).partition(".")[0] for one in statement.names}
    if isinstance(statement, ast.Return):
        return {RETURNED}
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            names.add(node.id)
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            names |= _root(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
            names |= _root(node.func)
    return names


def _root(node: ast.expr) -> set[str]:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _defines(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds whatever they were before."""
    if isinstance(statement, ast.Return):
        return {RETURNED}
    if isinstance(statement, ast.FunctionDef):
        return {statement.name}
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return set()
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    bound = {node.id for target in targets for node in ast.walk(target)
             if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
    return bound - read(statement.value) if statement.value else bound


@dataclass(frozen=True)
class Slice:
    """Statements of a function that make a thing, and the things that they need before."""

    statements: Sequence[ast.stmt]
    tables: Mapping[str, Symbol]
    values: Mapping[str, Any]
    free: frozenset[str]


def cut(body: Sequence[ast.stmt], activation: Activation, name: str, number: int, through: bool) -> Slice:
    """Return the statements up to `number` that make `name`; `through` goes on behind tables that scripts made."""
    wanted, tables, values = {name}, dict[str, Symbol](), dict[str, Any]()
    chosen: list[ast.stmt] = []
    free: set[str] = set()
    for at in range(number, -1, -1):
        statement = body[at]
        if not written(statement) & wanted:
            continue
        chosen.append(statement)
        wanted = (wanted - _defines(statement)) | read(statement)
        before = activation.before.get(at, {})
        for one in list(wanted):
            known = before.get(one)
            if isinstance(known, FrameSymbol | SeriesSymbol) and not (through and known.rows.kind == "script"):
                if one in tables and tables[one] is not known:
                    raise NotTranslatable(f"two states of {one!r} in one script")
                tables[one] = known
                wanted.discard(one)
    first = activation.before.get(0, {})
    for one in wanted:
        if one in first and isinstance(first[one], FrameSymbol | SeriesSymbol):
            tables[one] = first[one]
        elif one in first and _is_plain(first[one]):
            values[one] = first[one]
        elif one in activation.given:
            raise NotTranslatable(f"{one!r}, which a script can't be given")
        else:
            free.add(one)
    return Slice(chosen[::-1], tables, values, frozenset(free))


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple | set):
        return all(_is_plain(one) for one in value)
    if isinstance(value, dict):
        return all(_is_plain(one) for pair in value.items() for one in pair)
    return isinstance(value, _PLAIN)


def opaque(hooks: Any, activation: Activation, name: str, value: Any, number: int, part: str = "") -> Symbol | None:
    """Return the symbol of a table that the statements of a function make, None where no script can.

    `part` is what follows the name where the table is in a dict or list of that name.
    """
    function = hooks.program.functions.get(activation.line)
    if function is None or isinstance(getattr(value, "columns", None), pd.MultiIndex):
        return None
    reason = next((hooks.why[line] for line in sorted(hooks.why, reverse=True)
                   if function.body[number].lineno <= line <= (function.body[number].end_lineno or 0)), "")  # fmt: skip
    for through in (True, False):
        try:
            found = cut(function.body, activation, name, number, through)
            return _script(hooks, found, f"{name}{part}", value, reason or "its origin isn't understood")
        except NotTranslatable as refused:
            hooks.why.setdefault(function.body[number].lineno, str(refused))
    return None


def _script(hooks: Any, found: Slice, name: str, value: Any, reason: str) -> Symbol:
    inputs, prelude = {}, []
    for one, symbol in found.tables.items():
        rows, lines = _given(one, symbol, len(found.tables) == 1)
        inputs[one] = rows
        prelude += lines
    if not inputs:
        raise NotTranslatable("a table that is made of no table")
    prelude += [f"{one} = {value!r}" for one, value in found.values.items()]
    is_series = isinstance(value, pd.Series)
    keeps = _has_index(value)
    code = _code(hooks.program, found, prelude, _returned(name, is_series, keeps))
    if len(code) > SCRIPT_CHARACTERS:
        raise NotTranslatable(f"a script of {len(code):,} characters")
    shown = value.to_frame("value") if is_series else value
    shown = shown.reset_index() if keeps else shown
    return _symbol(Rows("script", {}, inputs, wanted=name.strip("_"), reason=reason), code, shown, value, keeps)


def _symbol(rows: Rows, code: str, shown: pd.DataFrame, value: Any, keeps: bool) -> Symbol:
    names = [str(label) for label in shown.columns]
    if len({name.lower() for name in names}) < len(names) or any(not name for name in names):
        raise NotTranslatable("a table with two columns of one name")
    columns, types = {}, {}
    for at, name in enumerate(names):
        family = family_of(shown.iloc[:, at])
        if family not in _TYPES:
            raise NotTranslatable(f"a column of {family}")
        types[name] = _TYPES[family]
        columns[name] = Value(column_name(name), family)
    rows.columns = columns
    rows.params = {"language": "python", "code": code, "columns": types}
    count = value.index.nlevels if keeps else 0
    levels = tuple(IndexLevel(label, columns[name])
                   for label, name in zip(value.index.names, names[:count], strict=False)) if keeps else ()  # fmt: skip
    fresh = isinstance(value.index, pd.RangeIndex) and value.index.start == 0
    if isinstance(value, pd.Series):
        return SeriesSymbol(rows, columns[names[-1]], value.name, levels, fresh)
    labels = list(value.columns)
    return FrameSymbol(rows, dict(zip(labels, list(columns.values())[count:], strict=True)), levels, fresh)


def _has_index(value: Any) -> bool:
    index = value.index
    return index.nlevels > 1 or index.names[0] is not None or not pd.api.types.is_integer_dtype(index.dtype)


def _returned(name: str, is_series: bool, keeps: bool) -> str:
    return name + (".to_frame('value')" if is_series else "") + (".reset_index()" if keeps else "")


def _given(name: str, symbol: Symbol, alone: bool) -> tuple[Rows, list[str]]:
    """Return the rows that a script is given for a table, and the lines that make the table of them."""
    frame = FrameSymbol(symbol.rows, {"value": symbol.value}, symbol.index, symbol.fresh) if isinstance(
        symbol, SeriesSymbol) else symbol  # fmt: skip
    assert isinstance(frame, FrameSymbol)
    if not frame.fresh and not frame.index:
        pass  # the rows' old numbers go; the proof says whether they mattered
    frame = settled(frame)
    levels = {f"index {at}" if level.name is None else level.name: level for at, level in enumerate(frame.index)}
    labels = {**{label: level.value for label, level in levels.items()}, **frame.columns}
    if any(not isinstance(label, str) for label in labels):
        raise NotTranslatable("a table whose labels aren't text as the input of a script")
    have = {label: frame.rows.name(label, value) for label, value in labels.items()}
    if len(set(have.values())) < len(have):
        raise NotTranslatable("a column under two labels")
    rows = frame.rows
    if list(have) != list(have.values()) or list(have.values()) != list(rows.columns):
        renamed = {old: new for new, old in have.items() if old != new}
        params: dict[str, Any] = {"select": list(have.values())} | ({"rename": renamed} if renamed else {})
        columns = of_columns({new: frame.rows.columns[old] for new, old in have.items()})
        rows = Rows("project", params, {"in": frame.rows}, columns, wanted=f"{name}_given")
    lines = [] if alone else [f"{name} = tables[{name!r}]"]
    if levels:
        lines.append(f"{name} = {name}.set_index({list(levels)!r})")
    if isinstance(symbol, SeriesSymbol):
        lines.append(f"{name} = {name}['value'].rename({symbol.name!r})")
    return rows, lines


def _code(program: Program, found: Slice, prelude: Sequence[str], result: str) -> str:
    parameter = next(iter(found.tables)) if len(found.tables) == 1 else "tables"
    body = [*prelude]
    for statement in found.statements:
        if isinstance(statement, ast.Return) and statement.value is not None:
            body.append(f"{RETURNED} = {ast.unparse(statement.value)}")
        else:
            body.append(ast.unparse(_plain(statement)))
    body.append(f"return {result}")
    top = [ast.unparse(_plain(statement)) for statement in program.needed(found.free)]
    lines = "\n".join(body).split("\n")
    return "\n".join([*top, f"def transform({parameter}, pd, np):", *(f" {line}" for line in lines)]).replace(
        "    ", " "
    )


def _plain(statement: ast.stmt) -> ast.stmt:
    """Return a function without its docstring and annotations, anything else as it is."""
    if not isinstance(statement, ast.FunctionDef):
        return statement
    body = statement.body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        body = body[1:] or [ast.Pass()]
    arguments = ast.parse(ast.unparse(statement.args).join(["def f(", "): pass"])).body[0]
    assert isinstance(arguments, ast.FunctionDef)
    for argument in (*arguments.args.posonlyargs, *arguments.args.args, *arguments.args.kwonlyargs):
        argument.annotation = None
    made = ast.FunctionDef(statement.name, arguments.args, body, statement.decorator_list, None)
    return ast.fix_missing_locations(ast.copy_location(made, statement))
