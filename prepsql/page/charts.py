"""Charts of the report page as values: rows of bars on a field from 0 to 100, which the template draws as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from prepsql.evaluate.reports.words import percent, points, share, span

Row = dict[str, Any]


@dataclass(frozen=True)
class Bar:
    """A rectangle of a chart: from `x` on, `width` wide, of the colour `look`; a thin one is a mark."""

    look: str
    x: float
    width: float


@dataclass(frozen=True)
class Line:
    """A row of a chart: its label, its bars, the ends of its interval, and the figures in words."""

    label: str
    bars: tuple[Bar, ...]
    ends: tuple[float, float] | None
    value: str
    around: str = ""


@dataclass(frozen=True)
class Chart:
    """A chart: what its colours mean (look, words), the words at its left and right edge, and its lines."""

    keys: tuple[tuple[str, str], ...]
    scale: tuple[str, str, str]
    lines: tuple[Line, ...]


_PERCENT = ("0 %", "50 %", "100 %")
_MARK = 0.8


def shift(rows: Iterable[Row], label: str, before: str, after: str, change: str, words: tuple[str, str]) -> Chart:
    """Return a chart from one share to another, the change in points with its interval beside it."""
    lines = []
    for row in rows:
        low, high = sorted((100 * row[before], 100 * row[after]))
        better = row[after] >= row[before]
        bars = (
            Bar("gain" if better else "loss", low, high - low),
            # where both marks stand in one place, the first is seen around the second
            _mark("missing", 100 * row[before], _MARK if high - low >= _MARK else 3 * _MARK),
            _mark("number" if better else "grave", 100 * row[after]),
        )
        lines.append(Line(_label(row, label), bars, None, points(row[change]), _around(row, signed=True)))
    return Chart((("missing", words[0]), ("number", words[1])), _PERCENT, tuple(lines))


def shares(rows: Iterable[Row], label: str, value: str, word: str) -> Chart:
    """Return a chart of one share a row, with its interval."""
    lines = []
    for row in rows:
        if row[value] is not None:
            bar = Bar("number", 0, 100 * row[value])
            lines.append(Line(_label(row, label), (bar,), _ends(row, 100.0), share(row[value]), _around(row)))
    return Chart((("number", word),), _PERCENT, tuple(lines))


def changes(rows: Sequence[Row], label: str, change: str, most: float) -> Chart:
    """Return a chart of changes around 0 in the middle, from −`most` to `most`, with their intervals."""
    lines = []
    for row in rows:
        at = 50 + 50 * row[change] / most
        bar = Bar("number" if row[change] >= 0 else "grave", min(50.0, at), abs(at - 50))
        ends = _ends(row, 1.0)
        drawn = ends and (50 + 50 * ends[0] / most, 50 + 50 * ends[1] / most)
        lines.append(
            Line(
                _label(row, label), (bar, _mark("missing", 50.0)), drawn, points(row[change]), _around(row, signed=True)
            )
        )
    edge = points(most, 0)
    return Chart((("number", "gain"), ("grave", "loss")), (edge.replace("+", "−"), "0", edge), tuple(lines))


def widest(rows: Iterable[Row], change: str) -> float:
    """Return the edge for `changes` that holds all of them and their intervals, in tenths."""
    every = [abs(row[k]) for row in rows for k in (change, "low", "high") if row[k] is not None]
    return max(ceil(10 * max(every, default=0)), 1) / 10


def outcomes(rows: Iterable[Row], label: str) -> Chart:
    """Return a chart of Fail, Wrong and Correct as the parts of a bar each."""
    lines = []
    for row in rows:
        fail, wrong, correct = (row[k] for k in ("fail_pct", "wrong_pct", "correct_pct"))
        bars = (Bar("grave", 0, fail), Bar("text", fail, wrong), Bar("date", fail + wrong, correct))
        said = f"{fail:.1f} · {wrong:.1f} · {correct:.1f}"
        lines.append(Line(_label(row, label), bars, None, said, f"n={row['total']:,}"))
    keys = (("grave", "Fail: can't run"), ("text", "Wrong: runs, tables differ"), ("date", "Correct"))
    return Chart(keys, _PERCENT, tuple(lines))


def accuracy_cell(row: Row) -> Line:
    """Return a figure of the paper's table, with its bar."""
    around = span(row["low"], row["high"]) if row["low"] is not None else ""
    return Line("", (Bar("number", 0, 100 * row["value"]),), _ends(row, 100.0), percent(row["value"]), around)


def _label(row: Row, column: str) -> str:
    tasks = f" ({row['tasks']:,})" if column != "run" and "tasks" in row else ""
    return f"{row[column]}{tasks}"


def _around(row: Row, *, signed: bool = False) -> str:
    return "" if row["low"] is None else span(row["low"], row["high"], signed=signed)


def _ends(row: Row, scale: float) -> tuple[float, float] | None:
    return None if row["low"] is None else (scale * row["low"], scale * row["high"])


def _mark(look: str, at: float, width: float = _MARK) -> Bar:
    return Bar(look, min(max(at - width / 2, 0), 100 - width), width)
