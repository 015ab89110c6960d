"""Values of one column that are likely one: equal after folding, an edit or two apart, or with digits for letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from string import Template

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.groups import NEAR_WORDS, SAME
from prepsql.profile.result import Column, Spelling, Variant
from prepsql.profile.slips import DIGITS, NEAR
from prepsql.profile.subject import Scan
from prepsql.sqltext import literals, quote

# of a value in a detail, letters
_SHOWN = 40
MAP = Template("SELECT * REPLACE (map_value($column, $old, $new) AS $column) FROM $table")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding a kind and column; it counts the distinct values that aren't the likeliest form of theirs."""
    columns = {column.name: column for column in scan.columns}
    for name, group in groupby(scan.spellings, key=lambda spelling: spelling.column):
        spellings = list(group)
        for kind in (SAME, DIGITS, NEAR, NEAR_WORDS):
            found = [(s, [v for v in s.variants if v.kind == kind]) for s in spellings]
            if any(variants for _, variants in found):
                yield _finding(scan, columns[name], kind, [pair for pair in found if pair[1]])


def _finding(scan: Scan, column: Column, kind: str, found: Sequence[tuple[Spelling, list[Variant]]]) -> Finding:
    pairs = [(variant, spelling.canonical) for spelling, variants in found for variant in variants]
    first, variants = max(found, key=lambda pair: sum(variant.cells for variant in pair[1]))
    shown = ", ".join(counted(variant.value, variant.cells) for variant in variants[:3])
    detail = f"{shown}{', …' if len(variants) > 3 else ''} → {counted(first.canonical, first.cells)}"
    return Finding(
        kind,
        scan.subject.table,
        column.name,
        len(pairs),
        column.distinct,
        detail if len(found) == 1 else f"{detail}; {len(found):,} groups",
        tuple(Example(variant.value, variant.table, variant.line) for variant, _ in pairs[:EXAMPLES]),
        map_sql(scan.subject.table, column.name, [(variant.value, canonical) for variant, canonical in pairs]),
        "map_value",
        scan.subject.tables,
    )


def counted(value: str, cells: int) -> str:
    """Return a value, cut where it is long, with how many cells have it."""
    text = value if len(value) <= _SHOWN else f"{value[: _SHOWN - 1]}…"
    return f"'{text}' ({cells:,})"


def map_sql(table: str, column: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return the SELECT of the table with the values of a column mapped, from the first of a pair to the second."""
    old, new = (literals(values) for values in zip(*pairs, strict=True))
    return MAP.substitute(column=quote(column), old=old, new=new, table=quote(table))
