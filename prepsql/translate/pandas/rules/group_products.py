"""Groups of several keys of which some are categories: all combinations, those without rows too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, GroupsSymbol, IndexLevel, Rows, after, chosen, of_columns
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text import columns
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

# what pandas gives for a combination without rows; null for other functions, and what isn't said is refused
_EMPTY: Mapping[str, Any] = {"sum": 0, "count": 0, "size": 0, "nunique": 0}
_NULL = ("mean", "median", "min", "max", "first", "last", "std", "var")


def filled(
    groups: GroupsSymbol, grouped: Rows, found: Mapping[Any, Value], functions: Mapping[Any, str]
) -> FrameSymbol:
    """Return one row a combination, in the order of the keys."""
    rows, keys = product(groups)
    theirs = [grouped.columns[name] for name in grouped.params["group_keys"]]
    values: dict[Any, Value] = {}
    for label, value in found.items():
        function = functions[label]
        if function not in _EMPTY and function not in _NULL:
            raise NotTranslatable(f"{function} of groups of several keys, some of which have no rows")
        there = rows.looked_up(label, keys, grouped, theirs, value, nulls=False)
        if function in _EMPTY:
            there = rows.define(label, columns.fill_na(there, constant_thing(_EMPTY[function])))
        values[label] = there
    labels = [label for label, _ in groups.keys]
    if groups.as_index:
        return FrameSymbol(rows, values, tuple(map(IndexLevel, labels, keys)), False)
    return FrameSymbol(rows, {**dict(zip(labels, keys, strict=True)), **values}, (), True)


def product(groups: GroupsSymbol) -> tuple[Rows, list[Value]]:
    """Return the rows of all combinations of the keys, and the keys there."""
    sides = [_values(groups, at, categories) for at, categories in enumerate(groups.categories)]
    return crossed(sides)


def _values(groups: GroupsSymbol, at: int, categories: Sequence[Any] | None) -> Rows:
    """Return the values of a key: its categories, or those that there are; with their places."""
    if categories is not None:
        return listed(categories, at)
    key = groups.key_columns()[at]
    return there(groups.frame.rows, key, at)


def there(rows: Rows, value: Value, at: int) -> Rows:
    """Return the values of a column, once each, as the key at a place and its order."""
    name, key = rows.name("key", value), f"key_{at}"
    params: dict[str, Any] = {"group_keys": [name], "aggs": []}
    if value.nullable:
        params["null_group"] = "drop"
    found = Rows("aggregate", params, {"in": rows}, {name: Value(column_name(name), value.family, False)},
                 wanted=f"values_of_{name}")  # fmt: skip
    if name != key:
        found = chosen(found, {key: name}, f"values_of_{name}")
    found.define(f"place_{at}", Value(key, value.family, False))
    return found


def listed(labels: Sequence[Any], at: int) -> Rows:
    """Return labels that are written out, as the key at a place and its order."""
    plain = [one.item() if hasattr(one, "item") else one for one in labels]
    kinds = {type(one) for one in plain}
    if not plain or kinds - {str, int, float} or len(kinds) > 1:
        raise NotTranslatable("a list of labels of several types")
    family = {str: "text", int: "integer", float: "float"}[kinds.pop()]
    data = [{f"key_{at}": one, f"place_{at}": place} for place, one in enumerate(plain)]
    columns_ = {f"key_{at}": Value(f"key_{at}", family, False),  # type: ignore[arg-type]
                f"place_{at}": Value(f"place_{at}", "integer", False)}  # fmt: skip
    return Rows("input", {"data": data}, {}, columns_, wanted="labels")


def crossed(sides: Sequence[Rows]) -> tuple[Rows, list[Value]]:
    """Return all combinations of the keys of several tables, in their order, and the keys there."""
    rows = sides[0]
    for side in sides[1:]:
        params = {"how": "cross", "select_left": list(rows.columns), "select_right": list(side.columns)}
        rows = Rows("join", params, {"left": rows, "right": side}, of_columns({**rows.columns, **side.columns}),
                    wanted="combinations")  # fmt: skip
    places = [rows.columns.get(f"place_{at}", rows.columns[f"key_{at}"]) for at in range(len(sides))]
    rows = after(rows, "sort", {"order_by": [{"expr": one.sql} for one in places]}, wanted="combinations_in_order")
    return rows, [rows.columns[f"key_{at}"] for at in range(len(sides))]
