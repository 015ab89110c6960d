"""Findings in the order to read them: the best of each pattern, then the grave ones; one kind of a table together."""

from hypothesis import given
from hypothesis import strategies as st

from prepsql.profile.finding import Example
from prepsql.profile.order import grouped, ordered, share
from tests.profile.made import FINDINGS, finding


def test_the_best_of_each_pattern_comes_first_then_the_graver_and_the_larger():
    grave, larger, small = (finding("mixed date formats", "a", n) for n in (9, 5, 1))
    empties = finding("empty cells", "b", 10)
    padded = finding("padded headers", None)
    assert [f.pattern for f in (grave, empties, padded)] == ["FV", "MV", "SV"]
    assert ordered([padded, small, empties, larger, grave]) == (grave, empties, padded, larger, small)


def test_what_is_alike_stays_as_it_came():
    one, two, three = (finding("empty cells", name) for name in "abc")
    assert ordered([one, two, three]) == (one, two, three)
    assert ordered([three, one, two]) == (three, one, two)


def test_nothing_to_count_is_no_share():
    assert share(finding("empty cells", count=0, total=0)) == 0
    assert ordered([]) == grouped([]) == ()


@given(st.lists(FINDINGS, max_size=20))
def test_nothing_is_lost_and_each_pattern_stands_at_the_top_once(findings):
    got = ordered(findings)
    assert sorted(map(id, got)) == sorted(map(id, findings))
    patterns = {f.pattern for f in findings}
    top = got[: len(patterns)]
    assert {f.pattern for f in top} == patterns
    for part in (top, got[len(patterns) :]):
        assert [(f.severity, -share(f)) for f in part] == sorted((f.severity, -share(f)) for f in part)
    for best in top:
        same = [(f.severity, -share(f)) for f in findings if f.pattern == best.pattern]
        assert (best.severity, -share(best)) == min(same)


def test_one_kind_in_many_columns_of_a_table_is_one_group_where_its_first_stands():
    words = [finding("null words", name, 2) for name in ("G5", "G6", "G7", "G5")]
    rows, other = finding("blank rows", None), finding("null words", "G5", table="u")
    one, two, three = grouped([words[0], rows, *words[1:], other])
    assert (one.columns, one.count, one.total, one.first) == (("G5", "G6", "G7"), 8, 40, words[0])
    assert (two.columns, two.findings, three.findings) == ((), (rows,), (other,))


def test_one_kind_over_many_tables_is_one_group():
    few = [finding("null words", "a", table=name) for name in "tuv"]
    assert [group.findings for group in grouped(few)] == [(one,) for one in few]
    many = [*few, finding("blank rows", None), finding("null words", "b", table="w")]
    words, rows = grouped(many)
    assert (words.tables, words.columns, words.count) == (("t", "u", "v", "w"), ("a", "b"), 4)
    assert rows.tables == ("t",)


def test_of_several_columns_each_has_its_own_words_and_example():
    found = [
        finding("compound values", name, detail=f"{parts} values", macro="split_nth", examples=(Example(name, "t", 2),))
        for name, parts in (("a", 2), ("b c", 3), ("d", 2), ("e", 4))
    ]
    [group] = grouped(found)
    assert group.detail == 'a: 2 values; "b c": 3 values; d: 2 values; …'
    assert [example.value for example in group.examples] == ["a", "b c", "d", "e"]
    assert group.macros == ("split_nth",)
    [alike] = grouped([found[0], found[2]])
    assert alike.detail == "2 values"
