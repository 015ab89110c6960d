"""Where a file's cells are: how an input step must read it to have, as text, the rows and columns that pandas reads."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from prepsql.errors import NotTranslatable, PrepsqlError
from prepsql.tables import read

_STRUCTURE = {"sep", "delimiter", "encoding", "skiprows", "header", "nrows", "skipfooter", "engine"}
_local = threading.local()


@dataclass
class Layout:
    """A file as an input step reads it with `params`, all text, and as pandas takes rows of it.

    `labels` are what pandas calls the columns by itself, in the step's order. Of the step's rows those at `left_out`
    aren't taken, nor those after the `first` ones or the `last` ones.
    """

    params: dict[str, Any]
    table: pd.DataFrame
    labels: list[Any]
    left_out: tuple[int, ...] = ()
    first: int | None = None
    last: int = 0
    assumed: list[str] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether all rows are taken."""
        return not self.left_out and self.first is None and not self.last

    def taken(self) -> pd.DataFrame:
        """Return the rows that are taken."""
        rows = self.table.drop(index=[at for at in self.left_out if at < len(self.table)])
        rows = rows.iloc[: self.first] if self.first is not None else rows
        return rows.iloc[: len(rows) - self.last] if self.last else rows


def layout_of(path: Path, options: Mapping[str, Any]) -> Layout:
    """Return how an input step reads a file; raises NotTranslatable where it reads it otherwise than pandas."""
    names, header = options.get("names"), options.get("header", "infer")
    header = (0 if names is None else None) if header == "infer" else header
    levels = list(header) if isinstance(header, list | tuple) else None
    if levels is not None:
        if levels != list(range(levels[0], levels[-1] + 1)) or options.get("index_col") is not None:
            raise NotTranslatable("a header of these lines")
        header = levels[-1]
    if not (header is None or isinstance(header, int)):
        raise NotTranslatable("a header that is no line")
    delimiter, encoding = options.get("delimiter") or options.get("sep"), options.get("encoding")
    skipped, later = _skipped(options.get("skiprows"), path, encoding)
    raw = _as_pandas(path, skipped, header, delimiter, encoding)
    params = _params(path, skipped, header, delimiter)
    found = Layout(params, _as_input(path, params, delimiter, encoding), list(raw.columns), later)
    if found.table.shape != raw.shape or not (found.table.to_numpy() == raw.to_numpy()).all():
        raise NotTranslatable("a file that pandas reads otherwise than an input step")
    if levels is not None:
        found.assumed.append(f"a header of {len(levels)} lines")
        found.labels = list(range(raw.shape[1]))
    found.first, found.last = options.get("nrows"), options.get("skipfooter") or 0
    if later:
        below = skipped + (0 if header is None else header + 1)
        found.left_out = tuple(at - below for at in later)
    if not found.whole:
        _check_rows(path, found, header, options)
    return found


def _skipped(given: Any, path: Path, encoding: Any) -> tuple[int, tuple[int, ...]]:
    """Return how many lines at the top are left out, and which ones after."""
    if given is None or isinstance(given, int):
        return given or 0, ()
    with path.open(encoding=encoding or "utf-8") as file:
        count = sum(1 for _ in file)
    lines = {at for at in range(count) if given(at)} if callable(given) else set(given)
    top = next(at for at in range(count + 1) if at not in lines)
    later = tuple(sorted(at for at in lines if at > top))
    if later and callable(given):
        raise NotTranslatable("lines left out by a function")
    return top, later


def _params(path: Path, skipped: int, header: int | None, delimiter: Any) -> dict[str, Any]:
    params: dict[str, Any] = {"path": path.name}
    if delimiter and delimiter != ",":
        params["delimiter"] = delimiter
    if header is None:
        params["header"] = None
    elif header:
        params["header"] = header + 1
    if skipped:
        params["skip"] = skipped
    return params


def _as_pandas(path: Path, skipped: int, header: int | None, delimiter: Any, encoding: Any) -> pd.DataFrame:
    """Return all cells as pandas reads them as text."""
    return pd.read_csv(
        path, header=header, skiprows=skipped, sep=delimiter or ",", encoding=encoding, dtype=str, na_filter=False,
        index_col=False,
    )  # fmt: skip


def _as_input(path: Path, params: Mapping[str, Any], delimiter: Any, encoding: Any) -> pd.DataFrame:
    """Return all cells as an input step reads them as text."""
    skipped, header = params.get("skip", 0), params.get("header", 1)
    line = 0 if header is None else header + skipped
    if not hasattr(_local, "con"):
        # to start an engine takes longer than to read most files
        _local.con = duckdb.connect()
    try:
        table = read(path, _local.con, "raw", delimiter=delimiter or None, header=None if line == 1 else line)
    except PrepsqlError as wrong:
        raise NotTranslatable(f"an input step can't read it: {wrong}") from None
    rows = table.relation.fetchall()
    _local.con.execute("DROP TABLE raw")
    return pd.DataFrame(rows[skipped if header is None else 0 :], columns=list(table.columns), dtype=object)


def _check_rows(path: Path, found: Layout, header: int | None, options: Mapping[str, Any]) -> None:
    """Raise NotTranslatable unless pandas takes these rows of the table."""
    plain = {name: value for name, value in options.items() if name in _STRUCTURE}
    plain["header"] = header
    if found.last:
        plain["engine"] = "python"
    cut = pd.read_csv(path, **plain, dtype=str, na_filter=False, index_col=False)
    mine = found.taken()
    if mine.shape != cut.shape or not (mine.to_numpy() == cut.to_numpy()).all():
        raise NotTranslatable("a file of which pandas takes some rows")


def own_names(result: pd.DataFrame, layout: Layout, options: Mapping[str, Any]) -> list[tuple[Any, str]]:
    """Return each label of the table, the index's first, with the name that its column has in the input step."""
    names, chosen = list(layout.table.columns), options.get("usecols")
    labels = list(options["names"]) if options.get("names") is not None else layout.labels
    if chosen is not None and not callable(chosen) and options.get("names") is not None and len(labels) < len(names):
        names = _of_chosen(names, list(chosen), layout)
    if len(labels) != len(names):
        raise NotTranslatable("more or fewer names than columns")
    by_label = dict(zip(labels, names, strict=True))
    index = options.get("index_col")
    shown = list(result.columns)
    if isinstance(options.get("header"), list | tuple):
        if chosen is not None or len(shown) != len(names):
            raise NotTranslatable("a header of several lines, and some of its columns")
        return list(zip(shown, names, strict=True))
    if index is not None and index is not False:
        keys = index if isinstance(index, list) else [index]
        if chosen is not None:
            raise NotTranslatable("an index among chosen columns")
        shown = [labels[key] if isinstance(key, int) and key not in by_label else key for key in keys] + shown
    if any(label not in by_label for label in shown):
        raise NotTranslatable("columns whose names pandas makes")
    return [(label, by_label[label]) for label in shown]


def _of_chosen(names: list[str], chosen: list[Any], layout: Layout) -> list[str]:
    """Return the step's names of chosen columns, in the file's order."""
    if all(isinstance(one, int) for one in chosen):
        return [names[at] for at in sorted(chosen)]
    raise NotTranslatable("names of chosen columns")
