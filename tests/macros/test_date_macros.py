"""Dates against Python's calendar."""

import calendar
from datetime import date, datetime, time, timedelta

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

# an example holds many values: what takes long is to compile the query, not the rows
FEW = settings(max_examples=20)
DATES = st.dates(date(1000, 1, 1), date(9998, 12, 31)) | st.dates(date(1890, 1, 1), date(2110, 12, 31))
RECENT = st.dates(date(1970, 1, 1), date(2060, 12, 31))
# from 1300 on a date without separators reads as one day alone: no month is 13
LATER = st.lists(st.dates(date(1300, 1, 1)) | RECENT, min_size=1, max_size=40)
DAYS = st.lists(DATES, min_size=1, max_size=40)
PAIRS = st.lists(st.tuples(RECENT, RECENT), min_size=1, max_size=20)

# how a date is written where its parts are named or its year stands in front, so that every order reads it
CLEAR = [
    "{Y}-{m:02}-{d:02}",
    "{Y}/{m}/{d}",
    "{Y}.{m:02}.{d:02}",
    "{Y}{m:02}{d:02}",
    "{d} {B} {Y}",
    "{B} {d}, {Y}",
    "{d}-{b}-{Y}",
    "{b}. {d}{th} {Y}",
    "the {d}{th} of {B} {Y}",
    "{A}, {d} {b} {Y}",
    "{a} {b} {d} {Y}",
    "{Y}-{b}-{d:02}",
    "{d:02}{b}{Y}",
    "{Y}年{m}月{d}日",
    "{Y}-{m:02}-{d:02}T10:30:00Z",
    "{d} {B} {Y}, 9:05 pm",
    "{Y}-{m:02}-{d:02} 23:59:59.123",
]
BARE = {
    "dmy": ["{d}/{m}/{Y}", "{d:02}.{m:02}.{Y}", "{d} {m} {Y}", "{d:02}{m:02}{Y}"],
    "mdy": ["{m}/{d}/{Y}", "{m:02}-{d:02}-{Y}", "{m:02}/{d:02}/{Y} 12:00"],
    "ymd": ["{Y}-{m}-{d}"],
}
SHORT = {
    "dmy": ["{d}/{m}/{y:02}", "{d:02}{m:02}{y:02}"],
    "mdy": ["{m}-{d}-{y:02}"],
    "ymd": ["{y:02}.{m:02}.{d:02}", "{y:02}{m:02}{d:02}"],
}


def write(form, day):
    th = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day // 10 != 1 else 0, "th")
    names = {"B": calendar.month_name[day.month], "b": calendar.month_abbr[day.month]}
    names |= {"A": calendar.day_name[day.weekday()], "a": calendar.day_abbr[day.weekday()]}
    return form.format(Y=f"{day.year:04}", y=day.year % 100, m=day.month, d=day.day, th=th, **names)


@pytest.mark.parametrize("parts", BARE)
@FEW
@given(LATER, st.data())
def test_a_date_is_read_however_it_is_written(column, parts, days, data):
    forms = data.draw(st.lists(st.sampled_from(CLEAR + BARE[parts]), min_size=len(days), max_size=len(days)))
    case = data.draw(st.sampled_from([str, str.upper, str.lower]))
    texts = [case(write(form, day)) for form, day in zip(forms, days, strict=True)]
    assert column(f"parse_any_date(x, '{parts}')", texts) == days


@pytest.mark.parametrize("parts", SHORT)
@FEW
@given(st.lists(RECENT, min_size=1), st.integers(0, 100), st.data())
@example([date(2000, 2, 29)], 0, None)
def test_two_digit_years_turn_at_the_pivot(column, parts, days, pivot, data):
    form = data.draw(st.sampled_from(SHORT[parts])) if data else SHORT[parts][0]

    def turned(day):
        year = day.year % 100 + (2000 if day.year % 100 < pivot else 1900)
        try:
            return day.replace(year=year)
        except ValueError:
            return None

    texts = [write(form, day) for day in days]
    assert column(f"parse_any_date(x, '{parts}', {pivot})", texts) == [turned(day) for day in days]


