"""Columns of one name that two tables write differently: dates, numbers and ids in other formats, codes for words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import Template

from prepsql.profile.date_order import order_of
from prepsql.profile.finding import Finding
from prepsql.profile.names import about_same, fold_name, is_placeholder
from prepsql.profile.result import DATES, MISSING, Column
from prepsql.profile.rules.code_words import meanings
from prepsql.profile.rules.signs import WITH_SCALE
from prepsql.profile.rules.writing import macro_of, shortened
from prepsql.profile.stack import same_columns
from prepsql.profile.subject import Scan, Subject
from prepsql.sqltext import fill, literal, literals, quote

# a way of writing is a table's own where so many of its cells have it
_OWN = 0.8
# codes and words are few
_FEW = 60
# a column written in more ways is free text
_WAYS = 12
_LONGEST_CODE = 16
_PLAIN = (("number", ""), ("date", "date yyyy-n-n"))

_PARTS = Template("""SELECT part, c.kind, c.form, value_mask(c.value) AS mask, sum(p.n)::BIGINT AS cells,
  count(*) AS n_values, arg_min(c.value, p.first), min(p.first)
FROM ($parts) AS p JOIN $cells AS c ON c.value = p.value AND c.position = $position
WHERE c.kind NOT IN ($missing) GROUP BY ALL ORDER BY part, cells DESC""")
_PART = Template("""SELECT $part AS part, coalesce($column, '') AS value, count(*) AS n, min(rowid) AS first
FROM $table WHERE rowid BETWEEN $start AND $last GROUP BY ALL""")
_DAY = "coalesce(parse_any_date(cell, order)::VARCHAR, cell)"
_MOMENT = "coalesce(parse_any_timestamp(cell, order)::VARCHAR, cell)"
_NUMBER = fill("coalesce(regexp_replace((reading)::VARCHAR, '[.]0$', ''), cell)", reading=WITH_SCALE)
_COMMA_NUMBER = "coalesce(regexp_replace(parse_number(cell, ',')::VARCHAR, '[.]0$', ''), cell)"
_REPLACED = Template("SELECT * REPLACE ($expression AS $name)\nFROM $table")


@dataclass(frozen=True)
class _Writing:
    """How one table writes a column: its cells by family and form, in how many values, and an example."""

    subject: Subject
    table: str
    name: str
    order: str
    cells: int
    values: int
    forms: dict[tuple[str, str], int]
    firsts: dict[tuple[str, str], tuple[int, str]]

    @property
    def main(self) -> tuple[str, str] | None:
        """The family and form of most cells, None where no one has most."""
        if not self.forms:
            return None
        form = max(self.forms, key=lambda form: self.forms[form])
        return form if self.forms[form] >= _OWN * self.cells else None

    @property
    def example(self) -> tuple[str, int]:
        """The first value in the main form, with its row."""
        row, value = self.firsts[self.main] if self.main else min(self.firsts.values())
        return value, row


def find(scans: Sequence[Scan]) -> Iterator[Finding]:
    """Yield one finding for each table's column that an earlier table writes in another way."""
    known: dict[str, list[_Writing]] = defaultdict(list)
    told: set[tuple[str, str]] = set()
    for writing in (writing for scan in scans for writing in _writings(scan)):
        name = fold_name(writing.name)
        if is_placeholder(writing.name) or writing.main is None:
            continue
        for earlier in known[name]:
            if about_same(earlier.table, earlier.name, writing.table, writing.name) is False:
                continue
            kind = _kind(earlier, writing)
            if kind:
                # the one that is plain needs no mend
                other, flagged = (writing, earlier) if writing.main in _PLAIN else (earlier, writing)
                if (flagged.table, flagged.name) not in told:
                    told.add((flagged.table, flagged.name))
                    yield _finding(kind, other, flagged, scans)
                break
        if not any(earlier.main == writing.main for earlier in known[name]):
            known[name].append(writing)


def _writings(scan: Scan) -> Iterator[_Writing]:
    """Yield how each column is written; in stacked tables by table where the column is written in several ways."""
    subject = scan.subject
    for column in scan.columns:
        if column.error or not column.said:
            continue
        whole = _Writing(
            subject,
            subject.table,
            column.name,
            order_of(column).parts,
            column.said,
            column.distinct,
            *_forms((s.kind, s.form, s.mask, s.cells, s.example, s.row) for s in column.shapes),
        )
        if len(subject.parts) == 1 or whole.main is not None:
            yield whole
        elif column.exact and len(whole.forms) <= _WAYS:
            yield from _by_part(scan, column)


