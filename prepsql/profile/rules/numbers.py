"""Numbers that a cast doesn't read: scaled, dressed with signs and words, or marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prepsql.profile.finding import Finding
from prepsql.profile.result import NUMBERS, Column
from prepsql.profile.rules import signs, units
from prepsql.profile.rules.forms import Form, first_reading, forms, or_as_it_is
from prepsql.profile.rules.writing import column_finding, listed, of_cell, parted, replaced
from prepsql.profile.subject import Scan
from prepsql.sqltext import fill

_SHARE = 0.5
_FORMS = {
    "scaled numbers": ("scale",),
    "dressed numbers": (
        "thousands", "comma decimal", "percent", "currency", "ordinal", "unit", "parentheses", "words",
    ),
    "marked numbers": ("mark", "note"),
}  # fmt: skip
# what a finding about signs or units says already
_TOLD_BY = {
    "comma decimal": "mixed decimal signs",
    "thousands": "mixed decimal signs",
    "unit": "mixed units",
    "currency": "mixed units",
    "percent": "mixed units",
}
# with either decimal sign, and of $5mm, millions, which 5 mm isn't
_EITHER_SIZE = fill(
    "CASE WHEN cell_number_form(cell) <> 'scale' THEN either WHEN regexp_matches(cell, 'comma') "
    "THEN parse_magnitude(bare, ',') ELSE parse_magnitude(bare) END",
    either=signs.EITHER_SIGN,
    comma=signs.COMMA,
    bare="regexp_replace(translate(cell, '*†‡~#[]', ''), "
    "'(?i)mm([.]?(?: ?(?:\\p{Sc}|usd|eur|gbp|chf))?[)]?)$', 'm\\1')",
)
_SCALED = ("parse_magnitude(cell)", "parse_magnitude(translate(cell, '*†‡~#()[]', ''))", _EITHER_SIZE)
_DRESSED = (
    "parse_number(cell)",
    "parse_number(cell, ',')",
    signs.EITHER_SIGN,
    signs.WITH_SCALE,
    signs.ANY_NUMBER,
)
# where some comma is a decimal one
_COMMA = ("parse_number(cell, ',')", signs.EITHER_SIGN, signs.ANY_NUMBER)
# of a marked number the number, and what isn't
_NUMBER = "first_number(replace(replace(replace(cell, '½', '.5'), '¼', '.25'), '¾', '.75'))"
_MARK = "nullif(regexp_replace(cell, '[-+]?[0-9][0-9.,]*[½¼¾]?', ''), '')"


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding of each kind a column of numbers."""
    mixed = [*units.find(scan), *signs.find(scan)]
    yield from mixed
    told = {(finding.kind, finding.column) for finding in mixed}
    numeric = [
        column for column in scan.columns if column.cells("number") and column.cells(*NUMBERS) >= _SHARE * column.said
    ]
    no_numbers = units.codes(scan, numeric)
    written = forms(scan, ("number",), [column for column in numeric if column.position not in no_numbers])
    for kind, of_kind in _FORMS.items():
        found = {
            at: [form for form in some if form.notation in of_kind and not _told(scan.columns[at], form, told)]
            for at, some in written.items()
        }
        yield from _findings(scan, kind, {at: some for at, some in found.items() if some})


def _told(column: Column, form: Form, told: set[tuple[str, str | None]]) -> bool:
    """Whether a finding about signs or units says already what this form is."""
    kind = _TOLD_BY.get(form.notation)
    return (kind, column.name) in told


def _findings(scan: Scan, kind: str, found: dict[int, list[Form]]) -> Iterator[Finding]:
    readers = {} if kind == "marked numbers" else _readers(scan, kind, found)
    for at, some in sorted(found.items()):
        column = scan.columns[at]
        cells = sum(form.cells for form in some)
        mend = ""
        if kind == "marked numbers":
            mend = _unmarked(scan, column)
        elif at in readers:
            mend = replaced(scan, column, readers[at])
        detail = ", ".join(f"{form.notation} {form.cells:,}" for form in some)
        detail = f"{detail}: {listed((form.example, form.cells) for form in some)}" if len(some) > 1 else detail
        yield column_finding(scan, kind, column, cells, detail, _examples(column, some), mend)


def _readers(scan: Scan, kind: str, found: dict[int, list[Form]]) -> dict[int, str]:
    """Return by position an expression that reads all numbers, else one that reads these and leaves the others."""
    if kind == "scaled numbers":
        return _first_readers(scan, found, _SCALED)
    commas = {at: some for at, some in found.items() if any(form.notation == "comma decimal" for form in some)}
    others = {at: some for at, some in found.items() if at not in commas}
    return _first_readers(scan, commas, _COMMA) | _first_readers(scan, others, _DRESSED)


def _first_readers(scan: Scan, found: dict[int, list[Form]], expressions: tuple[str, ...]) -> dict[int, str]:
    shapes = {at: [shape for shape in scan.columns[at].shapes if shape.kind in NUMBERS] for at in found}
    readers = first_reading(scan, {at: [shape.example for shape in some] for at, some in shapes.items()}, expressions)
    readers = {at: or_as_it_is(scan.columns[at], one, scan.columns[at].cells(*NUMBERS)) for at, one in readers.items()}
    left = {
        at: [shape.example for shape in some if shape.form in {form.notation for form in found[at]}]
        for at, some in shapes.items()
        if at not in readers
    }
    others = first_reading(scan, left, expressions)
    return readers | {at: or_as_it_is(scan.columns[at], one, 0) for at, one in others.items()}


def _unmarked(scan: Scan, column: Column) -> str:
    return parted(
        scan,
        column,
        "CASE WHEN marked THEN (number)::VARCHAR ELSE cell END",
        {"mark": "CASE WHEN marked THEN mark END"},
        marked=of_cell(column, "cell_number_form(cell) IN ('mark', 'note')"),
        number=of_cell(column, _NUMBER),
        mark=of_cell(column, _MARK),
    )


def _examples(column: Column, some: Sequence[Form]) -> list[tuple[str, int]]:
    """Return an example of each form, then others of the first."""
    first = [(form.example, form.row) for form in some]
    notations = {form.notation for form in some}
    others = [(s.example, s.row) for s in column.shapes if s.kind == "number" and s.form in notations]
    return first + [pair for pair in others if pair not in first]
