"""Numbers against Python's decimal arithmetic."""

import math
import re
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

# an example holds many values: what takes long is to compile the query, not the rows
FEW = settings(max_examples=15)
SPACES = [" ", "\u00a0", "\u202f", "'", "’"]
DECIMALS = (
    st.decimals(-(10**13), 10**13, places=3) | st.decimals(-1000, 1000, places=2) | st.integers(-999, 999).map(Decimal)
)
DOUBLES = (
    # a tail beyond 18 decimals is not looked at
    st.floats(-1e12, 1e12).filter(lambda x: x == 0 or abs(x) > 0.1)
    | st.decimals(-10_000, 10_000, places=3).map(float)
    | st.integers(-(10**6), 10**6).map(lambda n: n / 8)
)


def written(number, sign, thousands, minus, money):
    """Write a number as people do; `sign` is the decimal one."""
    whole, _, part = f"{abs(number):f}".partition(".")
    whole = re.sub(r"(?<=\d)(?=(\d{3})+$)", thousands, whole)
    text = whole + (sign + part if part else "")
    before, after = money
    if number >= 0:
        return before + text + after
    return {
        "-": f"-{before}{text}{after}",
        "−": f"{before}−{text}{after}",
        "()": f"({before}{text}{after})",
        "after": f"{before}{text}-{after}",
    }[minus]


