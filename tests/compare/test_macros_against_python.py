"""The normalising macros say what a plain Python model of the published rules says."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prepsql.compare import workspace
from tests.compare import model

PIECES = [
    "0", "1", "20", "007", "1_000", "_", ".", "e", "E5", "+", "-", "$", "%", ",", " ", "\u00a0", "\t", "\u2003", "inf",
    "Infinity", "NaN", "nan", "none", "N/A", "na", "null", "٤", "１", "'", '"', "a", "Bc", "yes", "NO", "是", "t", "/",
    "2024", "1999", "999", "12", "31", "2", "29", "30", "13", ":", "59", "60", "24", "0000", "é", "\x1c", "\n",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
days = st.builds(
    "{}{}{}{}{}{}".format,
    *[st.sampled_from(["2024", "1", "02", "29", "31", "999", "0000", "12", " 5"]), st.sampled_from("-/")] * 2,
    st.sampled_from(["2024", "1", "09", "30", "999", "2023", "31"]),
    st.sampled_from(["", " 7:05", " 23:59:59", "  7:5:3", " 24:00", " 7", " 7:60:00"]),
)


@pytest.fixture(scope="module")
def con():
    with workspace() as con:
        yield con


@pytest.mark.parametrize(
    ("macro", "rule", "cells"),
    [
        ("norm_number", model.number, texts),
        ("norm_text_exact", model.text_exact, texts),
        ("norm_text_norm", model.text_norm, texts),
        ("norm_boolean", model.boolean, texts),
        ("norm_date", model.date, days | texts),
        ("norm_datetime", model.moment, days | texts),
    ],
)
def test_macro_equals_the_model(con, macro, rule, cells):
    @settings(max_examples=12, deadline=None, derandomize=True)
    @given(st.lists(cells, min_size=60, max_size=90))
    def check(batch):
        got = con.execute(f"SELECT {macro}(s) FROM (SELECT unnest($1::VARCHAR[]) AS s)", [batch]).fetchall()
        for text, (value,) in zip(batch, got, strict=True):
            wanted = rule(text)
            both_nan = isinstance(wanted, float) and math.isnan(wanted) and value is not None and math.isnan(value)
            assert both_nan or value == wanted, (text, value, wanted)

    check()