@FEW
@given(st.lists(st.text() | st.text("0123456789-/. :,apmjanfebst"), min_size=1, max_size=40))
def test_what_is_no_date_is_null_and_nothing_raises(column, texts):
    for text, *got in zip(texts, *(column(f"parse_any_date(x, '{p}')", texts) for p in BARE), strict=True):
        assert all(day is None or sum(sign.isdigit() for sign in text) >= 3 for day in got), text
    for call in [
        "parse_any_timestamp(x, 'dmy')",
        "parse_clock(x)",
        "parse_month(x)",
        "parse_date(x, ['%d/%m/%Y', '%b %d %y'])",
        "parse_duration(x)",
        "month_number(x)",
        "excel_date(x)",
        "unix_to_timestamp(x)",
    ]:
        column(call, texts)


@pytest.mark.parametrize(
    "text",
    [
        "31/04/2024",
        "29.2.2023",
        "0/1/2024",
        "1/0/2024",
        "32 Jan 2024",
        "5/3",
        "2024",
        "45000",
        "1/2/3",
        "5/13/2024",
        "5 Marble 2024",
        "-5/3/2024",
        "5/3/20245",
        "0000-01-01",
        "",
    ],
)
def test_no_day_of_the_calendar_is_null(column, text):
    assert column("parse_any_date(x, 'dmy')", [text]) == [None]


def test_formats_are_tried_in_order_and_two_digits_are_no_year_23(column):
    texts = ["5/3/2024", "05/03/23", "Sept 1st 99", "1999-12-31", "31/02/2024", "23-Mar-05"]
    got = column("parse_date(x, ['%d/%m/%Y', '%b %d %y', '%d-%b-%y'])", texts)
    assert got == [date(2024, 3, 5), date(2023, 3, 5), date(1999, 9, 1), None, None, date(2005, 3, 23)]
    assert column("parse_date(x, '%Y%m%d')", [20240305], "BIGINT") == [date(2024, 3, 5)]
    assert column("parse_date(x, '%d/%m/%Y')", [date(2024, 3, 5), None], "DATE") == [date(2024, 3, 5), None]
    assert column("parse_date(x, '%y%m%d', 0)", ["000229", "010228"]) == [None, date(1901, 2, 28)]


@FEW
@given(st.lists(st.times(), min_size=1))
def test_times_of_day(column, times):
    times = [t.replace(microsecond=0) for t in times]
    assert column("parse_clock(x)", [f"{t:%H:%M:%S}" for t in times]) == times
    assert column("parse_clock(x)", [f"{t:%I:%M:%S %p}".lstrip("0") for t in times]) == times
    short = [t.replace(second=0) for t in times]
    assert column("parse_clock(x)", [f"{t:%H.%M}" for t in times]) == short
    assert column("parse_clock(x)", [f" {t:%I:%M}{'p.m.' if t.hour > 11 else 'A.M.'}" for t in times]) == short


@FEW
@given(
    st.lists(st.tuples(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)), st.integers(-840, 840)), min_size=1)
)
def test_moments_with_an_offset_are_given_in_utc(column, cases):
    cases = [(moment.replace(microsecond=0), offset) for moment, offset in cases]
    sign = [f"{'-' if m < 0 else '+'}{abs(m) // 60:02}:{abs(m) % 60:02}" for _, m in cases]
    iso = [f"{t:%Y-%m-%dT%H:%M:%S}{s}" for (t, _), s in zip(cases, sign, strict=True)]
    assert column("parse_any_timestamp(x, 'dmy')", iso) == [t - timedelta(minutes=m) for t, m in cases]
    assert column("parse_any_timestamp(x, 'dmy')", [f"{t:%d/%m/%Y %I:%M %p}" for t, _ in cases]) == [
        t.replace(second=0) for t, _ in cases
    ]


