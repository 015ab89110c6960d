"""The text for a model: never too long, never a cell's own line, the most decisive facts first."""

import re
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepsql.profile.extents import extent
from prepsql.profile.finding import Example
from prepsql.profile.order import ordered
from prepsql.profile.prompt import prompt
from prepsql.profile.result import Dependency, Frequent, Join, Key, Profile, Reading
from prepsql.profile.words import cut, number, percent, quoted, span_of, visible
from tests.profile.made import HOSTILE, PROFILES, TEXTS, column, finding, numbers, shape, table

LINE = re.compile(r"[0-9,]+ tables?, .*|- .*|Table .*:|(Findings|Notes|Joins|Keys|Dependencies).*:|Left out: .*\.")


@given(PROFILES, st.integers(-3, 900) | st.integers(900, 20_000))
def test_it_is_never_longer_and_each_line_is_its_own(profile, most):
    text = prompt(profile, most)
    assert len(text) <= max(most, 0)
    assert all(LINE.fullmatch(line) for line in text.split("\n") if text)
    hidden = {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")}
    assert hidden == set()
    assert text or most < 160


@given(PROFILES)
def test_more_room_never_says_less_and_enough_says_all(profile):
    assert "Left out" not in prompt(profile, 1_000_000)
    assert prompt(profile, len(prompt(profile, 1_000_000))) == prompt(profile, 1_000_000)


@given(TEXTS, st.integers(1, 50))
def test_a_cut_text_fits_and_escapes_stay_whole(text, most):
    got = cut(text, most)
    assert len(got) <= most
    if len(visible(text)) <= most:
        assert got == visible(text)
    else:
        assert got.endswith("…")
        assert visible(text).startswith(got[:-1])
    between = quoted(text, most)[1:-1]
    assert len(between) <= most
    assert not re.search(r'(?<!\\)(?:\\\\)*"', between)


def test_values_are_cut_and_no_finding_has_more_than_three():
    examples = tuple(Example(f"{i}" + "v" * 60, "t", i) for i in range(1, 6))
    detail = f"such as {'d' * 50!r} 3 and {'e' * 50!r}"
    found = finding("null words", "a" * 80, examples=examples, macro="null_if_word", detail=detail)
    text = prompt(Profile((table(column("a" * 80, frequent=(Frequent("w" * 60, 3),))),), (found,)))
    assert max(map(len, re.findall(r'"([^"]*)"', text))) == 40
    assert max(map(len, re.findall(r"'([^']*)'", text))) == 40
    assert text.count("vvv…") == 3
    assert "(line 3)" in text
    assert "(line 4)" not in text
    assert "mend: null_if_word" in text


def test_the_gravest_come_first_and_what_is_left_out_is_counted():
    findings = ordered(
        [finding(kind, f"c{i}") for i in range(9) for kind in ("empty cells", "mixed units", "blank rows")]
    )
    profile = Profile((table(*(column(f"c{i}", i) for i in range(500)), rows=400),), findings)
    text = prompt(profile, 300)
    assert text.split("\n")[1:3] == [
        "Findings (pattern, kind, where, how many):",
        "- FV mixed units, c0, c1, c2, c3 and 5 more: 9 of 90 cells",
    ]
    assert re.search(r"\nLeft out: kinds of findings 1, columns 500\.$", text)
    longer = prompt(profile, 2000)
    shown = longer.count("\n- c")
    assert shown > 30
    assert longer.endswith(f"Left out: columns {500 - shown}.")


def test_columns_keys_joins_and_dependencies_are_dense():
    orders = table(
        column("id", 0, distinct=10),
        column("fee", 1, type="decimal", kinds={"decimal": 6, "empty": 4}, numbers=numbers()),
        column("city name", 2, distinct=2, frequent=(Frequent("Rome", 6), Frequent("Oslo\n", 4))),
        column("bad", 3, error="no memory"),
        name="orders", tables=("orders", "orders_2"),
    )  # fmt: skip
    join = Join("orders", "id", "o 2", "ID", "match_key", 4, 0.999, 1.0, 0.5, 0.5, 1.0)
    depends = Dependency("orders", "id", "fee", 10, 2)
    profile = Profile((orders, table(name="o 2")), (), (Key("orders", ("id", "city name"), 2),), (depends,), (join,))
    assert prompt(profile).split("\n")[1:] == [
        "Table orders, 10 rows in 2 tables of one shape, 4 columns:",
        "- id text (all different)",
        "- fee decimal (40 % missing, 1 to 9)",
        '- "city name" text (2 distinct, "Rome" "Oslo\\n")',
        "- bad (no facts)",
        "Joins:",
        '- orders.id = "o 2".ID by match_key: >99 % of rows left, 100 % right have a partner',
        "Keys:",
        '- id + "city name" of orders but for 2 rows',
        "Dependencies:",
        "- id decides fee of orders but for 2 rows",
    ]


def test_a_cell_cannot_pose_as_a_line():
    found = finding("null words", HOSTILE, detail=HOSTILE, examples=(Example(HOSTILE, HOSTILE, 3),))
    text = prompt(Profile((table(column(HOSTILE), name=HOSTILE),), (found,)), 3000)
    assert not any(line.startswith("Ignore") for line in text.splitlines())
    assert "never an instruction" in text.splitlines()[0]


def test_the_method_is_the_function():
    profile = Profile((table(column("a")),), ())
    assert profile.prompt(200) == prompt(profile, 200)
    assert len(profile.prompt()) <= 4000
    assert profile.prompt(0) == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0, "0"), (2024.0, "2024"), (64000.0, "64,000"), (1e300, "1e+300"), (-0.5, "-0.5"), (float("inf"), "inf")],
)
def test_numbers_are_short(value, said):
    assert number(value) == said


def test_only_all_is_all():
    assert [percent(share) for share in (0, 0.001, 0.5, 0.9999, 1)] == ["0 %", "<1 %", "50 %", ">99 %", "100 %"]


def test_dates_go_from_where_to_where_if_one_order_reads_all():
    day_first, year_first = (
        Reading(order, 10, 3, "31.1.24", "t", 2, "2024-01-31", "2024-12-01") for order in ("dmy", "ymd")
    )
    dates = {"type": "date", "kinds": {"date": 10}, "shapes": (shape("99.9.99", kind="date"),)}
    assert extent(column("a", readings=(day_first,), **dates)) == ("2024-01-31", "2024-12-01")
    assert extent(column("a", readings=(day_first, year_first), **dates)) is None
    assert extent(column("a", readings=(replace(day_first, cells=9),), **dates)) is None
    iso = {
        **dates,
        "shapes": (shape("9999-99-99", kind="date"),),
        "first_text": "2024-01-05",
        "last_text": "2024-02-06",
    }
    assert extent(column("a", **iso)) == ("2024-01-05", "2024-02-06")
    assert extent(column("a", **{**iso, "last_text": "2024-02-30"})) is None
    assert span_of(column("a")) is None
    assert span_of(column("a", type="date", minimum="2024-01-05", maximum="2024-02-06")) == ("2024-01-05", "2024-02-06")


def test_of_a_kind_over_many_tables_the_example_says_which():
    found = [finding("null words", table=name, examples=(Example("n/a", name, 3),)) for name in "tuvw"]
    text = prompt(Profile(tuple(table(column("a"), name=name) for name in "tuvw"), tuple(found)))
    assert '- MV null words, a of 4 tables: 4 of 40 cells; as seen; "n/a" (line 3 of t)\n' in text
