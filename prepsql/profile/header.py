"""Where the names of a table stand: found in its first rows where the reader's header can't be the real one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from string import Template

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.subject import Subject
from prepsql.sqltext import named, quote, select
from prepsql.tables import Table, read
from prepsql.tables.layout import value_kind
from prepsql.tables.names import unique_names

# so many rows may stand above the names, and so many are looked at to see what stands below
_DEEPEST = 10
_LOOKED_AT = 200
# so many of the columns with cells have no name where the reader's header can't be the real one
_UNNAMED = 0.3
_TYPED = 0.8
_LONGEST_NAME = 60
_PANDAS = re.compile(r"Unnamed: \d+(?:_level_\d+)?")
_EXTRA = re.compile(r"extra_\d+(?:_\d+)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_TOP = Template("FROM $table LIMIT $rows")
_BELOW = Template("$query\nOFFSET $row")
Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Header:
    """The rows of a table, from 0, on which its names stand: `row`, and `upper` where a row above groups them.

    `upper` is -1 where the groups are the names that the reader found.
    """

    row: int
    upper: int | None


def unnamed(table: Table) -> tuple[bool, ...]:
    """Return for each column whether it has no name of its own, but one that the reader or pandas gave it.

    By its name alone that can't be told (see `is_placeholder`): a file may well call a column Column 1.

    Columns of cells beyond the header's are not among them: those are long rows.
    """
    empty = table.ledger.of("empty header") is not None
    return tuple(
        _PANDAS.fullmatch(name) is not None or (empty and re.fullmatch(rf"column_{at}(?:_\d+)?", name) is not None)
        for at, name in enumerate(table.columns, start=1)
    )


def settle(table: Table) -> tuple[Table, tuple[Finding, ...]]:
    """Return the table as it is with its real header, read again where that is another, and what there is to say of it.

    Mends of these findings are over the table as it was read first, and what they give has the columns and rows of
    the second reading.
    """
    if table.ledger.header_line is None:
        return table, ()
    top = _top(table)
    header = find_header(table, top)
    if header is None:
        return table, tuple(_titles(table, top))
    second = read(table.path, table.con, table.name, header=table.line(header.row))
    if header.upper is not None:
        # names are the same again under another group, which the finding says
        entries = tuple(entry for entry in second.ledger.entries if entry.kind != "duplicate header")
        second = replace(second, ledger=replace(second.ledger, entries=entries))
    return second, tuple(_findings(table, second, header, top))


def merged(subject: Subject, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield those of `findings` that are about tables of a subject, one a kind for all its tables."""
    kinds: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.table in subject.tables:
            kinds.setdefault(finding.kind, []).append(finding)
    for some in kinds.values():
        yield replace(
            some[0],
            count=sum(finding.count for finding in some),
            total=sum(finding.total for finding in some),
            examples=tuple(example for finding in some for example in finding.examples)[:EXAMPLES],
            tables=tuple(finding.table for finding in some),
        )


def find_header(table: Table, top: Rows) -> Header | None:
    """Return where the names stand in the first rows `top` of a table, None where the reader's header is the real one.

    Names stand over at least half of the columns that have cells, are words over numbers or dates (or fill their row
    below emptier ones), and are no values such as those below.
    """
    own = _own_names(table)
    used = {at for row in top for at in _filled(row)}
    if len(used) < 2 or sum(not own[at] for at in used) < _UNNAMED * len(used):
        return None
    for row in range(min(_DEEPEST, len(top) - 1)):
        if _names_columns(own, top, row):
            # a row of groups looks like names too
            fuller = row + 2 < len(top) and len(_filled(top[row + 1])) > len(_filled(top[row]))
            row += fuller and _names_columns(own, top, row + 1)
            return Header(row, row - 1 if _groups(top[row - 1] if row else own, top[row]) else None)
    return None


def _own_names(table: Table) -> list[str]:
    extra = table.ledger.of("long rows") is not None
    return [
        "" if no_name or (extra and _EXTRA.fullmatch(name)) else name
        for name, no_name in zip(table.columns, unnamed(table), strict=True)
    ]


def _top(table: Table) -> list[list[str]]:
    rows = table.con.execute(_TOP.substitute(table=quote(table.name), rows=_LOOKED_AT)).fetchall()
    return [[cell or "" for cell in row] for row in rows]


def _filled(row: Sequence[str]) -> set[int]:
    return {at for at, cell in enumerate(row) if cell.strip()}


