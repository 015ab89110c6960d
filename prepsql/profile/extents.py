"""From where to where a column goes: as numbers, as ISO dates, or in the order of text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from string import Template

from prepsql.profile.date_order import order_of
from prepsql.profile.result import DATES, NUMBERS, Column
from prepsql.profile.subject import positions
from prepsql.sqltext import literal

End = str | float
# the first and the last day of columns whose dates can be read, each in its order
DAYS_SQL = Template("""SELECT position, CAST(min(day) AS VARCHAR), CAST(max(day) AS VARCHAR)
FROM (
  SELECT position, CASE WHEN regexp_matches(tidy, '^[0-9]{4}-[0-9]{2}-[0-9]{2}') THEN TRY_CAST(left(tidy, 10) AS DATE)
    ELSE coalesce(parse_any_date(tidy, CASE position $orders END), parse_month(tidy)) END AS day
  FROM $cells WHERE position IN ($positions) AND kind IN ('date', 'timestamp', 'month'))
GROUP BY position ORDER BY position""")


def extent(column: Column) -> tuple[End, End] | None:
    """Return the least and the greatest value of a column by what is known of it; None where that isn't."""
    if column.type in NUMBERS:
        if column.numbers is None:
            return None
        ends = (column.numbers.minimum, column.numbers.maximum)
        return (int(ends[0]), int(ends[1])) if column.type == "integer" else ends
    if column.type not in DATES:
        return None if column.first_text is None or column.last_text is None else (column.first_text, column.last_text)
    whole = [reading for reading in column.readings if reading.cells == column.cells(*DATES)]
    if len(whole) == 1:
        return whole[0].earliest, whole[0].latest
    iso = all(shape.mask.startswith("9999-99-99") for shape in column.shapes if shape.kind != "empty")
    if iso and column.first_text and column.last_text and all(map(_is_day, (column.first_text, column.last_text))):
        return column.first_text, column.last_text
    return None


def unread(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of dates whose first and last day must be asked for, and can be: all in one order."""
    return [c for c in columns if c.type in DATES and c.exact and extent(c) is None and order_of(c).decided]


def orders(columns: Sequence[Column]) -> dict[str, str]:
    """Return the parts of DAYS_SQL that name some columns."""
    each = (f"WHEN {column.position} THEN {literal(order_of(column).parts)}" for column in columns)
    return {"orders": " ".join(each), "positions": positions(columns)}


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True
