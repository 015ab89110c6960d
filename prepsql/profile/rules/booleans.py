"""Truth values in more than one notation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.rules.forms import or_as_it_is
from prepsql.profile.rules.writing import cells_of, column_finding, listed, replaced
from prepsql.profile.subject import Scan

_WORDS = Template("""SELECT position, tidy, sum(n)::BIGINT, arg_min(value, first), min(first)
FROM $cells
WHERE position IN ($positions) AND kind NOT IN ('empty', 'blank', 'null word')
GROUP BY ALL ORDER BY position, min(first)""")
_PAIRS = (
    ("yes", "no"), ("true", "false"), ("y", "n"), ("t", "f"), ("1", "0"), ("on", "off"), ("✓", "✗"), ("✔", "✘"),
    ("x", ""),
)  # fmt: skip
_FEW_VALUES = 20


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding for each column of truth values in which two pairs of words are used."""
    some = [column for column in scan.columns if column.cells("boolean") and column.distinct <= _FEW_VALUES]
    if not some:
        return
    words = defaultdict(list)
    query = _WORDS.substitute(cells_of(scan, some))
    for position, *facts in scan.subject.con.execute(query).fetchall():
        words[position].append(facts)
    for at, found in words.items():
        column = scan.columns[at]
        by_pair: dict[tuple[str, ...] | None, int] = defaultdict(int)
        for tidy, cells, _, _ in found:
            by_pair[next((pair for pair in _PAIRS if tidy in pair), None)] += cells
        if None in by_pair or len(by_pair) < 2:
            continue
        most = max(by_pair, key=lambda pair: by_pair[pair])
        others = [(value, row) for tidy, _, value, row in found if tidy not in (most or ())]
        detail = listed((value, cells) for _, cells, value, _ in found)
        mend = replaced(scan, column, or_as_it_is(column, "parse_boolean(cell)", column.said))
        yield column_finding(scan, "mixed booleans", column, column.said - by_pair[most], detail, others, mend)
