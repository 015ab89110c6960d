"""Numbers in more than one unit or currency."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.result import NUMBERS, Column
from prepsql.profile.rules.forms import first_reading, or_as_it_is
from prepsql.profile.rules.signs import ANY_NUMBER
from prepsql.profile.rules.writing import cells_of, column_finding, listed, parted, replaced
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal

# what stands behind the number, or its currency: a row a column and unit
_UNITS = Template("""SELECT position, form, unit, sum(n)::BIGINT AS cells, arg_min(value, first), min(first)
FROM (
  SELECT *, CASE WHEN form = 'currency' THEN regexp_extract(tidy, '\\p{Sc}|[a-z]+')
    ELSE regexp_replace(tidy, '^[-+]?[0-9.,]+[ -]?', '') END AS unit
  FROM $cells WHERE position IN ($positions) AND form IN ('unit', 'currency', 'words', 'percent'))
GROUP BY ALL""")
# units inside a text, after its first number
_IN_TEXT = Template("""SELECT position, 'unit', unit, sum(n)::BIGINT AS cells, arg_min(value, first), min(first)
FROM (
  SELECT *, regexp_extract(tidy, '^[^0-9a-z]{0,3}[0-9][0-9.,/]* ?($known)(?:[^a-z]|$$)', 1) AS unit
  FROM $cells WHERE position IN ($positions) AND kind IN ('text', 'number'))
WHERE unit <> ''
GROUP BY ALL""")
_KNOWN = (
    "mm|cm2?|m2?|km|in|inch|inches|ft|feet|foot|yd|mi|miles?|nmi|mg|g|kg|t|tons?|oz|lbs?|ml|cl|l|litres?|liters?|"
    "gal|wh|kwh|mwh|w|kw|kb|mb|gb|tb|s|sec|secs|seconds?|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|"
    'years?|yrs?|°c|°f|km/h|mph|p|¢|%|"|″|′'
)
# a text that starts with a number and its unit, and the rest of it
_IN_THREE = Template("(?is)^\\s*([^0-9a-z]{0,3}[0-9][0-9.,/]*) ?($known)((?:[^a-z].*)?)$$").substitute(known=_KNOWN)
_CURRENCIES = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy", "₹": "inr", "rs": "inr", "us": "usd"}
# units of time, of which one length may have several
_CLOCK = {"d", "day", "h", "hr", "hour", "m", "min", "minute", "s", "sec", "second"}
# more different words behind numbers than this are no units
_MOST_UNITS = 8
_NEARLY_ALL = 0.8
_SHARE = 0.5
# longer texts are more than a number with its unit
_LONGEST = 24
# where percentages are mixed with parts of one
_FRACTIONS = Template("""SELECT position, sum(n) FILTER (form = 'percent')::BIGINT,
  sum(n) FILTER (kind IN ('integer', 'decimal'))::BIGINT,
  arg_min(value, first) FILTER (form = 'percent'), min(first) FILTER (form = 'percent'),
  arg_min(value, first) FILTER (kind = 'decimal'), min(first) FILTER (kind = 'decimal')
FROM $cells WHERE position IN ($positions) AND (form = 'percent' OR kind IN ('integer', 'decimal'))
GROUP BY position
HAVING max(abs(TRY_CAST(tidy AS DOUBLE))) FILTER (kind IN ('integer', 'decimal')) <= 1
ORDER BY position""")
# cells, the first value, and its row
Unit = tuple[int, str, int]


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding for each column with two units or more, or with percentages and parts of one."""
    fractions = list(_fractions(scan))
    yield from fractions
    dressed = [column for column in scan.columns if column.cells("number")]
    texts = [column for column in scan.columns if column.type == "text" and _starts_with_digits(column)]
    found = _asked(scan, _UNITS, [column for column in dressed if column.cells(*NUMBERS) >= _SHARE * column.said])
    found |= _asked(scan, _IN_TEXT, texts, known=_KNOWN)
    for at, units in sorted(found.items()):
        column = scan.columns[at]
        if column.name in {finding.column for finding in fractions}:
            continue
        if not 1 < len(units) <= _MOST_UNITS or sum(_is_unit(name) for name in units) < 2:
            continue
        counted = sorted(units.items(), key=lambda unit: -unit[1][0])
        cells = sum(cells for _, (cells, _, _) in counted)
        detail = listed((name, cells) for name, (cells, _, _) in counted)
        mend = (_in_three if column in texts else _apart)(scan, column)
        if units.keys() <= _CLOCK:
            shown = [shape.example for shape in column.shapes if shape.kind in ("text", "number")]
            reader = first_reading(scan, {at: shown}, ("parse_duration(cell)",)).get(at)
            if reader:
                detail += "; as lengths of time, in seconds"
                mend = replaced(scan, column, or_as_it_is(column, reader, 0))
        examples = [(example, row) for _, (_, example, row) in counted[::-1]]
        yield column_finding(scan, "mixed units", column, cells - counted[0][1][0], detail, examples, mend)


