"""Characters that don't belong to a value: such as nobody sees, footnote marks, white space around most values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import Template

from prepsql.profile.facts_sql import INVISIBLE, PADDED
from prepsql.profile.finding import Finding
from prepsql.profile.result import Column
from prepsql.profile.rules.writing import cells_that, column_finding, replaced
from prepsql.profile.subject import Scan

_INVISIBLE = Template("regexp_matches(value, '$characters')").substitute(characters=INVISIBLE)
_MARK = r"([\p{L})]{3,})(?:[*†‡§¹²³⁴⁵]+|\[[0-9a-z]{1,2}\])$"
# the last character first, which costs less than the pattern
_MARKED = Template(
    "CASE WHEN value <> '' AND contains('*†‡§¹²³⁴⁵]', right(value, 1)) THEN regexp_matches(value, '$mark') "
    "ELSE false END"
).substitute(mark=_MARK)
_YEAR_MARK = r"^((?:1[5-9]|20)[0-9]{2}(?:[–-][0-9]{2,4})?)(?:[1-9]|[*†‡§¹²³⁴⁵]+|\[[0-9a-z]{1,2}\])$"
_MASK = re.compile(r"[*†‡§¹²³⁴⁵]$|\[[9a]{1,2}\]$")
_PADDING_SHARE = 0.5
_MOST_MARKED = 0.5


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding of each kind a column."""
    unseen = [column for column in scan.columns if column.invisible]
    for column, cells, found in cells_that(scan, unseen, _INVISIBLE):
        names = ", ".join(dict.fromkeys(_names(value for value, _ in found)))
        mend = replaced(scan, column, "clean_text(cell)")
        yield column_finding(scan, "invisible characters", column, cells, names, found, mend)
    # a no-break space around values is told above
    padded = [
        column
        for column in scan.columns
        if column.padded >= _PADDING_SHARE * column.said > 0 and column.invisible < column.padded
    ]
    for column, cells, found in cells_that(scan, padded, PADDED):
        mend = replaced(scan, column, "strip_space(cell)")
        yield column_finding(scan, "padding", column, cells, f"of {column.said:,} values", found, mend)
    yield from _footnotes(scan)


def _footnotes(scan: Scan) -> Iterator[Finding]:
    """Yield the columns in which few values end with a footnote's mark."""
    years = [column for column in scan.columns if _of_years(column)]
    texts = [
        column for column in scan.columns if column.cells("text") and column not in years and _may_be_marked(column)
    ]
    for some, pattern, condition in (
        (texts, _MARK, _MARKED),
        (years, _YEAR_MARK, Template("regexp_matches(tidy, '$mark')").substitute(mark=_YEAR_MARK)),
    ):
        for column, cells, found in cells_that(scan, some, condition):
            if cells < _MOST_MARKED * column.said:
                mend = replaced(scan, column, Template("regexp_replace(cell, '$mark', '\\1')").substitute(mark=pattern))
                yield column_finding(scan, "footnote marks", column, cells, "at the end of values", found, mend)


def _may_be_marked(column: Column) -> bool:
    """Whether some value may end with a mark: in a column that isn't grouped only shapes are looked at."""
    return column.exact or any(_MASK.search(shape.mask) for shape in column.shapes if shape.kind == "text")


def _of_years(column: Column) -> bool:
    """Whether most values are years, alone or as a span."""
    cells = sum(shape.cells for shape in column.shapes if re.fullmatch("9999(?:[–-]99(?:99)?)?", shape.mask))
    return column.said > cells >= 0.8 * column.said and _between(column)


def _between(column: Column) -> bool:
    numbers = column.numbers
    return numbers is None or 1500 <= numbers.quarter <= numbers.three_quarters < 2100


_CHARACTERS = {
    "\xa0": "no-break space", "\xad": "soft hyphen", "\u200b": "zero-width space", "\u200c": "zero-width non-joiner",
    "\u200d": "zero-width joiner", "\u200e": "left-to-right mark", "\u200f": "right-to-left mark",
    "\u202f": "narrow no-break space", "\u2060": "word joiner", "\ufeff": "byte order mark",
}  # fmt: skip


def _names(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        for character in value:
            if character in _CHARACTERS or not (character.isprintable() or character in "\t\r\n"):
                yield _CHARACTERS.get(character, f"U+{ord(character):04X}")
