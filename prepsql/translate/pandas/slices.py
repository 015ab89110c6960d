"""Which statements of a program make a thing, and what they need before."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.names import changes, defines, read, written
from prepsql.translate.pandas.narrowed import narrowed
from prepsql.translate.pandas.rows import FrameSymbol, SeriesSymbol
from prepsql.translate.pandas.things import is_plain


@dataclass
class Activation:
    """A function of the program while it runs: what its names stand for, and the statement that it is at.

    `before` has for each statement, by its number, the symbols of tables and the plain values as they were before it.
    `parent` is the function that called it, `taken` has what scripts made of lists, dicts and numbers by name and
    statement, `given_up` the tables that no script makes.
    """

    name: str
    line: int
    given: dict[str, Any]
    at: int = 0
    before: dict[int, dict[str, Any]] = field(default_factory=dict)
    parent: Activation | None = None
    taken: dict[tuple[str, int], Any] = field(default_factory=dict)
    given_up: dict[str, Any] = field(default_factory=dict)


class Program:
    """The program's own text: its functions by line, and what stands at its top."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.functions = {node.lineno: node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)}
        self.top: dict[str, list[ast.stmt]] = {}
        for statement in self.tree.body:
            for name in written(statement):
                self.top.setdefault(name, []).append(statement)

    @cached_property
    def changes(self) -> Mapping[str, Any]:
        """What each function changes, by its name."""
        return {node.name: changes(node) for node in self.functions.values()}

    def writes(self, line: int, number: int, name: str) -> bool:
        """Return whether a statement of a function binds a name or changes its thing."""
        function = self.functions.get(line)
        return function is None or name in written(function.body[number], self.changes)

    def lines_of(self, start: int) -> range:
        """Return the lines of the innermost statement that begins at a line, that line where none does."""
        begun = [node for node in ast.walk(self.tree) if isinstance(node, ast.stmt) and node.lineno == start]
        return range(start, 1 + max([start, *(node.end_lineno or 0 for node in begun[-1:])]))

    def needed(self, names: Iterable[str]) -> list[ast.stmt]:
        """Return the statements at the top that names need, in their order, without pandas and numpy themselves."""
        found: dict[int, ast.stmt] = {}
        waiting = list(names)
        while waiting:
            for statement in self.top.get(waiting.pop(), ()):
                if statement.lineno not in found and not is_pandas(statement):
                    found[statement.lineno] = statement
                    waiting += read(statement)
        return [found[line] for line in sorted(found)]


def is_pandas(statement: ast.stmt) -> bool:
    """Return whether a statement imports pandas or numpy, which a script is given."""
    return isinstance(statement, ast.Import) and all(name.name in ("pandas", "numpy") for name in statement.names)


NOTHING = object()
"""What a name stands for that isn't bound yet."""
Taking = Callable[[str, Any, int], Any]
"""Returns the symbol under which a script is given a list, dict or number of that name before a statement, or None."""


@dataclass(frozen=True)
class Need:
    """A table that a name stands for from a statement on."""

    name: str
    symbol: Any


@dataclass(frozen=True)
class Slice:
    """Statements of a function that make a thing, and the tables, values and folders that they need before.

    `needs` has for each statement the tables that are taken just before it. A folder is given by its path within the
    folder of inputs. `tables` has by name the dicts of tables that are given, with those that are needed of each.
    """

    statements: Sequence[ast.stmt]
    needs: Sequence[Sequence[Need]]
    values: Mapping[str, Any]
    folders: Mapping[str, str]
    free: frozenset[str]
    tables: Mapping[str, Mapping[str, FrameSymbol]] = field(default_factory=dict)

    @property
    def has_tables(self) -> bool:
        """Whether a table or a file is needed."""
        return bool(self.folders) or bool(self.tables) or any(self.needs)


def cut(
    program: Program, activation: Activation, name: str, number: int, through: bool, folder: Path | None = None,
    instead: Mapping[int, ast.stmt] | None = None, take: Taking | None = None, fresh: bool = False,
    narrow: bool = False,
) -> Slice:  # fmt: skip
    """Return the statements up to `number` that make `name`; `through` goes on behind tables that scripts made.

    `instead` has other statements in the place of some. What `take` has a symbol for is taken as it is. With `fresh`
    tables whose rows have kept old numbers aren't taken. With `narrow` loops and other compound statements lose what
    doesn't matter.
    """
    function = program.functions[activation.line]
    body = [(instead or {}).get(at, statement) for at, statement in enumerate(function.body)]
    wanted, values, folders = {name}, dict[str, Any](), dict[str, str]()
    tables: dict[str, Mapping[str, FrameSymbol]] = {}
    chosen: list[ast.stmt] = []
    needs: list[list[Need]] = []
    for at in range(number, -1, -1):
        statement = body[at]
        if not written(statement, program.changes) & wanted:
            continue
        statement = narrowed(statement, wanted, program.changes) if narrow else statement
        chosen.append(statement)
        wanted = (wanted - defines(statement)) | read(statement)
        before = activation.before.get(at, {})
        taken = []
        for one in sorted(wanted):
            known = before.get(one)
            if isinstance(known, FrameSymbol | SeriesSymbol) and not _passed(known, through, fresh):
                taken.append(Need(one, known))
                wanted.discard(one)
            elif (
                take is not None
                and (one in before or one.endswith("_"))
                and (carrier := take(one, known, at)) is not None
            ):
                taken.append(Need(one, carrier))
                wanted.discard(one)
        needs.append(taken)
    first = activation.before.get(0, {})
    free: set[str] = set()
    for one in sorted(wanted):
        if one not in activation.given:
            free.add(one)
        elif isinstance(first.get(one), FrameSymbol | SeriesSymbol):
            if not needs:
                raise NotTranslatable(f"{one!r} as it was given")
            needs[-1].append(Need(one, first[one]))
        elif isinstance(first.get(one), Path) and folder is not None and first[one].is_relative_to(folder):
            folders[one] = str(first[one].relative_to(folder))
        elif needs and (found := _tables_of(first.get(one), chosen)):
            tables[one] = found
        elif is_plain(first.get(one)) and not _depends(program, activation, one, folder):
            values[one] = first[one]
        else:
            raise NotTranslatable(f"{one!r}, which a script can't be given")
    _closed(program, function, free)
    return Slice(chosen[::-1], needs[::-1], values, folders, frozenset(free), tables)


