"""Replace calls of the library's macros by what they stand for, so that other databases can run the expression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import sqlglot
from sqlglot import exp

from prepsql.errors import MacroError
from prepsql.macros.library import Macro, library

# what needs no parentheses wherever it stands, and what gives its parts a place of their own
_WHOLE = (exp.Column, exp.Identifier, exp.Literal, exp.Null, exp.Boolean, exp.Paren, exp.Anonymous, exp.Cast, exp.Array,
          exp.Coalesce, exp.Nullif, exp.Lower, exp.Upper, exp.RegexpReplace)  # fmt: skip
_APART = (exp.Paren, exp.Anonymous, exp.Cast, exp.Array, exp.Coalesce, exp.Nullif, exp.Lower, exp.Upper,
          exp.RegexpReplace, exp.AggFunc, exp.If, exp.Alias, exp.Select, exp.Ordered)  # fmt: skip


def expand(tree: exp.Expr, macros: Mapping[str, Macro] | None = None) -> exp.Expr:
    """Return a copy of `tree`, parsed as DuckDB's SQL, in which no call of a macro is left.

    `macros` are the shipped library by default. Nulls and types are those of the macros. Raises MacroError where a
    call doesn't fit the macro's parameters, or a macro calls itself.
    """
    return _expanded(tree.copy(), _shipped() if macros is None else _Bodies(macros))


class _Bodies:
    """The trees of the macros' bodies, themselves expanded; each is made once."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self.macros = macros
        self._made: dict[str, exp.Expr] = {}
        self._making: list[str] = []

    def __getitem__(self, name: str) -> exp.Expr:
        if name in self._making:
            raise MacroError(f"macro {name} calls itself: {' → '.join([*self._making, name])}")
        if name not in self._made:
            self._making.append(name)
            try:
                self._made[name] = _expanded(sqlglot.parse_one(self.macros[name].body, dialect="duckdb"), self)
            finally:
                self._making.pop()
        return self._made[name]


@cache
def _shipped() -> _Bodies:
    return _Bodies(library())


def _expanded(tree: exp.Expr, bodies: _Bodies) -> exp.Expr:
    """Expand the calls in `tree` in place, the innermost first; return its root, which may be another one."""
    holder = exp.Paren(this=tree)
    for node in reversed(list(tree.walk(bfs=False))):
        chained = isinstance(node, exp.Dot)
        call = node.expression if chained else node
        if not isinstance(call, exp.Anonymous) or call.name.lower() not in bodies.macros:
            continue
        if not chained and isinstance(call.parent, exp.Dot) and call.arg_key == "expression":
            continue  # its turn comes with the dot: s.title_case() is title_case(s)
        macro = bodies.macros[call.name.lower()]
        given = [_value(node.this), *call.expressions] if chained else call.expressions
        body = _bound(bodies[macro.name], _arguments(macro, given))
        node.replace(_placed(body, node.parent))
    root: exp.Expr = holder.this
    return root.pop()


def _arguments(macro: Macro, given: Sequence[exp.Expr]) -> dict[str, exp.Expr]:
    """Return what each parameter stands for; named arguments are `p := x` or `p => x`."""
    bound: dict[str, exp.Expr] = {}
    names = {name.lower(): name for name in macro.parameters}
    for place, argument in enumerate(given):
        if isinstance(argument, exp.PropertyEQ | exp.Kwarg):
            name = argument.this.name.lower()
            value = argument.expression
        else:
            name = list(names)[place] if place < len(names) else ""
            value = argument
        if name not in names:
            what = f"no parameter {argument.this.name}" if value is not argument else f"{len(given)} arguments"
            raise MacroError(f"{macro.name}: {what}; it is {macro.signature}")
        if name in bound:
            raise MacroError(f"{macro.name}: {names[name]} is given twice; it is {macro.signature}")
        bound[name] = value
    for name, default in macro.parameters.items():
        if name.lower() not in bound:
            if default is None:
                raise MacroError(f"{macro.name}: {name} is missing; it is {macro.signature}")
            bound[name.lower()] = sqlglot.parse_one(default, dialect="duckdb")
    return bound


def _bound(body: exp.Expr, arguments: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return a copy of `body` with arguments for its parameters."""
    holder = exp.Paren(this=body.copy())
    _rename_variables(holder, {node.name.lower() for value in arguments.values() for node in _names(value)})
    for column in list(holder.find_all(exp.Column)):
        if not column.table and column.name.lower() in arguments:
            column.replace(_placed(arguments[column.name.lower()].copy(), column.parent))
    root: exp.Expr = holder.this
    return root.pop()


def _rename_variables(body: exp.Expr, taken: set[str]) -> None:
    """Give the variables of lambdas in `body` other names where those are `taken` by what will stand inside."""
    own = {node.name.lower() for node in _names(body)}
    for function in body.find_all(exp.Lambda):
        for variable in function.expressions:
            old = variable.name
            if old.lower() in taken:
                new = next(name for n in range(2, 10_000) if (name := f"{old}{n}").lower() not in taken | own)
                for node in list(_names(function)):
                    if node.name.lower() == old.lower():
                        node.set("this", new)
                own.add(new.lower())


def _names(tree: exp.Expr) -> list[exp.Identifier]:
    return list(tree.find_all(exp.Identifier))


def _value(node: exp.Expr) -> exp.Expr:
    return exp.column(node.copy()) if isinstance(node, exp.Identifier) else node


def _placed(node: exp.Expr, parent: exp.Expr | None) -> exp.Expr:
    """Return `node`, in parentheses where it could come apart under `parent`."""
    return node if parent is None or isinstance(node, _WHOLE) or isinstance(parent, _APART) else exp.Paren(this=node)