def _by_part(scan: Scan, column: Column) -> Iterator[_Writing]:
    """Yield how each of the stacked tables writes a column."""
    subject = scan.subject
    parts = (
        _PART.substitute(
            part=at,
            column=subject.field(column.position),
            table=quote(subject.name),
            start=start,
            last=start + part.rows - 1,
        )
        for at, (part, start) in enumerate(zip(subject.parts, subject.offsets, strict=True))
    )
    query = _PARTS.substitute(
        parts="\nUNION ALL\n".join(parts),
        cells=scan.cells_of([column]),
        position=column.position,
        missing=", ".join(map(literal, MISSING)),
    )
    rows = subject.con.execute(query).fetchall()
    for at, part in enumerate(subject.parts):
        own = [row[1:] for row in rows if row[0] == at]
        if own:
            yield _Writing(
                subject,
                part.name,
                part.columns[same_columns(subject.parts[0], part)[column.position]],
                order_of(column).parts,
                sum(row[3] for row in own),
                sum(row[4] for row in own),
                *_forms((*row[:4], *row[5:]) for row in own),
            )


def _forms(
    shapes: Iterable[tuple[str, str, str, int, str, int]],
) -> tuple[dict[tuple[str, str], int], dict[tuple[str, str], tuple[int, str]]]:
    """Return the cells by family and form, and the first row of each with its value."""
    forms: dict[tuple[str, str], int] = defaultdict(int)
    firsts: dict[tuple[str, str], tuple[int, str]] = {}
    for kind, form, mask, cells, value, row in shapes:
        if kind not in MISSING:
            at = _form(kind, form, mask)
            forms[at] += cells
            firsts[at] = min(firsts.get(at, (row, value)), (row, value))
    return dict(forms), firsts


def _form(kind: str, form: str, mask: str) -> tuple[str, str]:
    if kind in DATES:
        return "date", f"{kind} {form}"
    if kind in ("integer", "decimal", "digits"):
        return "number", ""
    if kind == "number":
        return "number", form
    if kind != "text":
        return kind, ""
    if "9" in mask and len(mask) <= _LONGEST_CODE:
        return "code", re.sub("9+", "9", mask)
    return ("letter", "") if len(mask) <= 2 else ("words", "")


def _kind(one: _Writing, other: _Writing) -> str:
    """Return which kind of finding two ways of writing make, '' none."""
    if one.main is None or other.main is None or one.main == other.main:
        return ""
    families = {one.main[0], other.main[0]}
    if families in ({"number", "words"}, {"letter", "words"}, {"number", "letter"}):
        return "codes against words" if max(one.values, other.values) <= _FEW else ""
    if len(families) == 1 and families & {"date", "number", "code"}:
        return "formats across tables"
    return "formats across tables" if families == {"number", "code"} else ""


def _finding(kind: str, other: _Writing, writing: _Writing, scans: Sequence[Scan]) -> Finding:
    subject = writing.subject
    mend = _coded(other, writing, scans) if kind == "codes against words" else _mend(other, writing)
    return Finding(
        kind,
        writing.table,
        writing.name,
        writing.cells,
        writing.cells,
        f"{shortened(writing.example[0])!r} here, {shortened(other.example[0])!r} in {other.table}",
        (*subject.examples([writing.example]), *other.subject.examples([other.example])),
        mend,
        macro_of(mend),
    )


def _mend(other: _Writing, writing: _Writing) -> str:
    """Return the SELECT that writes the column plainly; what can't be read stays as it is."""
    forms = [form for form in (other.main, writing.main) if form]
    families = {family for family, _ in forms}
    if families == {"date"}:
        # a day beside moments is compared by days
        moments = all(form.startswith("timestamp") for _, form in forms)
        return _written(writing, _MOMENT if moments else _DAY, order=literal(writing.order))
    if families == {"number"}:
        return _written(writing, _COMMA_NUMBER if writing.main == ("number", "comma decimal") else _NUMBER)
    return _written(writing, "keep_digits(cell)")


def _coded(other: _Writing, writing: _Writing, scans: Sequence[Scan]) -> str:
    """Return the SELECT that calls things as the other table does, '' where only a person knows which is which."""
    known = meanings(scans, (writing.table, writing.name), (other.table, other.name))
    if not known:
        return ""
    return _written(
        writing, "map_value(strip_space(cell), old, new)", old=literals(known), new=literals(known.values())
    )


def _written(writing: _Writing, expression: str, **parts: str) -> str:
    cell = quote(writing.name)
    expression = fill(expression, cell=cell, **parts)
    return _REPLACED.substitute(expression=expression, name=cell, table=quote(writing.table))
