"""What has no mend, since it is told nowhere what is meant."""

from collections.abc import Callable
from csv import QUOTE_ALL
from dataclasses import replace
from random import Random

from tests.profile.irregular import Put, text
from tests.profile.irregular_across import listed_words


def codes(random: Random) -> Put:
    """Codes that no table lists the meaning of."""
    put = listed_words(random)
    return replace(put, files={name: put.files[name] for name in ("plots", "visits")})


def _column(rows: int, cell: Callable[[int], str], count: int) -> Put:
    table = text([["visit", "value"], *([f"visit {at}", cell(at)] for at in range(rows))])
    return Put({"visits": table}, "value", count, (), ())


def days_without_month(random: Random) -> Put:
    rows = random.randint(20, 40)
    return _column(rows, lambda at: f"Sat, {at % 28 + 1}, 2023", rows)


def days_without_month_or_year(random: Random) -> Put:
    rows = random.randint(20, 40)
    return _column(rows, lambda at: f"Sat, {at % 28 + 1}, 2023" if at % 4 else "Monday - 13th Jan", (rows + 3) // 4)


def no_times(random: Random) -> Put:
    """Afternoons that begin at no hour of twelve."""
    rows = random.randint(20, 40)
    return _column(rows, lambda at: f"{at % 9 + 13}:{at % 49 + 10} pm", rows)


def no_times_nor_lengths(random: Random) -> Put:
    rows = random.randint(20, 40)
    return _column(
        rows, lambda at: f"{at % 9 + 13}:{at % 49 + 10} pm" if at % 4 else f"1{at % 90 + 10}h30", (rows + 3) // 4
    )


def nothing_else(random: Random) -> Put:
    rows = random.randint(5, 9)
    return Put({"visits": text([["value"], *[[""]] * rows], QUOTE_ALL)}, "value", rows, (), ())


UNKNOWN = (
    ("empty column", nothing_else),
    ("codes against words", codes),
    ("date text", days_without_month),
    ("mixed date formats", days_without_month_or_year),
    ("time text", no_times),
    ("mixed time formats", no_times_nor_lengths),
)
