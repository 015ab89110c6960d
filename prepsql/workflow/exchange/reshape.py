"""Steps that turn rows into columns and columns into rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prepsql.errors import ConfigError
from prepsql.sqltext import literal
from prepsql.workflow.exchange.aggregates import FUNCTIONS
from prepsql.workflow.exchange.builder import Builder, column
from prepsql.workflow.exchange.params import Params
from prepsql.workflow.reserved import column_name

Sources = Mapping[str, Any]


def wider(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return rows as columns: one a value of `columns`."""
    index = params.names("index", also=("id_cols", "ids", "keys"))
    names = params.names("columns", also=("names_from", "names"))
    values = params.names("values", also=("values_from", "value"))
    wanted = str(params.get("agg", "first"))
    given = {
        "mode": "wider",
        "index": index,
        "columns": names[0] if len(names) == 1 else names,
        "values": values[0] if len(values) == 1 else values,
        "agg": FUNCTIONS.get(wanted, (wanted, None))[0],
        "fill_value": params.get("fill_value", also=("values_fill",)),
        "column_values": params.get("column_values"),
    }
    known = build.columns[sources["in"]]
    columns = {name: known.get(name) or column(name) for name in index}
    build.tell(step, "kept", f"a column for each {', '.join(names)}; rows with a null among the keys go, as in pandas")
    predicate = " AND ".join(f"{column_name(name)} IS NOT NULL" for name in [*index, *names])
    source = _filter(build, f"{step}_keyed", sources["in"], predicate)
    return build.add(build.name(step), "pivot", {"in": source}, given, columns)


def longer(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return columns as rows: one a value column."""
    ids = params.names("id_cols")
    names_to, values_to = params.get("names_to", "variable"), params.get("values_to", "value")
    given = {
        "mode": "longer",
        "id_cols": ids or None,
        "value_vars": params.names("value_vars") or None,
        "pattern": params.get("pattern", also=("names_pattern",)),
        "names_to": names_to,
        "values_to": values_to,
    }
    drop_nulls = params.get("dropna", False, also=("values_drop_na", "drop_nulls"))
    known = build.columns[sources["in"]]
    columns = {name: known.get(name) or column(name) for name in ids}
    for name in [names_to] if isinstance(names_to, str) else names_to:
        columns[name] = column(name, "text")
    build.tell(step, "kept", "a row for each value column")
    made = build.add(build.name(step), "pivot", {"in": sources["in"]}, given, columns)
    if not drop_nulls:
        return made
    predicate = f"{column_name(values_to)} IS NOT NULL"
    return build.add(build.name(step), "filter", {"in": made}, {"predicate": predicate}, columns)


def pivot(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return a pivot by its mode."""
    mode = str(params.get("mode", "longer" if params.has("names_to") else "wider"))
    return longer(build, step, sources, params) if mode in ("longer", "long") else wider(build, step, sources, params)


def longer_from_rows(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return rows for columns whose names stand in the first rows, in four steps.

    The rows are numbered; the first ones become, turned, a table of what each column is about; the others become one
    row a value; both meet by the column.
    """
    source = sources["in"]
    ids = params.names("id_cols")
    values = params.names("value_vars") or None
    names = params.names("names_to", also=("row_names", "header_names"))
    values_to = str(params.get("values_to", "value"))
    count = int(params.get("header_rows", len(names), also=("rows", "n_rows", "n_header_rows")))
    if not ids or len(names) != count or not count:
        raise ConfigError(f"step '{step}': wants id_cols, and a name in names_to for each of the header_rows")
    place = "_place"
    entry = {"as": place, "expr": "row_number() OVER ()"}
    numbered = build.add(build.name(f"{step}_numbered"), "project", {"in": source}, {"compute": [entry]}, {})
    head = _filter(build, f"{step}_head", numbered, f"{place} <= {count}")
    body = _filter(build, f"{step}_body", numbered, f"{place} > {count}")
    long = {"mode": "longer", "value_vars": values, "names_to": "_column", "values_to": "_about"}
    about = build.add(
        build.name(f"{step}_about"), "project", {"in": head}, {"drop": ids}, {}
    )  # fmt: skip
    turned = build.add(build.name(f"{step}_turned"), "pivot", {"in": about}, {**long, "id_cols": [place]}, {})
    wide = build.add(
        build.name(f"{step}_columns"), "pivot", {"in": turned},
        {"mode": "wider", "index": ["_column"], "columns": place, "values": "_about", "agg": "first",
         "column_values": list(range(1, count + 1))}, {},
    )  # fmt: skip
    rename = {str(number + 1): name for number, name in enumerate(names)}
    named = build.add(build.name(f"{step}_named"), "project", {"in": wide}, {"rename": rename}, {})
    rows = build.add(
        build.name(f"{step}_rows"), "pivot", {"in": body},
        {**long, "id_cols": [*ids, place], "values_to": values_to}, {},
    )  # fmt: skip
    met = build.add(
        build.name(f"{step}_met"), "join", {"left": rows, "right": named}, {"how": "left", "on": ["_column"]}, {}
    )
    build.tell(step, "split", f"the first {count} rows name the columns; what they say becomes {', '.join(names)}")
    select = [*ids, *names, values_to]
    return build.add(
        build.name(step), "project", {"in": met}, {"select": select}, {name: column(name) for name in select}
    )


def longer_paired(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return a row for each group of columns that belong together: a project for each group, then their union."""
    source = sources["in"]
    ids = params.names("id_cols")
    groups = params.need("pairs", also=("groups", "value_vars", "column_groups"))
    values_to = params.names("values_to")
    names_to = params.get("names_to")
    labelled = groups.items() if isinstance(groups, Mapping) else ((str(n + 1), g) for n, g in enumerate(groups))
    labels = params.names("labels")
    items = []
    for number, (label, members) in enumerate(labelled):
        if len(members) != len(values_to):
            raise ConfigError(f"step '{step}': the group {members} wants a name in values_to for each column")
        project: dict[str, Any] = {
            "select": [*ids, *members],
            "rename": dict(zip(members, values_to, strict=True)),
        }
        if names_to:
            text = labels[number] if labels else label
            project["compute"] = [{"as": names_to, "expr": literal(str(text))}]
        items.append(build.add(build.name(f"{step}_{number + 1}"), "project", {"in": source}, project, {}))
    build.tell(step, "split", f"{len(items)} groups of columns, one below the other")
    columns = {name: column(name) for name in [*ids, *values_to]}
    return build.add(build.name(step), "union", {"items": items}, {}, columns)


def promote_header(build: Builder, step: str, sources: Sources, params: Params) -> str:
    """Return the table with the cells of one row as its columns' names; the flow counts rows from 0."""
    row = int(params.get("row", 0, also=("row_index", "index", "header_row", "promote_header")))
    build.tell(step, "rewritten", f"row {row} counted from 0 becomes the header")
    return build.add(build.name(step), "project", {"in": sources["in"]}, {"promote_header": row + 1}, {})


def _filter(build: Builder, name: str, source: str, predicate: str) -> str:
    return build.add(build.name(name), "filter", {"in": source}, {"predicate": predicate}, {})


RULES: dict[str, Callable[[Builder, str, Sources, Params], str]] = {
    "pivot": pivot, "pivot_wider": wider, "pivot_longer": longer, "melt": longer,
    "pivot_longer_from_rows": longer_from_rows, "pivot_longer_paired": longer_paired,
    "promote_row_to_header": promote_header, "promote_header": promote_header,
}  # fmt: skip
