"""The kinds of steps that both formats have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prepsql.errors import ConfigError, NotTranslatable
from prepsql.workflow.exchange.aggregates import aggregate
from prepsql.workflow.exchange.builder import Builder, Columns, column
from prepsql.workflow.exchange.fuzzy import fuzzy_join, is_fuzzy
from prepsql.workflow.exchange.orders import order_keys
from prepsql.workflow.exchange.params import Params
from prepsql.workflow.exchange.text import qualified
from prepsql.workflow.operators.script import SCRIPT_CHARACTERS
from prepsql.workflow.pandas_text import translate_expression
from prepsql.workflow.pandas_text.scope import Table
from prepsql.workflow.pandas_text.value import Family

Sources = Mapping[str, Any]
Rule = Callable[[Builder, str, Sources, Params], str]

TYPES: dict[str, tuple[str, Family]] = {
    **dict.fromkeys(("int", "int64", "Int64", "int32", "integer", "bigint"), ("BIGINT", "integer")),
    **dict.fromkeys(("float", "float64", "double", "number", "numeric"), ("DOUBLE", "float")),
    **dict.fromkeys(("str", "string", "object", "text", "varchar", "category"), ("VARCHAR", "text")),
    **dict.fromkeys(("bool", "boolean"), ("BOOLEAN", "boolean")),
    **dict.fromkeys(("datetime64[ns]", "datetime", "datetime64", "timestamp"), ("TIMESTAMP", "timestamp")),
    "date": ("DATE", "date"),
}
_HOW = {"outer": "full", "left_anti": "anti", "left_semi": "semi"}
_VALIDATE = {"one_to_one": "1:1", "one_to_many": "1:m", "many_to_one": "m:1", "many_to_many": "m:m"}


def sql_type(name: object) -> tuple[str, Family]:
    """Return the DuckDB type of a pandas or SQL type's name, and its family."""
    known = TYPES.get(str(name)) or TYPES.get(str(name).lower())
    return known or (str(name).upper(), "unknown")