@FEW
@given(DAYS)
@example([date(2024, 12, 30), date(2021, 1, 3), date(1000, 1, 1)])
def test_labels_and_edges_of_a_date(column, days):
    def last(day):
        return day.replace(day=calendar.monthrange(day.year, day.month)[1])

    def quarter(day):
        return (day.month + 2) // 3

    assert column("iso_week_label(x)", days, "DATE") == ["{}-W{:02}".format(*d.isocalendar()) for d in days]
    assert column("weekday_name(x)", days, "DATE") == [calendar.day_name[d.weekday()] for d in days]
    assert column("is_weekend(x)", days, "DATE") == [d.weekday() > 4 for d in days]
    assert column("year_quarter(x)", days, "DATE") == [f"{d.year}-Q{quarter(d)}" for d in days]
    assert column("start_of_week(x)", days, "DATE") == [d - timedelta(d.weekday()) for d in days]
    assert column("start_of_week(x, 7)", days, "DATE") == [d - timedelta(d.isoweekday() % 7) for d in days]
    assert column("end_of_month(x)", days, "DATE") == [last(d) for d in days]
    assert column("start_of_quarter(x)", days, "DATE") == [date(d.year, 3 * quarter(d) - 2, 1) for d in days]
    assert column("end_of_quarter(x)", days, "DATE") == [last(date(d.year, 3 * quarter(d), 1)) for d in days]
    assert column("is_leap_year(year(x))", days, "DATE") == [calendar.isleap(d.year) for d in days]


