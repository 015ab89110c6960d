"""A profile for people, on a terminal: findings first, then columns, keys and joins."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prepsql.profile.kinds import PATTERNS
from prepsql.profile.order import Group, grouped
from prepsql.profile.result import Column, Failure, Join, Key, Profile, TableProfile
from prepsql.profile.words import cut, named, percent, place, quoted, span_of, told
from prepsql.tables import plural

# how much is shown of each; the page and JSON have everything
_FINDINGS = 20
_NOTES = 3
_TABLES = 6
_COLUMNS = 30
_ALL_COLUMNS = 60
_RELATIONS = 8
_EXAMPLES = 3
# the table of columns: its header, the blanks between two, and how wide some of them get at most
_HEADER = ("name", "type", "filled", "distinct", "values", "mask")
_GAP = 2
_WIDEST = {"name": 24, "mask": 14}
_STYLES = {1: "bold red", 2: "bold red", 3: "bold yellow", 4: "bold", 5: "bold"}


def print_report(profile: Profile, console: Console) -> None:
    """Print the profile; no line is wider than the console or ends in blanks."""
    with console.capture() as printed:
        _print_all(profile, console)
    console.file.write("".join(f"{line.rstrip()}\n" for line in printed.get().splitlines()))


def _print_all(profile: Profile, console: Console) -> None:
    console.print(_head(profile))
    notes = [note for table in profile.tables for note in table.ledger]
    if notes:
        line = f"{plural(len(notes), 'note')} of the reader: {'; '.join(notes[:_NOTES])}"
        console.print(Text(cut(line, console.width)), no_wrap=True, overflow="ellipsis")
    _print_lines("Failed, the rest stands", "failure", [_failure(failure) for failure in profile.failures], console)
    if profile.findings:
        several = len(profile.tables) > 1
        groups = grouped(profile.findings)
        console.print(Text("\nFindings", style="bold"))
        for group in groups[:_FINDINGS]:
            _print_finding(group, several, console)
        _print_more(sum(len(group.findings) for group in groups[_FINDINGS:]), "finding", console)
    shown, columns = 0, 0
    for table in profile.tables:
        columns += min(len(table.columns), _COLUMNS)
        if shown and columns > _ALL_COLUMNS:
            break
        _print_columns(table, console)
        shown += 1
    _print_more(len(profile.tables) - shown, "table", console)
    _print_lines("Keys", "key", [_key(key) for key in profile.keys], console)
    _print_lines("Joins", "join", [_join(join) for join in profile.joins], console)


def _head(profile: Profile) -> Text:
    tables = "; ".join(
        f"{cut(table.name, 40)}: {plural(table.rows, 'row')}, {plural(len(table.columns), 'column')}"
        + (f", {len(table.tables)} tables of one shape" if len(table.tables) > 1 else "")
        for table in profile.tables[:_TABLES]
    )
    more = f"; {plural(len(profile.tables) - _TABLES, 'more table')}" if len(profile.tables) > _TABLES else ""
    patterns = (
        f"{sum(finding.pattern == pattern for finding in profile.findings)} of {name}"
        for pattern, name in PATTERNS.items()
        if any(finding.pattern == pattern for finding in profile.findings)
    )
    found = f"{plural(len(profile.findings), 'finding')}: {', '.join(patterns)}" if profile.findings else "no findings"
    return Text(f"{tables}{more}\n{found}")


def _print_finding(group: Group, several: bool, console: Console) -> None:
    """Print one line of what, where and how often, and under it what was seen, examples and the mend."""
    first = group.first
    where = place(group.columns, group.tables, several)
    count = f"{group.count:,} of {group.total:,} {first.unit}"
    line = Text(f"{first.pattern}  ")
    line.append(first.kind, style=_STYLES[first.severity])
    line.append(f"  {where}" if where else "")
    spare = console.width - line.cell_len - len(count)
    # a count that has no room on the line of its finding stands under it
    below = [count] if spare < 2 else []
    if not below:
        line.append(" " * spare + count)
    console.print(line)
    lines = [*below, told(group.detail, 200), _examples(group)]
    for text in filter(None, [*lines, _mend(group)]):
        console.print(Padding(Text(text, style="dim"), (0, 0, 0, 4)))


def _mend(group: Group) -> str:
    return f"mend: {cut(', '.join(group.macros), 60)}" if group.macros else ""


def _examples(group: Group) -> str:
    shown = []
    for example in group.examples[:_EXAMPLES]:
        other = example.table != group.first.table or len(group.tables) > 1
        of = f" of {named(example.table)}" if other else ""
        shown.append(quoted(example.value) + (f" (line {example.line:,}{of})" if example.line else ""))
    return ", ".join(shown)


def _print_columns(table: TableProfile, console: Console) -> None:
    console.print(Text(f"\nColumns of {cut(table.name, 40)}", style="bold"))
    rows = [_row(column) for column in table.columns[:_COLUMNS]]
    shown = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    for name, width in zip(_HEADER, _widths(rows, console.width), strict=True):
        right = name in ("filled", "distinct")
        shown.add_column(name, width=width, no_wrap=True, overflow="ellipsis", justify="right" if right else "left")
    for row in rows:
        shown.add_row(*map(Text, row))
    console.print(shown)
    _print_more(len(table.columns) - _COLUMNS, "column", console)


def _widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return how wide each column is: as its cells, some of them cut; what is left of `room` is for the values."""
    natural = [max(cell_len(cell) for cell in cells) for cells in zip(_HEADER, *rows, strict=True)]
    widths = [min(width, _WIDEST.get(name, width)) for name, width in zip(_HEADER, natural, strict=True)]
    values = _HEADER.index("values")
    others = sum(widths) - widths[values] + _GAP * (len(widths) - 1)
    widths[values] = min(natural[values], max(room - others, 10))
    return widths