def _fractions(scan: Scan) -> Iterator[Finding]:
    """Yield the columns of numbers in which some are percentages and all others parts of one."""
    some = [
        column
        for column in scan.columns
        if column.cells("decimal") and any(shape.form == "percent" for shape in column.shapes)
    ]
    if not some:
        return
    for at, percents, plain, *found in scan.subject.con.execute(_FRACTIONS.substitute(cells_of(scan, some))).fetchall():
        column = scan.columns[at]
        if percents + plain < _SHARE * column.said:
            continue
        counted = sorted([(percents, found[0], found[1]), (plain, found[2], found[3])])
        detail = f"{percents:,} percentages, {plain:,} parts of one"
        expression = "CASE WHEN contains(cell, '%') THEN CAST(parse_percent(cell) AS VARCHAR) ELSE cell END"
        examples = [(example, row) for _, example, row in counted]
        mend = replaced(scan, column, expression)
        yield column_finding(scan, "mixed units", column, counted[0][0], detail, examples, mend)


def codes(scan: Scan, columns: Iterable[Column]) -> set[int]:
    """Return the positions of the columns whose letters behind digits are no units but belong to codes."""
    lettered = [
        column
        for column in columns
        if any(shape.form in ("unit", "words") for shape in column.shapes)
        # letters behind few numbers of a column of decimals belong to no code
        and not (column.cells("decimal") and column.cells("integer", "decimal") >= _NEARLY_ALL * column.said)
    ]
    found = _asked(scan, _UNITS, lettered)
    return {at for at, units in found.items() if _are_codes({name: unit[0] for name, unit in units.items()})}


def _are_codes(units: Mapping[str, int]) -> bool:
    """Whether these are no units but letters of codes: single ones, or nearly as many as cells."""
    strange = [name for name in units if not _is_unit(name)]
    single = [name for name in strange if len(name) == 1]
    if len(strange) > _MOST_UNITS or 2 * len(single) > len(units):
        return True
    return len(strange) > 2 and len(strange) > _NEARLY_ALL * sum(units.values())


def _is_unit(name: str) -> bool:
    return re.fullmatch(_KNOWN, name) is not None or name in _CURRENCIES or name in _CURRENCIES.values()


def _asked(scan: Scan, query: Template, columns: list[Column], **parts: str) -> dict[int, dict[str, Unit]]:
    """Return the units of each column, one name for each, with their cells, first value and its row."""
    found: dict[int, dict[str, Unit]] = defaultdict(dict)
    if not columns:
        return found
    filled = query.substitute(cells_of(scan, columns), **parts)
    for position, _, unit, cells, example, row in scan.subject.con.execute(filled).fetchall():
        name = _CURRENCIES.get(unit, unit.rstrip("s.") or unit)
        known = found[position].get(name)
        if known:
            first = min((row, example), known[:0:-1])
            found[position][name] = (cells + known[0], first[1], first[0])
        else:
            found[position][name] = (cells, example, row)
    return found


def _starts_with_digits(column: Column) -> bool:
    cells = sum(shape.cells for shape in column.shapes if shape.example.lstrip("$€£¥~<>≈ ")[:1].isdigit())
    return cells >= _SHARE * column.said > 0 and column.mean_length <= _LONGEST


def _apart(scan: Scan, column: Column) -> str:
    """Return the SELECT with the unit in a column of its own."""
    unit = "nullif(regexp_extract(lower(cell), '\\p{Sc}|[\\p{L}°%''\"′″][\\p{L}°%''\"′″/²³23]*'), '')"
    return parted(scan, column, ANY_NUMBER, {"unit": unit})


def _in_three(scan: Scan, column: Column) -> str:
    """Return the SELECT with the first number, its unit and the rest of a text, each in a column of its own."""
    return parted(
        scan,
        column,
        "CASE WHEN regexp_matches(cell, pattern) THEN regexp_extract(cell, pattern, 1) ELSE cell END",
        {
            "unit": "nullif(lower(regexp_extract(cell, pattern, 2)), '')",
            "rest": "nullif(strip_space(regexp_extract(cell, pattern, 3)), '')",
        },
        pattern=literal(_IN_THREE),
    )
