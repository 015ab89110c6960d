"""A comparison for people, on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prepsql.compare.result import ColumnComparison, Comparison, FileComparison, RowExample

_NEXT = {
    "FILE_COUNT_MISMATCH": "write one output_*.csv for each of gold's, and nothing else ending in .csv",
    "MISSING_FILE": "write the file under gold's name",
    "READ_ERROR": "write the file as CSV with a header, in UTF-8",
    "MISSING_COLUMNS": "name the columns exactly as gold does; case and spaces count",
    "ROW_COUNT_MISMATCH": "look at the missing and extra rows",
    "EXCEPTION": "write true or false in the key",
    "NON_UNIQUE_KEY": "make one row of the rows that share a key, or name a key that tells them apart",
    "KEY_MISMATCH": "look at the missing and extra rows; other columns were compared for the rest",
    "ALIGNMENT_ERROR": "write true or false",
    "VALUE_MISMATCH": "look at the cells below; -n shows more of them, --json all counts",
}
_CONFUSED = "this policy can't tell keys within 2 % apart; --policy paper can"


def print_report(comparison: Comparison, console: Console) -> None:
    """Print the verdict first, then each file that differs or needs a note, then what to do."""
    verdict = Text()
    verdict.append(
        "same" if comparison.passed else "different", style="bold green" if comparison.passed else "bold red"
    )
    verdict.append(f" under policy {comparison.policy}")
    if not comparison.passed:
        kind = comparison.error_type + (f" ({comparison.reason})" if comparison.reason else "")
        verdict.append(f": {kind}\n{comparison.message}")
    console.print(verdict)
    for file in comparison.files:
        console.print()
        _print_file(file, console)
    if not comparison.passed:
        near = comparison.reason == "multiple_matches"
        console.print(Text(f"\nNext: {_CONFUSED if near else _NEXT[comparison.error_type]}"))


def _print_file(file: FileComparison, console: Console) -> None:
    head = Text(file.name, style="bold")
    if file.error_type:
        head.append(f"  {file.error_type}", style="not bold red")
    elif file.passed:
        head.append("  same", style="not bold green")
    console.print(head)
    for line in _lines(file):
        console.print(Padding(Text(line), (0, 0, 0, 2), expand=False))
    differing = [column for column in file.columns if column.differing]
    for title, examples in (
        ("Only in gold", file.missing_examples),
        ("Only in the candidate", file.extra_examples),
        ("Keys of several rows", file.duplicate_examples),
    ):
        if examples:
            console.print(Padding(_rows(title, examples), (1, 0, 0, 2), expand=False))
    if differing:
        console.print(Padding(_columns(differing), (1, 0, 0, 2), expand=False))
    for column in differing:
        if column.examples:
            console.print(Padding(_cells(column), (1, 0, 0, 2), expand=False))


def _lines(file: FileComparison) -> list[str]:
    lines = []
    if file.error_type and file.matched is None:
        lines.append(file.message)
    if file.gold_rows is not None and file.candidate_rows is not None:
        lines.append(f"rows: gold {file.gold_rows}, candidate {file.candidate_rows}")
    if file.matched is not None:
        near = f" ({file.near} of them by the nearest number)" if file.near else ""
        lines.append(f"matched {file.matched}{near}, missing {file.missing}, extra {file.extra}")
    if file.gold_duplicates or file.candidate_duplicates:
        lines.append(f"keys of several rows: gold {file.gold_duplicates}, candidate {file.candidate_duplicates}")
    if file.missing_columns:
        lines.append(f"columns missing: {', '.join(file.missing_columns)}")
    if file.extra_columns:
        lines.append(f"columns not compared: {', '.join(file.extra_columns)}")
    return [*lines, *file.notes]


def _columns(columns: Sequence[ColumnComparison]) -> Table:
    table = Table(title="Columns that differ", title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name, justify in (("column", "left"), ("type", "left"), ("cells", "right"), ("largest error", "right")):
        table.add_column(name, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for column in columns:
        error = "" if column.largest_error is None else f"{column.largest_error:.3g}"
        table.add_row(Text(column.name), Text(column.type), f"{column.differing} of {column.rows}", error)
    return table


def _cells(column: ColumnComparison) -> Table:
    table = Table(title=Text(column.name), title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("row", justify="right")
    for name in ("key", "gold", "candidate"):
        table.add_column(name, overflow="fold")
    for example in column.examples:
        cells = (_key(example.key), _shown(example.gold), _shown(example.candidate))
        table.add_row(str(example.gold_row), *map(Text, cells))
    return table


def _rows(title: str, examples: Sequence[RowExample]) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("row", justify="right")
    table.add_column("key", overflow="fold")
    repeated = any(example.count > 1 for example in examples)
    if repeated:
        table.add_column("rows", justify="right")
    for example in examples:
        table.add_row(str(example.row), Text(_key(example.key)), *([str(example.count)] if repeated else []))
    return table


def _key(key: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={_shown(text)}" for name, text in key.items())


def _shown(text: str) -> str:
    """Return a cell so that what can't be seen, at its ends or in it, can be."""
    plain = text and text == text.strip() and text.isprintable()
    return text if plain else repr(text)
