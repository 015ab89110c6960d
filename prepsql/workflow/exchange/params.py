"""Parameters of the authors' steps, under any of the names that they go by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prepsql.errors import ConfigError

# parameter: the other names that it goes by
SPELLINGS: dict[str, tuple[str, ...]] = {
    "path": ("file", "filename", "source", "file_path"),
    "columns": ("cols", "column", "col", "fields", "field"),
    "keys": ("by", "group_keys", "subset", "group_by", "groupby", "on_keys", "key", "partition_by"),
    "expr": ("expression", "value", "formula"),
    "as": ("name", "alias", "into", "output", "new_column", "out", "target", "to"),
    "predicate": ("condition", "expr", "expression", "where", "query"),
    "mapping": ("map", "values", "dict", "lookup"),
    "op": ("operation", "type", "kind", "function", "func", "method"),
    "pattern": ("regex", "pat"),
    "replacement": ("repl", "replace_with", "with", "value"),
    "separator": ("sep", "delimiter", "delim"),
    "formats": ("format", "fmt", "date_format"),
    "decimals": ("digits", "places", "precision", "ndigits"),
    "order_by": ("sort_by", "by", "sort", "keys", "columns", "cols"),
    "compute": ("computed", "assign", "mutate", "derive"),
    "aggs": ("aggregations", "agg", "aggregates", "measures"),
    "how": ("join_type", "type"),
    "id_cols": ("id_vars", "index", "ids"),
    "value_vars": ("columns", "cols", "value_cols", "values"),
    "names_to": ("var_name", "name_to"),
    "values_to": ("value_name", "value_to"),
    "agg": ("aggfunc", "func", "values_fn"),
    "limit": ("head", "n", "top"),
    "width": ("length", "len"),
    "fillchar": ("char", "fill", "pad_char"),
    "start": ("begin", "from", "min"),
    "end": ("stop", "until", "max"),
}


class Params:
    """The parameters of one step; what nobody asks for is left over and reported."""

    def __init__(self, step: str, given: Mapping[str, Any]) -> None:
        self.step, self._given = step, dict(given)
        self._asked: set[str] = set()
        self._found: dict[str, Any] = {}
        self._inner: list[Params] = []

    def get(self, name: str, default: Any = None, also: tuple[str, ...] = ()) -> Any:
        """Return a parameter by its name or another of its spellings; the same each time it is asked for."""
        if name in self._found:
            return self._found[name]
        for spelling in (name, *also, *SPELLINGS.get(name, ())):
            if spelling in self._given and spelling not in self._asked:
                self._asked.add(spelling)
                self._found[name] = self._given[spelling]
                return self._found[name]
        return default

    def has(self, name: str) -> bool:
        """Return whether a parameter is there under one of its names, and nobody asked for it yet."""
        return any(
            spelling in self._given and spelling not in self._asked for spelling in (name, *SPELLINGS.get(name, ()))
        )

    def need(self, name: str, also: tuple[str, ...] = ()) -> Any:
        """Return a parameter that must be there."""
        found = self.get(name, also=also)
        if found is None:
            has = ", ".join(self._given) or "nothing"
            raise ConfigError(f"step '{self.step}': no parameter {name} (has: {has})")
        return found

    def names(self, name: str, also: tuple[str, ...] = ()) -> list[str]:
        """Return a parameter that is one name or a list of names; an empty list where it is absent."""
        found = self.get(name, also=also)
        if found is None:
            return []
        return [str(found)] if isinstance(found, str | int) else [str(item) for item in found]

    def left(self) -> list[str]:
        """Return the parameters that nobody asked for, those of entries included."""
        own = [name for name in self._given if name not in self._asked]
        return own + [name for entry in self._inner for name in entry.left()]

    def entry(self, given: Mapping[str, Any]) -> Params:
        """Return the parameters of an entry, such as one key of an order; what is left over there is left over here."""
        inner = Params(self.step, given)
        self._inner.append(inner)
        return inner
