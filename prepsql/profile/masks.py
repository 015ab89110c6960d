"""The masks of a long table's cells: learnt from its first rows, so that a test of a pattern tells most of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from string import Template

from prepsql.profile.subject import Subject
from prepsql.sqltext import fill, literal, quote

_FIRST_ROWS = 500
_SHARE = 0.1
_MOST_MASKS = 3
# each set of masks is one more branch for every cell
_MOST_SETS = 60
# plain numbers have a shorter way to theirs
_LEARNT = ("VARCHAR", "TIMESTAMP", "DATE")
_MASKS = Template("""SELECT position, mask
FROM (
  SELECT unnest([$positions]::INTEGER[]) AS position, value_mask(unnest([$columns]::VARCHAR[])) AS mask
  FROM (FROM $table LIMIT $rows))
WHERE regexp_full_match(mask, '[ -~]{2,}')
GROUP BY position, mask
QUALIFY count(*) >= $share * $rows AND row_number() OVER (PARTITION BY position ORDER BY count(*) DESC, mask) <= $most
ORDER BY position, count(*) DESC, mask""")
_NUMBER = """CASE
      WHEN kind = 'integer' AND plain AND value BETWEEN '0' AND ':' THEN repeat('9', size)
      WHEN kind = 'decimal' AND plain AND value BETWEEN '0' AND ':' AND NOT contains(tidy, 'e')
        THEN concat(repeat('9', strpos(value, '.') - 1), '.', repeat('9', size - strpos(value, '.'))) END"""
# what a part of a mask stands for; a mask's marks stand for themselves
_PARTS = {"aaa": "[a-z]{3,}", "aa": "[a-z]{2}", "a": "[a-z]", "AAAA": "[A-Z]{4,}"}
_PART = re.compile("aaa|aa?|AAAA|A+|9+|.", re.DOTALL)


def mask_sql(subject: Subject, types: Sequence[str | None]) -> str:
    """Return the expression for value_mask of a cell of the subject; it asks the first rows of columns of text.

    `types` are those that the first rows show; None, of a table where it saves nothing.
    """
    learnt = {at: type_ for at, type_ in enumerate(types) if type_ in _LEARNT}
    sets: dict[tuple[str, ...], list[int]] = defaultdict(list)
    if learnt:
        for at, masks in _first_masks(subject, list(learnt)).items():
            sets[tuple(masks)].append(at)
    tests = [
        Template("WHEN position IN ($positions) THEN CASE $tests END").substitute(
            positions=", ".join(map(str, positions)), tests=" ".join(map(_test, masks))
        )
        for masks, positions in list(sets.items())[:_MOST_SETS]
    ]
    by_column = f"CASE WHEN size > 32 THEN '…' {' '.join(tests)} END, " if tests else ""
    return f"coalesce({_NUMBER}, {by_column}value_mask(value))"


def _first_masks(subject: Subject, positions: Sequence[int]) -> Mapping[int, list[str]]:
    """Return by position the most frequent masks of the first rows, of ASCII characters."""
    rows = min(_FIRST_ROWS, subject.rows)
    query = _MASKS.substitute(
        positions=", ".join(map(str, positions)),
        columns=", ".join(subject.field(at) for at in positions),
        table=quote(subject.name),
        rows=rows,
        share=_SHARE,
        most=_MOST_MASKS,
    )
    masks: dict[int, list[str]] = defaultdict(list)
    for at, mask in subject.con.execute(query).fetchall():
        masks[at].append(mask)
    return masks


def _test(mask: str) -> str:
    pattern = "".join(_pattern(part) for part in _PART.findall(mask))
    return fill("WHEN regexp_full_match(value, pattern) THEN mask", pattern=literal(pattern), mask=literal(mask))


def _pattern(part: str) -> str:
    if part in _PARTS:
        return _PARTS[part]
    if part[0] in "9A":
        return f"[{'0-9' if part[0] == '9' else 'A-Z'}]{{{len(part)}}}"
    return re.escape(part)
