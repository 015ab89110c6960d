"""Which code stands for which word: as a table of the inputs lists them, or as the words begin with the codes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from string import Template

from prepsql.profile.subject import Scan
from prepsql.sqltext import literals, quote

_VALUES = Template("SELECT DISTINCT strip_space($column) FROM $table WHERE NOT is_blank($column)")
# a row a column: how many of the values it has
_HOLDING = Template("""SELECT position, count(DISTINCT strip_space(value)) FROM $cells
WHERE strip_space(value) IN (SELECT unnest($values)) GROUP BY position ORDER BY position""")
_PAIRS = Template("""SELECT DISTINCT strip_space($left), strip_space($right) FROM $table
WHERE strip_space($left) IN (SELECT unnest($values)) AND NOT is_blank($right)""")
# beside each value so many of the others' at least
_MOST = 0.5


def meanings(scans: Sequence[Scan], here: tuple[str, str], elsewhere: tuple[str, str]) -> dict[str, str]:
    """Return what each value of one column (table, name) is called in another, {} where not all of them are known."""
    con = scans[0].subject.con
    values, others = (
        sorted(value for (value,) in con.execute(_VALUES.substitute(column=quote(name), table=quote(table))).fetchall())
        for table, name in (here, elsewhere)
    )
    return next(_listed(scans, values, others), {}) or _initials(values, others)


def _initials(values: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    """Return the one word that begins with each code, or the one code that each word begins with."""
    found = {
        value: [o for o in others if o.casefold().startswith(value.casefold()) or _begins(value, o)] for value in values
    }
    pairs = {value: some[0] for value, some in found.items() if len(some) == 1}
    return pairs if len(pairs) == len(values) == len(set(pairs.values())) else {}


def _begins(word: str, code: str) -> bool:
    return word.casefold().startswith(code.casefold())


def _listed(scans: Sequence[Scan], values: Sequence[str], others: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the pairs of each two columns of one table: one has all the values, the other has others beside them."""
    for scan in scans:
        subject = scan.subject
        full, partly = (
            dict(subject.con.execute(_HOLDING.substitute(cells=quote(scan.values), values=literals(some))).fetchall())
            for some in (values, others)
        )
        for left, right in ((left, right) for left, count in full.items() for right in partly if count == len(values)):
            if left == right:
                continue
            query = _PAIRS.substitute(
                left=subject.field(left), right=subject.field(right), table=quote(subject.name), values=literals(values)
            )
            pairs: dict[str, set[str]] = defaultdict(set)
            for value, other in subject.con.execute(query).fetchall():
                pairs[value].add(other)
            single = {value: next(iter(some)) for value, some in pairs.items() if len(some) == 1}
            known = sum(other in others for other in single.values())
            if len(single) == len(values) == len(set(single.values())) and known >= _MOST * len(values):
                yield single
