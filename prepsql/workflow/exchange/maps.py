"""The authors' `map` operations: each is pandas text, or SQL over macros, for a column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from prepsql.errors import ConfigError
from prepsql.sqltext import literal
from prepsql.workflow.exchange.builder import Builder, column
from prepsql.workflow.exchange.nodes import compute_entries, sql_type
from prepsql.workflow.exchange.params import Params
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.reserved import column_name

Texts = Callable[[str, Params], str]


@dataclass(frozen=True)
class Sql:
    """An operation that is SQL: a template over the column x, filled with the parameters as literals."""

    template: str
    parameters: Mapping[str, Any]


def _text(template: str, **parameters: Any) -> Texts:
    """Return a rule that writes pandas text: `c` is the column, the other words are parameters with defaults."""

    def rule(cell: str, params: Params) -> str:
        values = {name: repr(params.get(name, default)) for name, default in parameters.items()}
        return template.format(c=cell, **values)

    return rule


def _fill(cell: str, params: Params) -> str:
    method = params.get("method", also=("how",))
    if method in ("ffill", "pad", "forward", "bfill", "backward"):
        return f"{cell}.{'ffill' if method in ('ffill', 'pad', 'forward') else 'bfill'}()"
    return f"{cell}.fillna({params.need('value', also=('fill_value', 'with', 'expr'))!r})"


def _map_values(cell: str, params: Params) -> str:
    mapping = params.need("mapping")
    default = params.get("default", also=("else", "otherwise"))
    keep = params.get("keep_unmapped", also=("keep_others",), default=False)
    if keep:
        return f"{cell}.replace({mapping!r})"
    return f"{cell}.map({mapping!r})" + (f".fillna({default!r})" if default is not None else "")


def _extract(cell: str, params: Params) -> str:
    pattern, group = params.need("pattern"), params.get("group", 1)
    return (
        f"{cell}.str.extract({pattern!r}, expand=False)"
        if group == 1
        else f"{cell}.str.extract({pattern!r})[{group - 1}]"
    )


def _replace(regex: bool) -> Texts:
    def rule(cell: str, params: Params) -> str:
        old = params.need("pattern", also=("old", "find", "from"))
        new = params.get("replacement", "", also=("new", "to"))
        return f"{cell}.str.replace({old!r}, {new!r}, regex={regex})"

    return rule


def _part(cell: str, params: Params) -> str:
    separator, index = params.get("separator"), params.get("index", 0, also=("part", "position"))
    return f"{cell}.str.split({separator!r}).str[{index}]"


def _count_in_group(cell: str, params: Params) -> str:
    keys, start = params.names("keys"), params.get("start", 0)
    return f"df.groupby({keys!r}).cumcount()" + (f" + {start}" if start else "")


def _in_group(function: str) -> Texts:
    def rule(cell: str, params: Params) -> str:
        keys = params.names("keys")
        return f"df.groupby({keys!r})[{cell[3:-1]}].{function}()" if keys else f"{cell}.{function}()"

    return rule


def _concat(cell: str, params: Params) -> str:
    others, separator = params.names("columns"), params.get("separator", "")
    joint = f" + {separator!r} + " if separator else " + "
    return joint.join(f"df[{name!r}]" for name in others)


# operations of one column that pandas text says
TEXTS: dict[str, Texts] = {
    **{name: _text("{c}.str.strip()") for name in ("trim", "strip")},
    "lower": _text("{c}.str.lower()"), "upper": _text("{c}.str.upper()"), "title": _text("{c}.str.title()"),
    "capitalize": _text("{c}.str.capitalize()"), "length": _text("{c}.str.len()"),
    "regex_replace": _replace(True), "replace": _replace(False), "regex_extract": _extract, "extract": _extract,
    "contains": _text("{c}.str.contains({pattern}, na=False)", pattern=""),
    "fillna": _fill, "fill_null": _fill, "map_values": _map_values, "recode": _map_values,
    "round": _text("{c}.round({decimals})", decimals=0), "abs": _text("{c}.abs()"),
    "clip": _text("{c}.clip({lower}, {upper})", lower=None, upper=None),
    "zfill": _text("{c}.str.zfill({width})", width=0),
    "pad": _text("{c}.str.pad({width}, side={side}, fillchar={fillchar})", width=0, side="left", fillchar=" "),
    "substring": _text("{c}.str.slice({start}, {end})", start=0, end=None),
    "split_part": _part, "to_number": _text("pd.to_numeric({c}, errors={errors})", errors="coerce"),
    "parse_date": _text("pd.to_datetime({c}, format={formats}, errors={errors})", formats=None, errors="raise"),
    "format_date": _text("{c}.dt.strftime({formats})", formats="%Y-%m-%d"),
    "year": _text("{c}.dt.year"), "month": _text("{c}.dt.month"), "day": _text("{c}.dt.day"),
    "weekday": _text("{c}.dt.dayofweek"), "quarter": _text("{c}.dt.quarter"),
    "group_cumcount": _count_in_group, "cumcount": _count_in_group, "cumsum": _in_group("cumsum"),
    "shift": _in_group("shift"), "lag": _in_group("shift"), "rank": _in_group("rank"), "diff": _in_group("diff"),
    "concat": _concat, "isna": _text("{c}.isna()"), "notna": _text("{c}.notna()"),
}  # fmt: skip

# operations that no pandas method does
SQL: dict[str, Sql] = {
    "html_strip": Sql("strip_html(x)", {}),
    "strip_html": Sql("strip_html(x)", {}),
    "squeeze_whitespace": Sql("squeeze_space(x)", {}),
    "tokenize": Sql("regexp_extract_all(lower(x), pattern)", {"pattern": r"[\p{L}\p{N}_]+"}),
    "parse_date_multi": Sql("parse_date(x, formats)", {"formats": None}),
    "row_number": Sql("row_number() OVER ()", {}),
    "strip_accents": Sql("strip_accents(x)", {}),
}  # fmt: skip


def map_(build: Builder, step: str, sources: Mapping[str, Any], params: Params) -> str:
    """Return the steps of one map operation, or of several under `operations`."""
    several = params.get("operations", also=("ops", "steps", "transforms"))
    source: str = sources["in"]
    if several:
        for entry in several:
            inner = Params(step, entry)
            source = one_map(build, step, str(inner.need("op")), {"in": source}, inner)
            for name in inner.left():
                build.tell(step, "left out", f"parameter {name} isn't known")
        return source
    return one_map(build, step, str(params.need("op")), sources, params)


def one_map(build: Builder, step: str, op: str, sources: Mapping[str, Any], params: Params) -> str:
    """Return the steps of one operation."""
    source: str = sources["in"]
    if op in STEPS:
        return STEPS[op](build, step, source, params)
    if op in ("compute", "expr", "eval", "assign", "lambda"):
        entries = compute_entries(params) or [(str(params.need("as")), str(params.need("expr")))]
        return build.compute(step, source, entries)
    if op not in TEXTS and op not in SQL:
        known = ", ".join(sorted({*TEXTS, *SQL, *STEPS}))
        raise ConfigError(f"step '{step}': no map operation {op} (has: {known})")
    if op in ("concat", "group_cumcount", "cumcount", "row_number"):
        return _write(build, step, source, op, "", str(params.need("as")), params)
    names = params.names("columns")
    if not names:
        raise ConfigError(f"step '{step}': {op} names no column; give columns")
    into = params.names("as") or names
    for name, new in zip(names, into, strict=True):
        source = _write(build, step, source, op, name, new, params)
    return source


def _write(build: Builder, step: str, source: str, op: str, name: str, new: str, params: Params) -> str:
    if op in TEXTS:
        text = TEXTS[op](f"df[{name!r}]", params)
        result = build.compute(step, source, [(new, text)])
        if build.nodes[result]["kind"] != "script":
            build.tell(step, "rewritten", f"{op}: {text}")
        return result
    rule = SQL[op]
    values = {key: params.get(key, default) for key, default in rule.parameters.items()}
    sql = bind(rule.template, x=column_name(name), **{key: _sql(value) for key, value in values.items()})
    build.tell(step, "rewritten", f"{op}: {sql}")
    return _project(build, step, source, new, sql)


def _project(build: Builder, step: str, source: str, name: str, sql: str) -> str:
    columns = {**build.columns[source], name: column(name)}
    return build.add(build.name(step), "project", {"in": source}, {"compute": [{"as": name, "expr": sql}]}, columns)


def _sql(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_sql, value))}]"
    if value is None:
        return "NULL"
    return literal(value) if isinstance(value, str) else str(value)


def _explode(build: Builder, step: str, source: str, params: Params) -> str:
    """Return a row for each element of a list, split before where a separator is given."""
    name = params.names("columns")[0]
    separator, new = params.get("separator"), params.get("as")
    project: dict[str, Any] = {"explode": {"col": name} | ({"as": new} if new else {})}
    if separator is not None:
        project = {
            "compute": [{"as": name, "expr": f"string_split({column_name(name)}, {literal(separator)})"}],
            **project,
        }
    build.tell(step, "rewritten", f"explode of {name}")
    columns = {**build.columns[source], new or name: column(new or name)}
    return build.add(build.name(step), "project", {"in": source}, project, columns)


def _split(build: Builder, step: str, source: str, params: Params) -> str:
    """Return the parts of a text: as a list, as one part by its place, as a column each, or as a row each."""
    name, into, index = params.names("columns")[0], params.names("as"), params.get("index", also=("part", "position"))
    separator = params.get("separator", ",")
    limit = params.get("n", -1, also=("maxsplit", "limit"))
    if params.get("explode", False, also=("to_rows",)):
        return _explode(build, step, source, params)
    if index is None and len(into) < 2:
        build.tell(step, "rewritten", f"{name} is split into a list")
        sql = f"string_split({column_name(name)}, {literal(separator)})"
        return _project(build, step, source, into[0] if into else name, sql)
    whole = f"df[{name!r}].str.split({separator!r}" + (f", n={limit})" if limit != -1 else ")")
    places = [index] if index is not None else list(range(len(into)))
    build.tell(step, "rewritten", f"{name} is split at {separator!r}")
    new = into or [name]
    return build.compute(step, source, [(n, f"{whole}.str[{i}]") for n, i in zip(new, places, strict=True)])


def _calendar(build: Builder, step: str, source: str, params: Params) -> str:
    """Return rows for the dates that are missing, by group if keys are given."""
    name = params.names("date_col", also=("date", "date_column", "columns", "column", "col"))[0]
    freq = {"D": "1 day", "W": "1 week", "M": "1 month", "MS": "1 month", "h": "1 hour", "Y": "1 year"}
    step_name = str(params.get("freq", "D", also=("frequency", "step", "every")))
    given = {
        "col": name,
        "start": params.get("start"),
        "end": params.get("end"),
        "step": freq.get(step_name, step_name),
        "by": params.names("keys", also=("groups",)) or None,
    }
    fill = {"range": {key: value for key, value in given.items() if value is not None}}
    build.tell(step, "rewritten", f"missing dates of {name} are added")
    return build.add(build.name(step), "project", {"in": source}, {"fill": fill}, build.columns[source])


def _expand(build: Builder, step: str, source: str, params: Params) -> str:
    """Return rows for the combinations of values that are missing."""
    keys = params.names("keys", also=("columns", "cols"))
    build.tell(step, "rewritten", f"missing combinations of {', '.join(keys)} are added")
    return build.add(build.name(step), "project", {"in": source}, {"fill": {"keys": keys}}, build.columns[source])


def _date_range(build: Builder, step: str, source: str, params: Params) -> str:
    """Return a row for each date between two columns."""
    first, last = params.need("start", also=("start_col",)), params.need("end", also=("end_col",))
    new = str(params.get("as", "date"))
    days = bind(
        "list_transform(generate_series(x::TIMESTAMP, y::TIMESTAMP, INTERVAL 1 DAY), lambda day: day::DATE)",
        x=column_name(first),
        y=column_name(last),
    )
    project = {"compute": [{"as": new, "expr": days}], "explode": {"col": new}}
    build.tell(step, "rewritten", f"a row for each day from {first} to {last}")
    columns = {**build.columns[source], new: column(new, "date")}
    return build.add(build.name(step), "project", {"in": source}, project, columns)


def _format_number(build: Builder, step: str, source: str, params: Params) -> str:
    """Return numbers written with so many decimals, rounded as Python's format rounds."""
    names, decimals, mark = params.names("columns"), params.get("decimals", 2), params.get("thousands", ",")
    mark = "," if mark is True else mark or ""
    for name, new in zip(names, params.names("as") or names, strict=True):
        pattern = f"{{:{',' if mark else ''}.{decimals}f}}"
        sql = bind("format(p, x::DOUBLE)", p=literal(pattern), x=column_name(name))
        if mark not in ("", ","):
            sql = bind("replace(x, ',', m)", x=sql, m=literal(mark))
        build.tell(step, "rewritten", f"format_number: {sql}")
        source = _project(build, step, source, new, sql)
    return source