@FEW
@given(
    st.lists(
        st.tuples(
            DECIMALS,
            st.sampled_from(["", ",", *SPACES]),
            st.sampled_from(["-", "−", "()", "after"]),
            st.sampled_from(
                [("", ""), ("$", ""), ("", " €"), ("USD ", ""), ("£ ", ""), ("", " %"), ("US$", ""), ("", "kr")]
            ),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_a_number_is_read_however_it_is_written(column, cases):
    english = [written(n, ".", thousands, *rest) for n, thousands, *rest in cases]
    german = [written(n, ",", thousands.replace(",", "."), *rest) for n, thousands, *rest in cases]
    wanted = [float(n) for n, *_ in cases]
    assert column("parse_number(x)", english) == wanted
    assert column("parse_number(x, ',')", german) == wanted
    assert column("parse_percent(x)", english) == [n / 100 for n in wanted]


@FEW
@given(st.lists(st.text() | st.text("0123456789.,-+() €%e'kK"), min_size=1, max_size=40))
def test_what_is_read_as_a_number_is_one(column, texts):
    for text, number in zip(texts, column("parse_number(x)", texts), strict=True):
        assert number is None or (math.isfinite(number) and re.search("[0-9]", text)), text
    as_python = [t for t in texts if re.fullmatch(r"[-+]?[0-9]{1,20}([.][0-9]{0,20})?", t)]
    if as_python:
        assert column("parse_number(x)", as_python) == [float(t) for t in as_python]


@pytest.mark.parametrize(
    "text",
    [
        "1,23",
        "1,2345",
        ",123",
        "1,,234",
        "12,34,5",
        "1.234.567",
        "1 23",
        "--1",
        "(-1)",
        "-1-",
        "1-2",
        "$",
        "-",
        "()",
        "",
        " ",
        "1e",
        "1e9999",
        "0x1F",
        "½",
        "1.2.3",
        "12 apples",
        "nan",
        "inf",
        "infinity",
        "NULL",
        "1_000",
        "$1$x",
    ],
)
def test_what_is_no_number_is_null(column, text):
    assert column("parse_number(x)", [text]) == [None]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12,34,567.5", 1234567.5),
        ("1e3", 1000),
        ("5.", 5),
        (".5", 0.5),
        ("+7", 7),
        ("- 7", -7),
        ("$ -3", -3),
        ("(3)%", -3),
        ("-0", 0),
    ],
)
def test_other_ways_to_write_numbers(column, text, number):
    assert column("parse_number(x)", [text]) == [number]


ROUNDINGS = {"half_up": ROUND_HALF_UP, "half_even": ROUND_HALF_EVEN, "up": ROUND_UP, "down": ROUND_DOWN}


@pytest.mark.parametrize("places", [-3, 0, 1, 2, 5])
@pytest.mark.parametrize("how", ROUNDINGS)
@FEW
@given(st.lists(DOUBLES, min_size=1, max_size=60))
@example([2.675, 1.005, -2.5, 0.5, 1.1, 2.3, 4.35, -0.0, 1e-9, 999.9999995, 123456789012.345])
def test_rounding_goes_by_the_printed_digits(column, how, places, numbers):
    unit = Decimal(1).scaleb(-places)
    wanted = [float(Decimal(repr(x)).quantize(unit, ROUNDINGS[how])) for x in numbers]
    assert column(f"round_{how}(x, {places})", numbers, "DOUBLE") == wanted


@pytest.mark.parametrize("how", ROUNDINGS)
def test_rounding_takes_every_number(column, how):
    odd = [math.inf, -math.inf, 1e300, -1e19, 9.99e18, 2.0**63, 5e-324, None]
    assert column(f"round_{how}(x, 2)", odd, "DOUBLE")[:6] == odd[:6]
    assert column(f"round_{how}(x)", [2**63 - 1, None], "BIGINT")[1] is None
    assert math.isnan(column(f"round_{how}(x, 2)", [math.nan], "DOUBLE")[0])
    assert column(f"round_{how}(x, 1)", [Decimal("7.250")], "DECIMAL(9,3)") in ([7.2], [7.3])


@FEW
@given(st.lists(st.floats(-1e9, 1e9), min_size=1), st.integers(0, 4))
def test_numbers_are_written_with_thousands(column, numbers, places):
    rounded = [Decimal(repr(x)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP) for x in numbers]
    wanted = [f"{n if n else abs(n):,.{places}f}" for n in rounded]
    assert column(f"format_number(x, {places})", numbers, "DOUBLE") == wanted


def roman(n):
    signs = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ]
    text = ""
    for value, sign in signs:
        text, n = text + sign * (n // value), n % value
    return text


def test_every_roman_numeral(column):
    assert column("roman_to_int(x)", [roman(n) for n in range(1, 4000)]) == list(range(1, 4000))
    assert column("roman_to_int(x)", ["IIX", "VV", "IC", "MMMM", "", "A"]) == [None] * 6


@FEW
@given(st.lists(st.integers(-(10**6), 10**6), min_size=1))
def test_ordinals(column, numbers):
    def ordinal(n):
        last = str(n)[-1]
        teen = abs(n) // 10 % 10 == 1
        return f"{n}" + ("th" if teen else {"1": "st", "2": "nd", "3": "rd"}.get(last, "th"))

    assert column("ordinal(x)", numbers, "BIGINT") == [ordinal(n) for n in numbers]


@FEW
@given(st.lists(st.tuples(st.integers(-500, 500), st.integers(1, 40)), min_size=1))
def test_a_number_lies_in_its_band(column, cases):
    wanted = [f"{n // width * width}-{n // width * width + width - 1}" for n, width in cases]
    assert column("band_label(x, y)", cases, "BIGINT", "BIGINT") == wanted


def test_the_edges_of_ratios(column):
    assert column("safe_ratio(x, y)", [(1, 0), (0, 0), (None, 1), (6, 4)], "DOUBLE", "DOUBLE") == [
        None,
        None,
        None,
        1.5,
    ]
    assert column("clamp(x, 1, 3)", [0, 2, 9, None], "INTEGER") == [1, 2, 3, None]
    assert column("round_to_multiple(x, 0.05)", [1.024, 1.025, -1.025], "DOUBLE") == pytest.approx([1.0, 1.05, -1.05])


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("5-10", 5, 10),
        ("£5 – £10", 5, 10),
        ("5 to 10", 5, 10),
        ("7", 7, 7),
        ("-5--1", -5, -1),
        ("1,000-2,000", 1000, 2000),
        ("x", None, None),
    ],
)
def test_ranges_have_two_ends(column, text, low, high):
    assert column("[range_low(x), range_high(x)]", [text]) == [[low, high]]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5M", 1.5e6),
        ("£2bn", 2e9),
        ("3 thousand", 3000),
        ("-4k", -4000),
        ("7", 7),
        ("5 mm", None),
        ("kk", None),
        ("k", None),
        ("1 trillion", 1e12),
    ],
)
def test_sizes_are_read(column, text, number):
    assert column("parse_magnitude(x)", [text]) == [number]
