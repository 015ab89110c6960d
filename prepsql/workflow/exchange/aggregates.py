"""aggregate: groups, with pandas' names of functions and its nulls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prepsql.errors import ConfigError, NotTranslatable
from prepsql.workflow.exchange.builder import Builder, Columns, column
from prepsql.workflow.exchange.orders import order_keys
from prepsql.workflow.exchange.params import Params
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Family, Value

# pandas' name: ours, the family of the result (None: the column's own)
FUNCTIONS: dict[str, tuple[str, Family | None]] = {
    "sum": ("sum", "number"), "mean": ("avg", "float"), "avg": ("avg", "float"), "average": ("avg", "float"),
    "min": ("min", None), "max": ("max", None), "count": ("count", "integer"), "size": ("count", "integer"),
    "nunique": ("count_distinct", "integer"), "count_distinct": ("count_distinct", "integer"),
    "median": ("median", "float"), "prod": ("prod", "number"), "mode": ("mode", None), "first": ("first", None),
    "last": ("last", None), "std": ("stddev", "float"), "stddev": ("stddev", "float"), "var": ("var", "float"),
    "quantile": ("quantile", "float"), "string_agg": ("string_agg", "text"), "join": ("string_agg", "text"),
    "any": ("any", "boolean"), "all": ("all", "boolean"), "list": ("list", "list"),
}  # fmt: skip


def aggregate(build: Builder, step: str, sources: Mapping[str, Any], params: Params) -> str:
    """Return the aggregate step; what its expressions need from Python is computed before it.

    As in pandas rows with a null key are left out, and a sum of nothing is 0.
    """
    source = sources["in"]
    keys = params.names("keys", also=("group_keys", "by"))
    dropna = params.get("dropna", True)
    null_group = params.get("null_group", "drop" if dropna else "keep")
    for ignored in ("as_index", "sort", "observed"):
        params.get(ignored)
    entries = _entries(params.need("aggs"))
    having = params.get("having")
    source, measures = _measures(build, step, source, entries)
    known = build.columns[source]
    columns: Columns = {key: known.get(key) or column(key) for key in keys}
    aggs = []
    for measure, family in measures:
        aggs.append(measure)
        columns[measure["as"]] = column(measure["as"], family, measure["func"] not in ("count", "count_distinct"))
    given = {"group_keys": keys, "aggs": aggs, "null_group": null_group if keys else None}
    name = build.name(step)
    if having:
        try:
            given["having"] = build.translate(str(having), columns, predicate=True).sql
        except NotTranslatable as why:
            name = build.add(name, "aggregate", {"in": source}, given, columns)
            return build.script(step, name, f"    return df[{having}]", str(having), why)
    build.tell(step, "rewritten", f"{len(aggs)} aggregates by {', '.join(keys) or 'nothing'}")
    return build.add(name, "aggregate", {"in": source}, given, columns)


def _entries(given: Any) -> list[dict[str, Any]]:
    """Return aggregates as entries, from a list or from a dict in pandas' ways."""
    if not isinstance(given, Mapping):
        return [dict(entry) for entry in given]
    entries: list[dict[str, Any]] = []
    for name, what in given.items():
        if isinstance(what, str):
            entries.append({"as": name, "func": what, "column": name})
        elif isinstance(what, Mapping):
            entries.append({"as": name, **what})
        elif len(what) == 2 and what[1] in FUNCTIONS and what[0] not in FUNCTIONS:
            entries.append({"as": name, "func": what[1], "column": what[0]})
        else:
            entries += [{"as": f"{name}_{func}", "func": func, "column": name} for func in what]
    return entries


def _measures(
    build: Builder, step: str, source: str, entries: list[dict[str, Any]]
) -> tuple[str, list[tuple[dict[str, Any], Family]]]:
    measures: list[tuple[dict[str, Any], Family]] = []
    for number, entry in enumerate(entries):
        params = Params(step, entry)
        wanted = str(params.need("func", also=("agg", "function", "op")))
        if wanted not in FUNCTIONS:
            raise ConfigError(f"step '{step}': no aggregate function {wanted} (has: {', '.join(FUNCTIONS)})")
        func, family = FUNCTIONS[wanted]
        text = params.get("expr", also=("column", "col"))
        name = str(params.get("as") or (f"{wanted}_{text}" if text else wanted))
        measure: dict[str, Any] = {"as": name, "func": func}
        if text and wanted != "size":
            source, value = _value(build, step, source, str(text), f"_{step}_{number}")
            measure |= _reading(func, value)
            family = family or value.family
        for flag in ("distinct", "q", "separator"):
            if (found := params.get(flag)) is not None:
                measure[flag] = found
        if condition := params.get("filter", also=("where",)):
            own = build.translate(str(condition), build.columns[source], predicate=True).sql
            measure["filter"] = bind("x AND y", x=own, y=measure["filter"]) if "filter" in measure else own
        if params.has("order_by"):
            measure["order_by"] = order_keys(build, step, params, build.columns[source])
        for left in params.left():
            build.tell(step, "left out", f"parameter {left} of the aggregate {name} isn't known")
        measures.append((measure, family or "unknown"))
    return source, measures


def _value(build: Builder, step: str, source: str, text: str, name: str) -> tuple[str, Value]:
    """Return the SQL of what is aggregated, perhaps after a script step that computes it as the column `name`."""
    columns = build.columns[source]
    if text in columns:
        return source, columns[text]
    if not any(mark in text for mark in "[(.'\"+-*/ "):
        return source, column(text)
    try:
        result = build.translate(text, columns)
    except NotTranslatable:
        source = build.compute(step, source, [(name, text)])
        return source, column(name)
    return source, Value(result.sql, result.family, result.nullable)


def _reading(func: str, value: Value) -> dict[str, Any]:
    """Return expression and filter as pandas reads nulls: a sum of nothing is 0, first and last skip them."""
    if func == "sum" and value.nullable:
        return {"expr": bind("coalesce(x, 0)", x=value.sql)}
    if func in ("first", "last") and value.nullable:
        return {"expr": value.sql, "filter": bind("x IS NOT NULL", x=value.sql)}
    return {"expr": value.sql}
