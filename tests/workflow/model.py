"""The operators' rules once more, in pandas and plain Python: what each step gives, rows in order.

Written from the specification and the operators' docstrings. Text is compared by code points, null is None, and where
pandas has another rule than SQL (docs/semantics.md) plain Python says SQL's.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import product
from typing import Any

import pandas as pd

from tests.workflow.tables import ABOUT, BOOL, FLOAT, INT, LIST, TEXT, Table, table

Row = dict[str, Any]
Key = tuple[str, bool, str]
"""A column, whether it ascends, and whether nulls come `first` or `last`."""


def rows_of(given: Table) -> list[Row]:
    return [dict(zip(given.columns, row, strict=True)) for row in given.rows]


def made(kinds: Mapping[str, str], rows: Sequence[Row]) -> Table:
    return table(kinds, [[row[c] for c in kinds] for row in rows])


def taken(given: Table, places: Sequence[int]) -> Table:
    """Return the rows at these places."""
    return Table(given.frame.iloc[list(places)].reset_index(drop=True), given.kinds)


# order


def compare(a: Any, b: Any, ascending: bool, nulls: str) -> int:
    if a is None or b is None:
        if a is b:
            return 0
        return (-1 if a is None else 1) * (1 if nulls == "first" else -1)
    return ((a > b) - (a < b)) * (1 if ascending else -1)


def ordered(rows: Sequence[Row], keys: Sequence[Key], places: Sequence[int] | None = None) -> list[int]:
    """Return the places of rows in the order of keys; ties stay in place."""

    def before(i: int, j: int) -> int:
        for column, ascending, nulls in keys:
            found = compare(rows[i][column], rows[j][column], ascending, nulls)
            if found:
                return found
        return 0

    return sorted(range(len(rows)) if places is None else places, key=cmp_to_key(before))


def groups(rows: Sequence[Row], keys: Sequence[str]) -> dict[tuple[Any, ...], list[int]]:
    """Return the places of rows by key, null a key like any other; keys in order of appearance."""
    found: dict[tuple[Any, ...], list[int]] = {}
    for place, row in enumerate(rows):
        found.setdefault(tuple(row[k] for k in keys), []).append(place)
    return found


def signless(kind: str) -> str:
    """Return the kind of keys: 0.0 and -0.0 are one of them, and either may stand for both."""
    return ABOUT if kind == FLOAT else kind


def by_keys(keys: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return keys in order, nulls last."""
    rows = [{str(i): v for i, v in enumerate(key)} for key in keys]
    return [keys[i] for i in ordered(rows, [(c, True, "last") for c in (rows[0] if rows else ())])]


# operators


def filtered(given: Table, holds: Callable[[Row], bool | None]) -> Table:
    mask = [holds(row) is True for row in rows_of(given)]
    return Table(given.frame[pd.Series(mask, dtype=bool)].reset_index(drop=True), given.kinds)


def sort(
    given: Table, keys: Sequence[Key], limit: int | None = None, partition: Sequence[str] = (), most: int = 0
) -> Table:
    rows = rows_of(given)
    places = ordered(rows, keys)
    if partition:
        seen: dict[tuple[Any, ...], int] = {}
        kept = []
        for place in places:
            key = tuple(rows[place][c] for c in partition)
            seen[key] = seen.get(key, 0) + 1
            if seen[key] <= most:
                kept.append(place)
        places = kept
    return taken(given, places[:limit] if limit is not None else places)


def dedup(given: Table, keys: Sequence[str] | None, keep: str, by: Sequence[Key]) -> Table:
    rows = rows_of(given)
    stay: list[int] = []
    for places in groups(rows, keys or given.columns).values():
        order = ordered(rows, by, places)
        if keep == "first":
            stay.append(order[0])
        elif keep == "last":
            stay.append(order[-1])
        elif keep == "none":
            stay += places if len(places) == 1 else []
        else:
            best = rows[order[0]]
            stay += [i for i in places if all(compare(rows[i][c], best[c], up, nulls) == 0 for c, up, nulls in by)]
    return taken(given, sorted(stay))


