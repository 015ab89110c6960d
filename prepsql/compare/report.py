"""A comparison for people, on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prepsql.compare.result import ColumnComparison, Comparison, FileComparison, RowExample
from prepsql.compare.words import cell_shown, key_shown, name_shown

_NEXT = {
    "FILE_COUNT_MISMATCH": "write one output_*.csv for each of gold's, and nothing else ending in .csv",
    "MISSING_FILE": "write the file under gold's name",
    "READ_ERROR": "write the file as CSV with a header, in UTF-8",
    "MISSING_COLUMNS": "name the columns exactly as gold does; case and spaces count",
    "ROW_COUNT_MISMATCH": "look at the missing and extra rows above",
    "EXCEPTION": "write true or false in the key",
    "NON_UNIQUE_KEY": "make one row of the rows that share a key, or name a key that tells them apart",
    "KEY_MISMATCH": "look at the missing and extra rows above",
    "ALIGNMENT_ERROR": "write true or false",
    "VALUE_MISMATCH": "look at the cells above; -n shows more of them, --json all counts",
}
_NEXT_OF_REASON = {
    "multiple_matches": "this policy can't tell keys within 2 % apart; --policy paper can",
    "row_order": "sort the candidate's rows as gold's are, or drop 'ordered' from gold's config.json",
}
_STRICTER = "--policy strict forgives only rounding"


def print_report(comparison: Comparison, console: Console) -> None:
    """Print the verdict first, then each file, then what to do; no line ends in blanks."""
    with console.capture() as printed:
        _print_all(comparison, console)
    console.file.write("".join(f"{line.rstrip()}\n" for line in printed.get().splitlines()))


def _print_all(comparison: Comparison, console: Console) -> None:
    verdict = Text()
    verdict.append(
        "same" if comparison.passed else "different", style="bold green" if comparison.passed else "bold red"
    )
    verdict.append(f" under policy {comparison.policy}")
    if comparison.passed and comparison.forgiven:
        stricter = "" if comparison.policy == "strict" else f" ({_STRICTER})"
        verdict.append(f": {comparison.forgiven}{stricter}")
    if not comparison.passed:
        kind = comparison.error_type + (f" ({comparison.reason})" if comparison.reason else "")
        verdict.append(f": {kind}\n{comparison.message}")
    console.print(verdict)
    for file in comparison.files:
        console.print()
        _print_file(file, console)
    if not comparison.passed:
        step = _NEXT_OF_REASON.get(comparison.reason, _NEXT[comparison.error_type])
        console.print(Text(f"\nNext: {step}"))


def _print_file(file: FileComparison, console: Console) -> None:
    head = Text(file.name, style="bold")
    if file.error_type:
        head.append(f"  {file.error_type}", style="not bold red")
    elif file.passed:
        head.append("  same", style="not bold green")
    console.print(head)
    for line in _lines(file):
        _print(line, console)
    differing = [column for column in file.columns if column.differing]
    for title, examples in (
        ("Only in gold", file.missing_examples),
        ("Only in the candidate", file.extra_examples),
        ("Keys of several rows", file.duplicate_examples),
    ):
        if examples:
            _print_table(title, _rows(examples), console)
    if differing:
        _print_table("Columns that differ", _columns(differing), console)
    for column in differing:
        if column.examples:
            _print_table(f"Cells of {name_shown(column.name)}", _cells(column), console)


def _print_table(title: str, table: Table, console: Console) -> None:
    """Print a table under its title, which has the whole line, however narrow the table is."""
    console.print()
    _print(Text(title, style="italic"), console)
    _print(table, console)


def _print(what: RenderableType, console: Console) -> None:
    console.print(Padding(Text(what) if isinstance(what, str) else what, (0, 0, 0, 2), expand=False))


def _table() -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))


def _lines(file: FileComparison) -> list[str]:
    lines = []
    if file.error_type and file.matched is None:
        lines.append(file.message)
    if file.gold_rows is not None and file.candidate_rows is not None:
        lines.append(f"rows: gold {file.gold_rows:,}, candidate {file.candidate_rows:,}")
    if file.matched is not None:
        near = f" ({file.near} of them by a near number)" if file.near else ""
        lines.append(f"matched {file.matched}{near}, missing {file.missing}, extra {file.extra}")
    if file.gold_duplicates or file.candidate_duplicates:
        lines.append(f"keys of several rows: gold {file.gold_duplicates}, candidate {file.candidate_duplicates}")
    forgiven = [f"{name_shown(column.name)} ({column.forgiven})" for column in file.columns if column.forgiven]
    if forgiven:
        lines.append(f"cells that differ within the tolerance: {', '.join(forgiven)}")
    if file.missing_columns:
        lines.append(f"columns missing: {', '.join(map(name_shown, file.missing_columns))}")
    if file.extra_columns:
        unnamed = file.extra_column_count - len(file.extra_columns)
        more = f" and {unnamed} more" if unnamed else ""
        lines.append(f"columns not compared: {', '.join(map(name_shown, file.extra_columns))}{more}")
    return [*lines, *file.notes]


def _columns(columns: Sequence[ColumnComparison]) -> Table:
    table = _table()
    for name, justify in (("column", "left"), ("type", "left"), ("cells", "right"), ("largest error", "right")):
        table.add_column(name, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for column in columns:
        error = "" if column.largest_error is None else f"{column.largest_error:.3g}"
        table.add_row(
            Text(name_shown(column.name)), Text(column.type or ""), f"{column.differing} of {column.rows}", error
        )
    return table


def _cells(column: ColumnComparison) -> Table:
    table = _table()
    table.add_column("row", justify="right")
    for name in ("key", "gold", "candidate"):
        table.add_column(name, overflow="fold")
    for example in column.examples:
        cells = (key_shown(example.key), cell_shown(example.gold), cell_shown(example.candidate))
        table.add_row(str(example.gold_row), *map(Text, cells))
    return table


def _rows(examples: Sequence[RowExample]) -> Table:
    table = _table()
    table.add_column("row", justify="right")
    table.add_column("key", overflow="fold")
    repeated = any(example.count > 1 for example in examples)
    if repeated:
        table.add_column("rows", justify="right")
    for example in examples:
        table.add_row(str(example.row), Text(key_shown(example.key)), *([str(example.count)] if repeated else []))
    return table
