"""A step's shape as SQL text: Ibis' compiler of the target writes the SELECT, then it is tidied for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import Any

import sqlglot.expressions as sge
from ibis.backends.sql.compilers.base import SQLGlotCompiler

from prepsql.sqltext import quote
from prepsql.workflow import shape
from prepsql.workflow.dialects import dialect_of
from prepsql.workflow.dialects.placing import mark, place
from prepsql.workflow.quoted import hold, hold_all, release
from prepsql.workflow.relation import Relation
from prepsql.workflow.reserved import is_plain

_BLOCK = "block"
_target: ContextVar[str] = ContextVar("target")


def render(step: Any, dialect: str = "duckdb", relations: Mapping[str, Relation] | None = None) -> str:
    """Return the SELECT of a step's shape in a dialect.

    For DuckDB the author's expressions stand as they were written. For others they are translated
    (`prepsql/workflow/dialects/placing.py`), which raises NotPortable for what can't be said; `relations` then are the
    step's inputs by their names.
    """
    return _for_duckdb(step) if dialect == "duckdb" else _written(step, dialect, relations or {})


@lru_cache(maxsize=4_000)
def _for_duckdb(step: Any) -> str:
    """Return a SELECT for DuckDB, remembered: a workflow is checked again after each small change, and then run."""
    return _written(step, "duckdb", {})


def _written(step: Any, dialect: str, relations: Mapping[str, Relation]) -> str:
    target = dialect_of(dialect)
    token = _target.set(dialect)
    try:
        tree = _compiler(target.compiler).to_sqlglot(step.to_expr()).copy()
    finally:
        _target.reset(token)
    _inline(tree)
    if dialect == "duckdb":
        tree = _tidy(tree)
        _unquote(tree)
    else:
        place(tree, target, relations)
        tree = _tidy(tree)
        _take_order(tree)
    for name in tree.find_all(sge.Identifier):
        name.set("this", hold_all(name.this))
    text: str = tree.sql(dialect=target.sqlglot, pretty=True)
    return release(text.strip())


def identifier(name: str, dialect: str = "duckdb") -> str:
    """Return a name as the dialect's SQL has it; for DuckDB without quotes where it needs none."""
    if dialect == "duckdb":
        return name if is_plain(name) else quote(name)
    return sge.to_identifier(name, quoted=True).sql(dialect=dialect_of(dialect).sqlglot)


@cache
def _compiler(name: str) -> SQLGlotCompiler:
    import ibis.backends.sql.compilers as compilers

    compiler: SQLGlotCompiler = getattr(compilers, name)()
    return compiler


def _fill_in(node: Any) -> Any:
    """Return the tree of one of our nodes; Ibis' compilers call this."""
    if isinstance(node, shape.SqlColumns):
        return _columns(node)
    if _target.get() == "duckdb":
        return sge.Var(this=hold(f"{node.text}\n" if "--" in node.text else node.text))
    return mark(node.text, condition=isinstance(node, shape.SqlPredicate))


def _columns(node: shape.SqlColumns) -> Any:
    of = node.table or None
    if len(node.pairs) == 1 and not node.star and node.pairs[0][0] == node.pairs[0][1]:
        return sge.column(node.pairs[0][0], table=of, quoted=True)
    block: list[Any] = [sge.column(name, table=of, quoted=True) for name, _ in node.pairs]
    if node.star:
        replaced = [sge.alias_(sge.Var(this=hold(text)), name, quoted=True) for name, text in node.replaced]
        star = sge.Star(**({"replace": replaced} if replaced else {}))
        block = [sge.Column(this=star, table=sge.to_identifier(of, quoted=True)) if of else star]
    else:
        block = [
            column if name == new else sge.alias_(column, new, quoted=True)
            for column, (name, new) in zip(block, node.pairs, strict=True)
        ]
    found = sge.Tuple(expressions=block)
    found.meta[_BLOCK] = True
    return found


shape.bind(lambda compiler, node: _fill_in(node))


def _inline(tree: Any) -> None:
    """Put the queries that Ibis names because they stand twice back in their places: a step is one SELECT."""
    named = tree.args.get("with_")
    if named is None:
        return
    tree.set("with_", None)
    for cte in reversed(named.expressions):
        for scope in (tree, *(other.this for other in named.expressions)):
            for table in [t for t in scope.find_all(sge.Table) if t.name == cte.alias]:
                table.replace(sge.Subquery(this=cte.this.copy(), alias=table.args.get("alias")))


def _tidy(tree: Any) -> Any:
    """Return the tree as a person would write it."""
    tree = _without_wrappers(tree)
    for select in list(tree.find_all(sge.Select)):
        _take_filter(select)
    for select in tree.find_all(sge.Select):
        _spread_blocks(select)
    for select in tree.find_all(sge.Select):
        _name_groups(select)
        _drop_aliases(select)
    return tree


def _without_wrappers(tree: Any) -> Any:
    """Return the tree without each `SELECT * FROM (query)` that does nothing else."""
    for select in list(tree.find_all(sge.Select)):
        inner = _wrapped(select)
        if inner is None:
            continue
        if select is tree:
            tree = inner.pop()
        else:
            select.replace(inner.pop())
    return tree