def union(items: Mapping[str, Table], distinct: bool, source: str | None) -> Table:
    kinds: dict[str, str] = {}
    spelt: dict[str, str] = {}
    for item in items.values():
        for column, kind in item.kinds.items():
            name = spelt.setdefault(column.lower(), column)
            both = {kind, kinds.get(name, kind)}
            kinds[name] = FLOAT if both == {INT, FLOAT} else kind
    frames = []
    for step, item in items.items():
        frame = item.frame.rename(columns={c: spelt[c.lower()] for c in item.columns})
        frame = frame.reindex(columns=[c for c in kinds if c != source]).astype(object)
        frame = frame.where(frame.notna(), None)
        if source:
            frame[source] = step
            kinds[source] = TEXT
        frames.append(frame)
    whole = table(kinds, pd.concat(frames, ignore_index=True)[list(kinds)].to_numpy().tolist())
    return dedup(whole, None, "first", ()) if distinct else whole


def join(
    left: Table,
    right: Table,
    how: str,
    matches: Callable[[Row, Row], bool | None],
    shared: Mapping[str, str],
    names: tuple[Mapping[str, str], Mapping[str, str]],
) -> Table:
    """Return a join; `names` maps the columns that each side gives to their new names.

    A column in `shared` (left to right name) comes from the side that has the row.
    """
    mine, theirs = rows_of(left), rows_of(right)
    pairs: list[tuple[Row | None, Row | None]] = []
    found: set[int] = set()
    for a in mine:
        hits = [j for j, b in enumerate(theirs) if matches(a, b) is True]
        found.update(hits)
        if how in ("semi", "anti"):
            pairs += [(a, None)] if bool(hits) == (how == "semi") else []
        else:
            pairs += [(a, theirs[j]) for j in hits]
            pairs += [(a, None)] if not hits and how in ("left", "full") else []
    if how in ("right", "full"):
        pairs += [(None, b) for j, b in enumerate(theirs) if j not in found]
    out = []
    for one, other in pairs:
        row = {}
        for old, new in names[0].items():
            row[new] = one[old] if one else (other or {})[shared[old]] if old in shared else None
        row |= {new: other[old] if other else None for old, new in names[1].items()}
        out.append(row)
    kinds = {new: left.kinds[old] for old, new in names[0].items()}
    kinds |= {new: right.kinds[old] for old, new in names[1].items()}
    return made(kinds, out)


def measure(func: str, values: list[Any], kind: str, q: float = 0.5, separator: str = ", ") -> tuple[Any, str]:
    """Return an aggregate of values in order, and its kind. Nulls don't count but for first, last, list."""
    known = [v for v in values if v is not None]
    if func == "count":
        return len(known), INT
    if func == "count_distinct":
        return len(set(known)), INT
    if func in ("first", "last"):
        return (values[0 if func == "first" else -1] if values else None), kind
    if func == "list":
        return (list(values) if values else None), LIST
    if func == "string_agg":
        return (separator.join(map(_text, known)) if known else None), TEXT
    if func in ("any", "all"):
        return ((any if func == "any" else all)(map(bool, known)) if known else None), BOOL
    if func in ("min", "max"):
        return ((min if func == "min" else max)(known) if known else None), ABOUT if kind == FLOAT else kind
    if func == "mode":
        counts = {v: known.count(v) for v in known}
        most = [v for v in counts if counts[v] == max(counts.values())]
        return (min(most) if most else None), ABOUT if kind == FLOAT else kind
    return _number(func, known, q), INT if kind == INT and func == "sum" else ABOUT


def _number(func: str, known: list[Any], q: float) -> Any:
    if not known:
        return None
    exact = [Fraction(v) for v in known]
    mean = sum(exact) / len(exact)
    if func == "sum":
        return sum(known) if isinstance(known[0], int) else float(sum(exact))
    if func == "avg":
        return float(mean)
    if func == "prod":
        return float(math.prod(map(float, sorted(known))))
    if func in ("stddev", "var"):
        if len(known) == 1:
            return None
        variance = float(sum((v - mean) ** 2 for v in exact) / (len(known) - 1))
        return math.sqrt(variance) if func == "stddev" else variance
    return float(pd.Series(list(map(float, known))).quantile(0.5 if func == "median" else q))


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def aggregate(
    given: Table,
    keys: Sequence[str],
    measures: Sequence[Mapping[str, Any]],
    having: Callable[[Row], bool | None] | None = None,
    drop_nulls: bool = False,
) -> Table:
    """Return a row a group. A measure has as, func, of (a column, None for rows), holds, distinct, by, q, separator."""
    rows = rows_of(given)
    found = groups(rows, keys) if keys else {(): list(range(len(rows)))}
    kinds = {k: signless(given.kinds[k]) for k in keys}
    out = []
    for key in by_keys(list(found)):
        if drop_nulls and None in key:
            continue
        row = dict(zip(keys, key, strict=True))
        for m in measures:
            places = [i for i in found[key] if m["holds"] is None or m["holds"](rows[i]) is True]
            places = ordered(rows, m["by"], places)
            kind = given.kinds[m["of"]] if m["of"] else INT
            values = [rows[i][m["of"]] for i in places] if m["of"] else [1] * len(places)
            if m["distinct"]:
                values = list(dict.fromkeys(values))
                if m["func"] in ("first", "last", "list", "string_agg") and not m["by"]:
                    values.sort(key=cmp_to_key(lambda a, b: compare(a, b, True, "last")))
            row[m["as"]], kinds[m["as"]] = measure(m["func"], values, kind, m["q"], m["separator"])
        out.append(row)
    if not out:
        kinds |= {m["as"]: measure(m["func"], [], given.kinds[m["of"]] if m["of"] else INT)[1] for m in measures}
    return made(kinds, [row for row in out if having is None or having(row) is True])