def filter_(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return the step that keeps rows."""
    source, text = sources["in"], str(params.need("predicate"))
    params.get("null_as_false")
    known = build.columns[source]
    try:
        predicate = build.translate(text, known, predicate=True)
    except NotTranslatable as why:
        return build.script(step, source, f"    return df[{qualified(text, script=True)}]", text, why)
    build.tell(step, "rewritten", f"{text} → {predicate.sql}")
    return build.add(build.name(step), "filter", {"in": source}, {"predicate": predicate.sql}, known)


def project(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return the steps that choose, name, compute and cast columns, in that order."""
    source = sources["in"]
    chosen = {
        "promote_header": header_row(params.get("promote_header")),
        "select": params.names("select", also=("keep", "columns", "cols")) or None,
        "drop": params.names("drop", also=("drop_columns", "remove")) or None,
        "rename": params.get("rename", also=("renames", "rename_columns")) or None,
    }
    if any(value is not None for value in chosen.values()):
        columns = _chosen(build.columns[source], chosen)
        source = build.add(build.name(step), "project", {"in": source}, chosen, columns)
    entries = compute_entries(params)
    before = len(build.nodes)
    source = build.compute(step, source, entries)
    if entries and len(build.nodes) > before:
        build.tell(step, "rewritten", f"{len(entries)} computed")
    last = {
        "cast": _casts(params) or None,
        "explode": _explode(params),
        "fill": params.get("fill"),
    }
    if any(value is not None for value in last.values()):
        columns = dict(build.columns[source])
        for cast in last["cast"] or ():
            columns[cast["col"]] = column(cast["col"], sql_type(cast["type"])[1])
        source = build.add(build.name(step), "project", {"in": source}, last, columns)
    return source


def join(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return the join; as in pandas null keys match one another and shared names get _x and _y."""
    left, right = sources["left"], sources["right"]
    if is_fuzzy(params):
        return fuzzy_join(build, step, sources, params)
    how = str(params.get("how", "inner"))
    how = _HOW.get(how, how)
    on = params.names("on", also=("by", "keys"))
    left_on, right_on = params.names("left_on", also=("left_keys",)), params.names("right_on", also=("right_keys",))
    condition = params.get("condition", also=("predicate",))
    validate = params.get("validate")
    both = set(build.columns[left]) & set(build.columns[right]) - set(on)
    suffixes = params.get("suffixes", ["_x", "_y"] if both else None)
    given: dict[str, Any] = {
        "how": how,
        "on": on or None,
        "left_on": left_on or None,
        "right_on": right_on or None,
        "suffixes": list(suffixes) if suffixes else None,
        "select_left": params.get("select_left"),
        "select_right": params.get("select_right"),
        "validate": _VALIDATE.get(str(validate), validate),
        "null_equal": params.get("null_equal", True) if not condition and how != "cross" else None,
    }
    if condition:
        given["condition"] = _condition(build, str(condition), left, right)
    build.tell(step, "kept" if not condition else "rewritten", f"{how} join; null keys match as in pandas")
    columns = {**build.columns[left], **build.columns[right]} if how not in ("semi", "anti") else build.columns[left]
    kept = {name: kind for name, kind in columns.items() if name not in both}
    return build.add(build.name(step), "join", {"left": left, "right": right}, given, kept)


def union(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return the union: by name, what a side lacks is null, as in pd.concat."""
    params.get("ignore_index")
    items = list(sources["items"]) if "items" in sources else list(sources.values())
    given = {
        "distinct": params.get("distinct", also=("drop_duplicates",)) or None,
        "fill_missing": params.get("fill_missing", "null"),
        "source_column": params.get("source_column", also=("source",)),
    }
    first, *others = [build.columns[item] for item in items]
    columns = {
        name: kind for name, kind in first.items() if all(o.get(name, kind).family == kind.family for o in others)
    }
    build.tell(step, "kept", f"{len(items)} tables one below the other")
    return build.add(build.name(step), "union", {"items": items}, given, columns)


def sort(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return the sort, with columns for what it is sorted by where that isn't SQL."""
    source = sources["in"]
    partition = params.names("partition_by") or None
    per_group = params.get("limit_per_group")
    keys = order_keys(build, step, params, build.columns[source])
    params.get("ignore_index")
    given = {
        "order_by": keys,
        "limit": params.get("limit"),
        "partition_by": partition,
        "limit_per_group": per_group,
    }
    build.tell(step, "kept", f"sorted by {', '.join(key['expr'] for key in keys)}")
    return build.add(build.name(step), "sort", {"in": source}, given, build.columns[source])


def dedup(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return the step that keeps one row of those that share a key."""
    source = sources["in"]
    keys = params.names("keys", also=("columns", "cols")) or None
    keep = params.get("keep", "first")
    order = order_keys(build, step, params, build.columns[source]) if params.has("order_by") else None
    params.get("ignore_index")
    given = {"keys": keys, "keep": "none" if keep is False else keep, "order_by": order}
    build.tell(step, "kept", f"one row of each {', '.join(keys) if keys else 'whole row'}")
    return build.add(build.name(step), "dedup", {"in": source}, given, build.columns[source])


def output(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return the step that writes a file."""
    source = sources["in"]
    params.get("index")
    params.get("format")
    given = {
        "path": params.need("path"),
        "columns": params.names("columns") or None,
        "formats": params.get("formats"),
        "types": params.get("types"),
    }
    build.tell(step, "kept", f"writes {given['path']}")
    return build.add(build.name(step), "output", {"in": source}, given, build.columns[source])


def script(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return a script as it is."""
    code = str(params.need("code", also=("script", "source")))
    if len(code) > SCRIPT_CHARACTERS:
        raise ConfigError(
            f"step '{step}': its code has {len(code):,} characters and may have {SCRIPT_CHARACTERS:,}: split it"
        )
    given = {
        "language": params.get("language", "python"),
        "code": code,
        "columns": params.get("columns"),
        "scalar": params.get("scalar"),
    }
    build.tell(step, "script", "it is one in the flow")
    named = {name: source for name, source in sources.items() if isinstance(source, str)}
    named = {"df": named["in"]} if set(named) == {"in"} else named
    return build.add(build.name(step), "script", named, given, {})


RULES: dict[str, Rule] = {
    "filter": filter_, "project": project, "join": join, "union": union, "sort": sort, "dedup": dedup,
    "output": output, "script": script, "aggregate": aggregate,
}  # fmt: skip


def header_row(given: Any) -> int | None:
    """Return the row that becomes the header, counted from 1; the flow counts from 0."""
    return None if given is None or given is False else 1 if given is True else int(given) + 1


def compute_entries(params: Params) -> list[tuple[str, str]]:
    """Return what is computed as pairs of name and pandas text, from a list of entries or a dict."""
    given = params.get("compute")
    if not given:
        return []
    if isinstance(given, Mapping) and not ({"as", "expr", "expression"} & set(given)):
        return [(str(name), str(text)) for name, text in given.items()]
    entries = [given] if isinstance(given, Mapping) else given
    pairs = []
    for entry in map(params.entry, entries):
        pairs.append((str(entry.need("as", also=("columns", "col"))), str(entry.need("expr"))))
    return pairs


def _chosen(columns: Columns, chosen: Mapping[str, Any]) -> Columns:
    if chosen["promote_header"]:
        return {}
    kept = {name: columns[name] for name in chosen["select"] or columns if name in columns}
    for name in chosen["drop"] or ():
        kept.pop(name, None)
    new = {str(old): str(name) for old, name in (chosen["rename"] or {}).items()}
    return {new.get(name, name): column(new.get(name, name), kind.family, kind.nullable) for name, kind in kept.items()}


def _casts(params: Params) -> list[dict[str, Any]]:
    given = params.get("cast", also=("astype", "types", "dtypes"))
    if not given:
        return []
    entries = [{"col": c, "type": t} for c, t in given.items()] if isinstance(given, Mapping) else given
    casts = []
    for entry in map(params.entry, entries):
        names, kind = entry.names("columns"), sql_type(entry.need("type", also=("dtype", "to")))[0]
        errors = {"coerce": "null", "ignore": "null"}.get(str(entry.get("errors", "raise")), entry.get("errors"))
        formats = entry.names("formats") or None
        for name in names:
            cast = {"col": name, "type": kind, "errors": errors, "formats": formats}
            casts.append({key: value for key, value in cast.items() if value is not None})
    return casts


def _explode(params: Params) -> dict[str, Any] | None:
    given = params.get("explode")
    if not given:
        return None
    if isinstance(given, str):
        return {"col": given}
    entry = params.entry(given)
    return {
        key: value
        for key, value in {
            "col": entry.names("columns")[0],
            "as": entry.get("as"),
            "position": entry.get("position"),
        }.items()
        if value is not None
    }


def _condition(build: Builder, text: str, left: str, right: str) -> str:
    """Return a condition over `left['x']` and `right['y']` as SQL over the two steps."""
    others = {"left": Table(build.columns[left], left), "right": Table(build.columns[right], right)}
    return translate_expression(qualified(text), {}, predicate=True, others=others).sql