def _cast(build: Builder, step: str, source: str, params: Params) -> str:
    names, (kind, family) = params.names("columns"), sql_type(params.need("dtype", also=("to", "as")))
    columns = {**build.columns[source], **{name: column(name, family) for name in names}}
    errors = {"errors": "null"} if params.get("errors") in ("coerce", "null") else {}
    casts = [{"col": name, "type": kind, **errors} for name in names]
    build.tell(step, "kept", f"cast to {kind}")
    return build.add(build.name(step), "project", {"in": source}, {"cast": casts}, columns)


def _drop_nulls(build: Builder, step: str, source: str, params: Params) -> str:
    names = params.names("columns", also=("subset",))
    predicate = " AND ".join(f"{column_name(name)} IS NOT NULL" for name in names)
    if not names:
        raise ConfigError(f"step '{step}': dropna names no column; give columns")
    build.tell(step, "rewritten", f"rows with a null in {', '.join(names)} go")
    return build.add(build.name(step), "filter", {"in": source}, {"predicate": predicate}, build.columns[source])


# operations that are more than a new column
STEPS: dict[str, Callable[[Builder, str, str, Params], str]] = {
    "split": _split, "explode": _explode, "complete_calendar": _calendar, "expand": _expand, "complete": _expand,
    "date_range": _date_range, "format_number": _format_number,
    "cast": _cast, "astype": _cast, "dropna": _drop_nulls, "drop_nulls": _drop_nulls,
}  # fmt: skip