def _tables_of(given: Any, statements: Sequence[ast.stmt]) -> Mapping[str, FrameSymbol]:
    """Return the tables of a dict that statements name, all where they name none; none where it holds other things."""
    if not isinstance(given, dict) or not all(isinstance(one, FrameSymbol) for one in given.values()):
        return {}
    texts = {node.value for one in statements for node in ast.walk(one) if isinstance(node, ast.Constant)}
    return {name: one for name, one in given.items() if name in texts} or given


def _passed(symbol: FrameSymbol | SeriesSymbol, through: bool, fresh: bool) -> bool:
    """Return whether a slice goes on behind a table."""
    return (through and symbol.rows.kind == "script") or (fresh and not symbol.fresh and not symbol.index)


def _closed(program: Program, function: ast.FunctionDef, free: set[str]) -> None:
    """Raise NotTranslatable for names of a function around this one."""
    known = {"pd", "np", *program.top, *vars(builtins)}
    around = [
        one for one in program.functions.values() if one is not function and any(n is function for n in ast.walk(one))
    ]
    lost = sorted(name for name in free - known if any(name in _names_of(one) for one in around))
    if lost:
        raise NotTranslatable(f"{lost[0]!r} of the function around it")


def _names_of(function: ast.FunctionDef) -> set[str]:
    given = function.args
    return {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)}.union(
        *(written(statement) for statement in function.body)
    )


def _depends(program: Program, activation: Activation, name: str, folder: Path | None) -> bool:
    """Return whether what a function was given under a name may depend on the inputs."""
    parent, function = activation.parent, program.functions[activation.line]
    if parent is None:
        return False
    caller = program.functions.get(parent.line)
    if caller is None:
        return True
    place = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    calls = [
        node
        for node in ast.walk(caller.body[parent.at])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == activation.name
    ]
    for call in calls:
        given = {place[at]: one for at, one in enumerate(call.args) if at < len(place)}
        given |= {one.arg: one.value for one in call.keywords if one.arg}
        if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
            return True
        if name in given and any(_made_of_tables(program, parent, one, folder) for one in read(given[name])):
            return True
    return not calls


def _made_of_tables(program: Program, activation: Activation, name: str, folder: Path | None) -> bool:
    statement = program.functions[activation.line].body[activation.at]
    before = activation.before.get(activation.at, {})
    if isinstance(statement, ast.For) and name in written(ast.Assign([statement.target], statement.iter)):
        return any(_made_of_tables(program, activation, one, folder) for one in read(statement.iter))
    if name in program.top or hasattr(builtins, name):
        return False
    if name not in before:
        return name not in activation.given
    try:
        return (
            cut(program, activation, name, activation.at - 1, False, folder).has_tables
            if activation.at
            else (name in activation.given and _depends(program, activation, name, folder))
        )
    except NotTranslatable:
        return True


def named_files(statements: Iterable[ast.AST]) -> set[str]:
    """Return the names of files that stand in code."""
    texts = (node.value for one in statements for node in ast.walk(one) if isinstance(node, ast.Constant))
    return {text for text in texts if isinstance(text, str) and re.fullmatch(r"[\w .-]+\.\w+", text)}


def encoding_in(*pieces: Iterable[ast.AST]) -> str:
    """Return the encoding in which code reads files."""
    for node in (node for piece in pieces for one in piece for node in ast.walk(one)):
        if isinstance(node, ast.keyword) and node.arg == "encoding" and isinstance(node.value, ast.Constant):
            return str(node.value.value or "utf-8")
    return "utf-8"


def part_of(function: ast.FunctionDef, number: int, key: str) -> ast.stmt | None:
    """Return the statement that gives one part of a returned dict, where the dict is written out."""
    statement = function.body[number]
    if not isinstance(statement, ast.Return) or not isinstance(statement.value, ast.Dict):
        return None
    for name, value in zip(statement.value.keys, statement.value.values, strict=True):
        if isinstance(name, ast.Constant) and name.value == key:
            return ast.copy_location(ast.Return(value), statement)
    return None