def longer(
    given: Table, ids: Sequence[str], cells: Sequence[tuple[Mapping[str, str], Mapping[str, str]]], kinds: Row
) -> Table:
    """Return a row a cell of `cells`: its labels, and which column each target takes its value from."""
    out = []
    for row, (labels, sources) in product(rows_of(given), cells):
        out.append({i: row[i] for i in ids} | dict(labels) | {t: row[s] if s else None for t, s in sources.items()})
    return made({**{i: given.kinds[i] for i in ids}, **kinds}, out)


def wider(
    given: Table,
    index: Sequence[str],
    columns: Sequence[str],
    values: Sequence[str | None],
    func: str,
    fill: Any = None,
    categories: Sequence[tuple[Any, ...]] | None = None,
    text: Callable[[Any], str] = str,
) -> Table:
    rows = rows_of(given)
    if categories is None:
        categories = by_keys(list(groups(rows, columns)))
    measures = []
    for value, category in product(values, categories):
        label = "_".join([*([value or ""] if len(values) > 1 else []), *map(text, category)])
        measures.append(
            {
                "as": label,
                "func": func,
                "of": value,
                "by": (),
                "distinct": False,
                "q": 0.5,
                "separator": ", ",
                "holds": lambda row, c=category: all(row[k] == v for k, v in zip(columns, c, strict=True)),
            }
        )
    whole = aggregate(given, index, measures)
    if fill is None:
        return whole
    return made(
        whole.kinds, [{c: fill if v is None and c not in index else v for c, v in r.items()} for r in rows_of(whole)]
    )


def exploded(given: Table, column: str, lists: Sequence[list[Any] | None], name: str, position: str | None) -> Table:
    """Return a row an element of each row's list; `lists` stand for the column."""
    out = []
    for row, elements in zip(rows_of(given), lists, strict=True):
        for place, element in enumerate(elements or [None], start=1):
            changed = {(name if c == column else c): element if c == column else v for c, v in row.items()}
            out.append(changed | ({position: place if elements else None} if position else {}))
    kinds = {(name if c == column else c): kind for c, kind in given.kinds.items()}
    return made(kinds | ({position: INT} if position else {}), out)


def filled(given: Table, keys: Sequence[str], wanted: Sequence[tuple[Any, ...]]) -> Table:
    """Return the rows, and one for each wanted combination that none has, in the order of the keys."""
    rows = rows_of(given)
    have = groups(rows, keys)
    rows += [dict.fromkeys(given.columns) | dict(zip(keys, k, strict=True)) for k in wanted if k not in have]
    kinds = {c: signless(kind) if c in keys else kind for c, kind in given.kinds.items()}
    return made(kinds, [rows[i] for i in ordered(rows, [(k, True, "last") for k in keys])])


def safe_kind(cells: Sequence[str | None]) -> str:
    """Return the type that a column of a file gets: another than text only where every cell allows it."""
    full = [c for c in cells if c]
    patterns = {
        INT: r"0|-?[1-9]\d{0,14}",
        FLOAT: r"0|-?[1-9]\d{0,14}|-?(0|[1-9]\d*)?\.\d+",
        BOOL: r"true|false",
        "DATE": r"\d{4}-\d\d-\d\d",
    }
    return next((k for k, p in patterns.items() if full and all(re.fullmatch(p, c) for c in full)), TEXT)