@FEW
@given(DAYS, st.integers(1, 12))
def test_fiscal_years_end_in_the_year_they_are_called_by(column, days, first):
    for day, year, quarter in zip(
        days,
        column(f"fiscal_year(x, {first})", days, "DATE"),
        column(f"fiscal_quarter(x, {first})", days, "DATE"),
        strict=True,
    ):
        start = date(year - 1 if first > 1 else year, first, 1)
        months = 12 * (day.year - start.year) + day.month - start.month
        assert (0 <= months < 12, months // 3 + 1) == (True, quarter)


def plus(day, months):
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


@FEW
@given(PAIRS, st.integers(-500, 500))
@example(
    [
        (date(2024, 1, 31), date(2024, 2, 29)),
        (date(2024, 2, 29), date(2024, 1, 31)),
        (date(2024, 1, 30), date(2023, 2, 28)),
    ],
    1,
)
def test_months_and_years_between(column, pairs, months):
    days = [a for a, _ in pairs]
    assert column(f"plus_months(x, {months})", days, "DATE") == [plus(d, months) for d in days]
    for (a, b), full, age in zip(
        pairs,
        column("months_between_full(x, y)", pairs, "DATE", "DATE"),
        column("age_years(x, y)", pairs, "DATE", "DATE"),
        strict=True,
    ):
        early, late = min(a, b), max(a, b)
        count = max(n for n in range(1200) if plus(early, n) <= late)
        assert full == (count if a <= b else -count), (a, b)
        birthdays = sum(
            (b.month, b.day) >= (a.month, a.day) if y == b.year else True for y in range(a.year + 1, b.year + 1)
        )
        assert age == (birthdays if b >= a else None), (a, b)


@FEW
@given(PAIRS, st.lists(RECENT, max_size=5), st.integers(-40, 40))
@example([(date(2024, 3, 2), date(2024, 3, 3)), (date(2024, 3, 4), date(2024, 3, 1))], [date(2024, 3, 2)], 0)
def test_working_days(column, pairs, holidays, n):
    pairs = [(a, a + (b - a) % timedelta(400) * (1 if a.day % 2 else -1)) for a, b in pairs]
    holidays = [*holidays, *(b for _, b in pairs[:2]), *holidays[:1]]
    listed = "[" + ", ".join(f"DATE '{day}'" for day in holidays) + "]"

    def works(day):
        return day.weekday() < 5 and day not in holidays

    def between(a, b):
        count = sum(works(min(a, b) + timedelta(k)) for k in range(abs((b - a).days) + 1))
        return count if a <= b else -count

    def after(day):
        for _ in range(abs(n)):
            day += timedelta(1 if n > 0 else -1)
            while not works(day):
                day += timedelta(1 if n > 0 else -1)
        return day

    assert column(f"networkdays(x, y, {listed})", pairs, "DATE", "DATE") == [between(a, b) for a, b in pairs]
    assert column(f"plus_workdays(x, {n}, {listed})", [a for a, _ in pairs], "DATE") == [after(a) for a, _ in pairs]


def test_easter_of_every_year_falls_on_the_sunday_of_the_computus(column):
    def easter(year):  # Meeus, Jones, Butcher
        a, (b, c) = year % 19, divmod(year, 100)
        (d, e), f = divmod(b, 4), (b + 8) // 25
        h = (19 * a + b - d - (b - f + 1) // 3 + 15) % 30
        i, k = divmod(c, 4)
        rest = (32 + 2 * e + 2 * i - h - k) % 7
        month, day = divmod(h + rest - 7 * ((a + 11 * h + 22 * rest) // 451) + 114, 31)
        return date(year, month, day + 1)

    years = range(1583, 10_000)
    assert column("easter_sunday(x)", list(years), "INTEGER") == [easter(year) for year in years]


@given(st.lists(st.integers(61, 2_958_465), min_size=1), st.integers(0, 86_399))
def test_serial_numbers_of_spreadsheets(column, serials, seconds):
    days = [date(1899, 12, 30) + timedelta(n) for n in serials]
    assert column("excel_date(x)", serials, "BIGINT") == days
    moments = [datetime.combine(day, time()) + timedelta(seconds=seconds) for day in days]
    assert column("excel_timestamp(x)", [n + seconds / 86_400 for n in serials], "DOUBLE") == moments


def test_serial_numbers_out_of_range_are_null(column):
    assert column("excel_date(x)", ["0", "-1", "60", "2958466", "1e300", "nan", "inf"]) == [None] * 7
    assert column("excel_date(x)", ["1", "59", "61"]) == [date(1900, 1, 1), date(1900, 2, 28), date(1900, 3, 1)]


def test_months_are_read_and_named(column):
    for number in range(1, 13):
        name = calendar.month_name[number]
        assert column("month_number(x)", [name, name.upper(), name[:3], f" {name[:3]}. "]) == [number] * 4
        assert column("month_name(x)", [number], "INTEGER") == [name]
        texts = [
            f"{name} 2024",
            f"{name[:3]}-24",
            f"2024-{number:02}",
            f"{number}/2024",
            f"2024{number:02}",
            f"{name}, 2024",
        ]
        assert column("parse_month(x)", texts) == [date(2024, number, 1)] * 6


@FEW
@given(st.lists(st.integers(-(10**6), 10**6), min_size=1))
def test_durations_are_written_and_read(column, seconds):
    wanted = [f"{'-' * (n < 0)}{abs(n) // 3600}:{abs(n) // 60 % 60:02}:{abs(n) % 60:02}" for n in seconds]
    assert column("format_duration(x)", seconds, "BIGINT") == wanted
    sizes = [abs(n) for n in seconds]
    assert column("parse_duration(format_duration(x))", sizes, "BIGINT") == sizes
    worded = [f"{n // 86400}d {n // 3600 % 24} hours, {n // 60 % 60}min and {n % 60} s" for n in sizes]
    assert column("parse_duration(x)", worded) == sizes


@pytest.mark.parametrize("text", ["1:75", "1 month", "h", "", "5", "1:2:3:4", "1h x"])
def test_what_is_no_length_of_time_is_null(column, text):
    assert column("parse_duration(x)", [text]) == [None]


def test_an_order_that_is_none_is_refused(column):
    with pytest.raises(duckdb.InvalidInputException, match="parts is dmy, mdy or ymd"):
        column("parse_any_date(x, 'DD/MM/YYYY')", ["1/2/2024"])
    with pytest.raises(duckdb.InvalidInputException, match=r"decimal_sign is \. or ,"):
        column("parse_number(x, 'point')", ["1.5"])
