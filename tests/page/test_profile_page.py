"""The page of a profile: whole in itself, safe from what cells say, and each part where its link leads."""

import base64
import hashlib
import re

import pytest
from hypothesis import Phase, given, settings

from prepsql.page.profile_page import bins, frequent, mixture, profile_page
from prepsql.profile.finding import Example
from prepsql.profile.result import Dependency, Frequent, Join, Key, Profile, Spelling, Variant
from tests.page.parsed import Page
from tests.profile.made import HOSTILE, PROFILES, column, finding, numbers, shape, table


def whole():
    """Return a profile that has everything."""
    fee = column(
        "fee", 0, type="number", kinds={"number": 6, "null word": 1, "empty": 3}, numbers=numbers(histogram=(0, 2, 4)),
        shapes=(shape("$9.99"), shape("a/a", 1)), null_words=(Frequent("n/a", 1),), padded=2,
    )  # fmt: skip
    city = column("city", 1, frequent=(Frequent("Rome", 6), Frequent("Oslo", 3)))
    findings = (
        finding("dressed numbers", "fee", 6, examples=(Example("$5.00", "t", 1234),), mend="SELECT 2", macro="parse"),
        finding("null words", "fee", 1), finding("null words", "city", 2), finding("blank rows", None, 1),
    )  # fmt: skip
    join = Join("t", "fee", "u", "fee", "lower", 4, 0.9, 1.0, 0.5, 0.4, 1.0, ("zz",), (), "SELECT 1")
    return Profile(
        (table(fee, city, ledger=("encoding: cp1252",)), table(column("bad", error="no memory"), name="u")),
        findings, (Key("t", ("fee", "city"), 1),),
        (Dependency("t", "fee", "city", 10, 1, True, (Example("x", "t", 7),)),), (join,),
        (Spelling("t", "city", "Rome", 6, (Variant("Rmoe", "near values", 2, "t", 9),)),),
    )  # fmt: skip


def test_it_says_everything():
    text = profile_page(whole())
    page = Page(text)
    told = re.sub(r"\s+", " ", " ".join(page.text.values()))
    for word in (
        "dressed numbers", "$5.00", "line 1,234", "n/a", "Rome", "encoding: cp1252", "no memory", "Copy SQL",
        "by lower", "but for 1 row", "white space at ends", "2 findings: fee, city", "$9.99", "SELECT 1", "zz",
        "and the other way round", "Rmoe",
    ):  # fmt: skip
        assert word in told, word
    assert page.text["title"].startswith("Profile of t, u")
    assert [tag for tag, _ in page.tags].count("article") == 4


@given(PROFILES)
@settings(max_examples=15, phases=[Phase.explicit, Phase.generate])
def test_it_loads_nothing_and_no_cell_becomes_an_element(profile):
    text = profile_page(profile)
    page = Page(text)
    scripts = [given for tag, given in page.tags if tag == "script"]
    assert scripts == [{}]
    assert not {"img", "link", "iframe", "object", "form"} & {tag for tag, _ in page.tags}
    assert not [name for _, given in page.tags for name in given if name.startswith("on") or name in ("style", "src")]
    ids, links = page.all("id"), page.all("href")
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in links} <= set(ids)
    assert set(page.all("for")) | set(page.all("aria-labelledby")) <= set(ids)
    assert "\x00" not in text
    assert "\u202e" not in text


def test_the_policy_names_the_script_and_the_style_of_the_page():
    page = Page(profile_page(whole()))
    (policy,) = [given["content"] for _, given in page.tags if given.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    for tag in ("style", "script"):
        found = base64.b64encode(hashlib.sha256(page.text[tag].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{found}'" in policy


def test_names_of_any_kind_are_only_shown():
    text = profile_page(
        Profile((table(column(HOSTILE), name=HOSTILE),), (finding("null words", HOSTILE, detail=HOSTILE),))
    )
    assert "<script>alert" not in text
    assert text.count("&lt;script&gt;alert(1)") > 3


def test_one_column_is_unfolded_and_five_hundred_can_be_searched():
    one = profile_page(Profile((table(column("a")),), ()))
    assert re.search(r'<details class="column"[^>]* open>', one)
    assert "Find a column" not in one
    assert "Nothing irregular was found." in one
    columns = [column(f"c{i}", i, frequent=(Frequent("x", 3),), shapes=(shape("aaa"),)) for i in range(500)]
    many = profile_page(Profile((table(*columns),), tuple(finding("null words", c.name) for c in columns)))
    assert not re.search(r'<details class="column"[^>]* open>', many)
    assert "Find a column" in many
    assert len(many) < 2_500_000


def test_bars_and_bins_are_in_proportion():
    kinds = {"text": 2, "integer": 5, "empty": 2, "null word": 1}
    parts = mixture(column("a", kinds=kinds))
    assert [(part.label, part.look, part.x, part.width) for part in parts] == [
        ("integer", "number", 0, 50), ("text", "text", 50, 20), ("empty", "missing", 70, 20),
        ("null word", "missing", 90, 10),
    ]  # fmt: skip
    assert mixture(column("a", rows=0, kinds={})) == ()
    assert [part.width for part in frequent(column("a", frequent=(Frequent("x", 8), Frequent("y", 2))))] == [100, 25]
    drawn = bins(numbers(minimum=0.0, quarter=4.0, three_quarters=4.0, maximum=8.0, histogram=(1, 0, 0, 4)))
    assert [(part.label, part.width) for part in drawn] == [
        ("0 to 2", 25),
        ("2 to 4", 0),
        ("4 to 6", 0),
        ("6 to 8", 100),
    ]


def test_a_bar_that_holds_what_is_far_off_says_so():
    far = numbers(quarter=2.0, three_quarters=4.0, maximum=1000.0, histogram=(1, 2, 3))
    assert "<span>last bar: 7 to 1000</span>" in profile_page(Profile((table(column("a", numbers=far)),), ()))


@pytest.mark.parametrize("histogram", [(), (0, 0)])
def test_no_histogram_is_no_chart(histogram):
    assert bins(numbers(histogram=histogram)) == ()
