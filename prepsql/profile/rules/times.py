"""Times of day and lengths of time: more than one notation in a column, or one that is not ISO."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prepsql.profile.finding import Finding
from prepsql.profile.rules.forms import first_reading, forms, or_as_it_is, readable, unread_apart
from prepsql.profile.rules.writing import column_finding, listed, replaced
from prepsql.profile.subject import Scan

_SHARE = 0.3
_ISO = ("9:9", "9:9:9")
# what lengths of time are, and such as have several units
_LENGTHS = ("text", "number", "time")
_SEVERAL = re.compile(r"(?i)\s*[0-9.]+ ?[a-z]+[.,]? ?(?:and )?[0-9]")
_UNIT = re.compile("[0-9.]+ ?([a-z])")
_READERS = ("parse_clock(cell)", "parse_duration(cell)")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield one finding a column of which enough cells are times, or lengths of time with several units."""
    yield from _lengths(scan)
    some = [column for column in scan.columns if column.cells("time") > max(1, _SHARE * column.said)]
    found = {
        at: written
        for at, written in forms(scan, ("time",), some).items()
        if len(written) > 1 or written[0].notation not in _ISO
    }
    shown = {at: [s.example for s in scan.columns[at].shapes if s.kind == "time"] for at in found}
    readers = first_reading(scan, shown, _READERS)
    partly = readable(scan, {at: some for at, some in shown.items() if at not in readers}, _READERS)
    some_read = first_reading(scan, partly, _READERS)
    for at, written in sorted(found.items()):
        column = scan.columns[at]
        detail = listed((form.example, form.cells) for form in written)
        mend = ""
        if at in readers:
            mend = replaced(scan, column, or_as_it_is(column, readers[at], column.cells("time")))
        elif at in some_read:
            mend = unread_apart(scan, column, some_read[at], ("time",))
        if _READERS[1] in (readers.get(at), some_read.get(at)):
            detail += "; as lengths of time, in seconds"
        examples = [(form.example, form.row) for form in [*written[1:], written[0]]]
        if len(written) > 1:
            count = column.cells("time") - written[0].cells
            yield column_finding(scan, "mixed time formats", column, count, detail, examples, mend)
        else:
            yield column_finding(scan, "time text", column, column.cells("time"), detail, examples, mend)


def _lengths(scan: Scan) -> Iterator[Finding]:
    """Yield the columns of lengths of time such as 1h 20m; of such with one unit each `units` tells."""
    shown = {
        column.position: examples
        for column in scan.columns
        if column.type == "text"
        and (examples := [shape.example for shape in column.shapes if shape.kind in _LENGTHS])
        and column.cells(*_LENGTHS) == column.said
        and any(map(_SEVERAL.match, examples))
        and len({unit[1] for example in examples if (unit := _UNIT.search(example.lower()))}) == 1
    }
    for at, reader in first_reading(scan, shown, _READERS[1:]).items():
        column = scan.columns[at]
        shapes = [shape for shape in column.shapes if shape.kind in _LENGTHS]
        detail = f"lengths of time: {listed((shape.example, shape.cells) for shape in shapes)}; the mend gives seconds"
        mend = replaced(scan, column, or_as_it_is(column, reader, column.cells(*_LENGTHS)))
        found = [(shape.example, shape.row) for shape in shapes]
        yield column_finding(scan, "time text", column, column.said, detail, found, mend)