def _wrapped(select: Any) -> Any:
    """Return the query inside `SELECT [DISTINCT] * FROM (query)`, None where the select does more."""
    source = select.args.get("from_")
    star = len(select.expressions) == 1 and isinstance(select.expressions[0], sge.Star)
    others = _own(select) - {"expressions", "from_", "distinct"}
    if not star or others or not isinstance(source and source.this, sge.Subquery):
        return None
    inner = source.this.this
    if select.args.get("distinct"):
        if not isinstance(inner, sge.Select) or any(inner.args.get(k) for k in ("limit", "order", "distinct")):
            return None
        inner.set("distinct", sge.Distinct())
    return inner


def _take_filter(select: Any) -> None:
    """Let a select of plain columns over `SELECT * FROM … WHERE …` filter by itself."""
    source = select.args.get("from_")
    inner = source.this.this if source and isinstance(source.this, sge.Subquery) else None
    if not isinstance(inner, sge.Select) or _own(select) != {"expressions", "from_"}:
        return
    bare = len(inner.expressions) == 1 and isinstance(inner.expressions[0], sge.Star)
    if bare and not inner.args.get("distinct") and all(map(_plain, select.expressions)):
        for key in _own(inner) - {"expressions"}:
            select.set(key, inner.args[key])


def _take_order(select: Any) -> None:
    """Let a select over `SELECT * FROM table ORDER BY …` order by itself: elsewhere a subquery's order is lost."""
    source = select.args.get("from_")
    inner = source.this.this if source and isinstance(source.this, sge.Subquery) else None
    if not isinstance(inner, sge.Select) or _own(select) != {"expressions", "from_"}:
        return
    bare = len(inner.expressions) == 1 and isinstance(inner.expressions[0], sge.Star)
    if (
        not bare
        or _own(inner) != {"expressions", "from_", "order"}
        or not isinstance(inner.args["from_"].this, sge.Table)
    ):
        return
    for column in inner.args["order"].find_all(sge.Column):
        # by its table: a computed column of that name is another one
        column.set("table", sge.to_identifier(inner.args["from_"].this.name, quoted=True))
    for key in ("from_", "order"):
        select.set(key, inner.args[key])


def _own(select: Any) -> set[str]:
    return {key for key, value in select.args.items() if value and key != "kind"}


def _plain(item: Any) -> bool:
    inner = item.this if isinstance(item, sge.Alias) else item
    return isinstance(inner, sge.Column | sge.Star) or inner.meta.get(_BLOCK, False)


def _spread_blocks(select: Any) -> None:
    spread = []
    for item in select.expressions:
        inner = item.this if isinstance(item, sge.Alias) else item
        if inner.meta.get(_BLOCK):
            spread += inner.expressions
        elif (isinstance(item, sge.Alias) and item.alias.startswith(shape.BLOCK)) or (
            isinstance(item, sge.Alias) and isinstance(inner, sge.Column) and inner.name == item.alias
        ):
            spread.append(inner)
        else:
            spread.append(item)
    select.set("expressions", spread)


def _name_groups(select: Any) -> None:
    """Group by the names of columns instead of their numbers."""
    group = select.args.get("group")
    if not group:
        return
    named = [
        select.expressions[int(key.this) - 1].copy() if isinstance(key, sge.Literal) and not key.is_string else key
        for key in group.expressions
    ]
    if all(isinstance(key, sge.Column) for key in named):
        group.set("expressions", named)


def _drop_aliases(select: Any) -> None:
    """Let tables go by their own names: Ibis calls them t0, t1, …, but an author's expressions name the step."""
    seen = set()
    sources = [part.this for part in select.find_all(sge.From, sge.Join) if part.parent is select]
    for source in sources:
        name = _name_below(source)
        if len(sources) == 1 and isinstance(source, sge.Subquery) and not _names(select, name):
            continue
        if not name or not re.fullmatch(r"t\d+", source.alias):
            continue
        # a step that is joined with itself has another name on the right, see operators/join.py
        own = f"{name}_2" if name in seen else name
        plain = isinstance(source, sge.Table) and own == name
        source.set("alias", None if plain else sge.TableAlias(this=sge.to_identifier(own, quoted=True)))
        seen.add(name)


def _name_below(source: Any) -> str:
    """Return the name by which expressions know a source: its own, or that of the table to which it adds columns."""
    if isinstance(source, sge.Subquery) and isinstance(source.this, sge.Select):
        first, below = source.this.expressions[0], source.this.args.get("from_")
        if isinstance(first, sge.Star) and below:
            return _name_below(below.this)
    return source.name if isinstance(source, sge.Table) else ""


def _names(select: Any, name: str) -> bool:
    """Return whether an expression of a select may name a table."""
    texts = [text.name.lower() for text in select.find_all(sge.Var) if text.parent_select is select]
    return bool(name) and any(f"{name.lower()}." in text or f'"{name.lower()}".' in text for text in texts)


def _unquote(tree: Any) -> None:
    for name in tree.find_all(sge.Identifier):
        if is_plain(name.this):
            name.set("quoted", False)