def _row(column: Column) -> tuple[str, str, str, str, str, str]:
    if column.error:
        return cut(column.name, 60), "?", "", "", cut(column.error, 200), ""
    filled = percent(column.said / column.rows) if column.rows else ""
    distinct = f"{column.distinct:,}" if column.exact else f"~{column.distinct:,}"
    mask = next((shape.mask for shape in column.shapes if shape.mask), "")
    return cut(column.name, 60), column.type, filled, distinct, _values(column), cut(mask, 40)


def _values(column: Column) -> str:
    """Return from where to where numbers or dates go; of other columns the most frequent values, if there are any."""
    span = span_of(column)
    if span:
        return " to ".join(span)
    if column.frequent:
        return ", ".join(f"{cut(frequent.value, 24)} {frequent.cells:,}×" for frequent in column.frequent[:3])
    if column.type != "text" or column.first_text is None or column.last_text is None:
        return ""
    return f"{cut(column.first_text, 24)} to {cut(column.last_text, 24)}"


def _print_lines(title: str, what: str, lines: Sequence[str], console: Console) -> None:
    if not lines:
        return
    console.print(Text(f"\n{title}", style="bold"))
    for line in lines[:_RELATIONS]:
        console.print(Padding(Text(line), (0, 0, 0, 4)))
    _print_more(len(lines) - _RELATIONS, what, console)


def _failure(failure: Failure) -> str:
    return f"{failure.part}{f' of {named(failure.table)}' if failure.table else ''}: {cut(failure.error, 200)}"


def _key(key: Key) -> str:
    columns = " + ".join(named(column) for column in key.columns)
    return f"{named(key.table)}: {columns}" + (f", but for {plural(key.repeated, 'row')}" if key.repeated else "")


def _join(join: Join) -> str:
    left, right = f"{named(join.left)}.{named(join.left_column)}", f"{named(join.right)}.{named(join.right_column)}"
    by = f" by {join.normalisation}" if join.normalisation else ""
    return f"{left} = {right}{by}: {percent(join.left_rate)} of the left rows, {percent(join.right_rate)} of the right"


def _print_more(count: int, what: str, console: Console) -> None:
    if count > 0:
        console.print(Text(f"… and {plural(count, f'more {what}')}: --html PAGE.html or --json", style="italic"))
