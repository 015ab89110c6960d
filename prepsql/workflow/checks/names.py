"""What other tools call kinds, parameters and values, for suggestions."""

from __future__ import annotations

from collections.abc import Iterable

from prepsql.workflow.problem import nearest

KINDS = {
    "select": "project", "map": "project", "mutate": "project", "compute": "project", "rename": "project",
    "assign": "project", "cast": "project", "explode": "project", "transform": "project", "fillna": "project",
    "where": "filter", "query": "filter", "having": "filter", "merge": "join", "lookup": "join", "concat": "union",
    "append": "union", "union_all": "union", "stack": "union", "group": "aggregate", "groupby": "aggregate",
    "group_by": "aggregate", "agg": "aggregate", "summarize": "aggregate", "summarise": "aggregate", "order": "sort",
    "order_by": "sort", "orderby": "sort", "sort_values": "sort", "arrange": "sort", "limit": "sort", "top": "sort",
    "head": "sort", "melt": "pivot", "unpivot": "pivot", "pivot_table": "pivot", "pivot_longer": "pivot",
    "pivot_wider": "pivot", "distinct": "dedup", "drop_duplicates": "dedup", "deduplicate": "dedup", "unique": "dedup",
    "read": "input", "read_csv": "input", "source": "input", "load": "input", "write": "output", "to_csv": "output",
    "sink": "output", "save": "output", "export": "output", "python": "script", "sql": "script", "code": "script",
    "udf": "script",
}  # fmt: skip
"""Kinds of steps."""

_TOP = {"steps": "nodes", "tasks": "nodes", "title": "name"}
_NODE = {
    "type": "kind", "op": "kind", "operator": "kind", "parameters": "params", "args": "params", "config": "params",
    "from": "inputs", "source": "inputs", "comment": "note", "description": "note",
}  # fmt: skip
_PARAMETERS = {
    "input": {"file": "path", "filename": "path", "sep": "delimiter", "delim": "delimiter", "dtype": "types",
              "dtypes": "types", "na_values": "null_words", "usecols": "columns", "skiprows": "skip",
              "sheet_name": "sheet", "rows": "data"},
    "project": {"columns": "select", "keep": "select", "exclude": "drop", "assign": "compute", "mutate": "compute",
                "derive": "compute", "astype": "cast", "types": "cast"},
    "Computed": {"name": "as", "alias": "as", "column": "as", "col": "as", "expression": "expr", "sql": "expr",
                 "value": "expr"},
    "Cast": {"column": "col", "name": "col", "to": "type", "dtype": "type", "format": "formats", "on_error": "errors"},
    "Explode": {"column": "col"},
    "Range": {"column": "col", "freq": "step", "min": "start", "max": "end", "group_by": "by"},
    "filter": {"condition": "predicate", "where": "predicate", "expr": "predicate", "query": "predicate"},
    "join": {"type": "how", "keys": "on", "by": "on", "suffix": "suffixes"},
    "union": {"drop_duplicates": "distinct", "source": "source_column"},
    "aggregate": {"by": "group_keys", "group_by": "group_keys", "groupby": "group_keys", "keys": "group_keys",
                  "metrics": "aggs", "measures": "aggs", "aggregations": "aggs", "aggregates": "aggs",
                  "dropna": "null_group"},
    "Measure": {"name": "as", "alias": "as", "function": "func", "agg": "func", "op": "func", "column": "expr",
                "col": "expr", "expression": "expr", "where": "filter", "sep": "separator", "quantile": "q"},
    "sort": {"by": "order_by", "keys": "order_by", "n": "limit", "top": "limit", "head": "limit",
             "group_by": "partition_by"},
    "Key": {"column": "expr", "col": "expr", "ascending": "asc", "descending": "asc", "desc": "asc",
            "direction": "asc", "na_position": "nulls"},
    "pivot": {"id_vars": "id_cols", "var_name": "names_to", "value_name": "values_to", "cols": "value_vars",
              "names_from": "columns", "values_from": "values", "aggfunc": "agg", "func": "agg",
              "values_fill": "fill_value"},
    "dedup": {"subset": "keys", "columns": "keys", "on": "keys", "by": "keys", "sort_by": "order_by"},
    "output": {"file": "path", "filename": "path", "select": "columns", "dtypes": "types", "format": "formats"},
    "script": {"lang": "language", "source": "code", "script": "code", "schema": "columns", "returns": "columns"},
}  # fmt: skip
_VALUES = {
    "outer": "full", "full_outer": "full", "left_outer": "left", "right_outer": "right", "left_semi": "semi",
    "left_anti": "anti", "mean": "avg", "average": "avg", "nunique": "count_distinct", "std": "stddev",
    "variance": "var", "size": "count", "maximum": "max", "minimum": "min", "product": "prod", "percentile": "quantile",
    "concat": "string_agg", "array_agg": "list", "collect": "list", "coerce": "null", "ignore": "null",
    "strict": "raise", "melt": "longer", "unpivot": "longer", "long": "longer", "wide": "wider", "py": "python",
    "tsv": "csv", "txt": "csv", "excel": "xlsx", "xls": "xlsx", "one_to_one": "1:1", "one_to_many": "1:m",
    "many_to_one": "m:1", "m:n": "m:m",
}  # fmt: skip


def top_meant(name: str, known: Iterable[str]) -> str:
    """Return the part of a document that `name` likely means, '' where none is near."""
    return _meant(name, known, _TOP)


def node_meant(name: str, known: Iterable[str]) -> str:
    """Return the part of a step that `name` likely means, '' where none is near."""
    return _meant(name, known, _NODE)


def kind_meant(name: str, known: Iterable[str]) -> str:
    """Return the kind that `name` likely means, '' where none is near."""
    return _meant(name, known, KINDS)


def parameter_meant(name: str, known: Iterable[str], owner: str) -> str:
    """Return the parameter that `name` likely means, '' where none is near; `owner` is a kind or a part's class."""
    return _meant(name, known, _PARAMETERS.get(owner, {}))


def value_meant(value: str, known: Iterable[str]) -> str:
    """Return which of the allowed words `value` likely means, '' where none is near."""
    return _meant(value, known, _VALUES)


def _meant(name: str, known: Iterable[str], table: dict[str, str]) -> str:
    known = list(known)
    alias = table.get(name.lower().strip().replace(" ", "_").replace("-", "_"), "")
    return alias if alias in known else nearest(name, known)