def _names_columns(own: Sequence[str], top: Rows, row: int) -> bool:
    """Return whether the names of the columns may stand on a row, where `own` are those that the reader found."""
    names, below = top[row], top[row + 1 :]
    here, used = _filled(names), {at for line in below for at in _filled(line)}
    if len(here) < 2 or 2 * len(here & used) < len(used) or any(len(names[at]) > _LONGEST_NAME for at in here):
        return False
    kinds = {at: _usual_kind(below, at) for at in here & used}
    alike = [
        at for at, kind in kinds.items() if kind and value_kind(names[at]) == kind and not _YEAR.fullmatch(names[at])
    ]
    if 10 * len(alike) > len(here):
        return False
    if any(kind and value_kind(names[at]) is None for at, kind in kinds.items()):
        return True
    words = [names[at].strip().lower() for at in here]
    plain = len(set(words)) == len(words) and all(word[0].isalpha() for word in words)
    emptier = all(2 * len(_filled(line)) <= len(here) for line in (own, *top[:row]))
    return plain and emptier and here >= used and len(here) > 2


def _usual_kind(rows: Rows, at: int) -> str | None:
    """Return the kind of value of most cells of a column, None where those are text."""
    kinds = Counter(value_kind(row[at]) for row in rows if row[at].strip())
    kind, count = kinds.most_common(1)[0]
    return kind if count >= _TYPED * kinds.total() else None


def _groups(above: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether the row above names holds names of groups of them."""
    groups, here = _filled(above), _filled(names)
    return 2 <= len(groups) < len(here) and 5 * len(groups & here) >= 4 * len(groups)


def _findings(first: Table, second: Table, header: Header, top: Rows) -> Iterator[Finding]:
    """Yield what there is to say of names that stand further down."""
    lines: list[tuple[int, Sequence[str]]] = [(first.ledger.header_line or 0, _own_names(first))]
    lines += [(first.line(row), top[row]) for row in range(header.row)]
    titles = [line for at, line in enumerate(lines, start=-1) if _filled(line[1]) and at != header.upper]
    total = first.rows + 1
    if titles:
        yield Finding(
            "preamble",
            first.name,
            None,
            len(titles),
            total,
            f"the names stand on line {first.line(header.row)}",
            tuple(_example(first, *title) for title in titles[:EXAMPLES]),
            _renamed(first, second.columns, header.row + 1),
            "read(header=…)",
        )
    elif header.upper != -1:
        yield Finding(
            "header on a later row",
            first.name,
            None,
            1,
            total,
            f"the names stand on line {first.line(header.row)}",
            (_example(first, first.line(header.row), top[header.row]),),
            _renamed(first, second.columns, header.row + 1),
            "read(header=…)",
        )
    if header.upper is not None:
        at, below = header.upper + 1, first.line(header.row)
        yield Finding(
            "two-row header",
            first.name,
            None,
            1,
            total,
            f"the names of line {below} are grouped by those of line {lines[at][0]}; the other mends know those of line"
            f" {below} alone: run them over read(header={below}), before names are joined",
            (_example(first, *lines[at]),),
            _renamed(first, _joined(first, header, top, len(second.columns)), header.row + 1),
            "read(header=…)",
        )


def _joined(table: Table, header: Header, top: Rows, width: int) -> list[str]:
    """Return the names of two rows, the upper first, which holds until the next."""
    upper = _own_names(table) if header.upper == -1 else top[header.upper or 0]
    names, group = [], ""
    for above, name in zip(upper, top[header.row], strict=True):
        group = above.strip() or group
        names.append(f"{group} {name.strip()}".strip() if name.strip() else "")
    return unique_names(names)[0][:width]


def _renamed(table: Table, names: Sequence[str], row: int) -> str:
    """Return the query for a table's rows from `row` on under other names."""
    cells = [named(quote(column), name) for column, name in zip(table.columns, names, strict=False)]
    return _BELOW.substitute(query=select(cells, table.name), row=row)


def _titles(table: Table, top: Rows) -> Iterator[Finding]:
    """Yield the finding for titles above a table whose header is the reader's."""
    skipped = table.ledger.of("preamble")
    if skipped:
        yield Finding(
            "preamble",
            table.name,
            None,
            skipped.count,
            table.rows + skipped.count,
            f"the reader took line {table.ledger.header_line} for the names",
            tuple(
                Example(text, table.name, line)
                for line, text in zip(skipped.lines[:EXAMPLES], skipped.texts, strict=False)
            ),
            select(["*"], table.name),
        )
        return
    if len(table.columns) < 3 or 2 * sum(unnamed(table)) < len(table.columns):
        return
    rows = []
    for row, cells in enumerate(top[:_DEEPEST]):
        here = _filled(cells)
        if len(here) > 1 or any(value_kind(cells[at]) for at in here):
            break
        rows += [row] if here else []
    if rows and len(rows) < table.rows:
        yield Finding(
            "preamble",
            table.name,
            None,
            len(rows),
            table.rows,
            "titles above columns without names",
            tuple(_example(table, table.line(row), top[row]) for row in rows[:EXAMPLES]),
            _BELOW.substitute(query=select(["*"], table.name), row=rows[-1] + 1),
        )


def _example(table: Table, line: int, cells: Sequence[str]) -> Example:
    return Example(" | ".join(cell.strip() for cell in cells if cell.strip()), table.name, line)
