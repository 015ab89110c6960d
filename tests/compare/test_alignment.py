"""How rows find each other under each policy, against a plain model and in hard cases."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prepsql.compare import compare_policies, edges, nearest, sequential
from tests.compare import model

COLUMNS = {"k": "number", "t": "text_exact", "m": "number", "v": "number"}
NUMBERS = "0 0.01 0.019 -0.01 1 1.01 1.019 1.03 100 101 102 103 -100 inf na 9e15 9007199254740993"
numbers = st.sampled_from([*NUMBERS.split(), ""])
rows = st.tuples(numbers, st.sampled_from(["a", "A", ""]), numbers, st.sampled_from(["1", "1.01", "2", "x"]))


@pytest.mark.parametrize("small", [0, 10**6], ids=["grid", "all with all"])
def test_published_alignment_equals_the_model(folders, work, monkeypatch, small):
    monkeypatch.setattr(edges, "SMALL", small)
    monkeypatch.setattr(sequential, "_FIRST", 2)

    @settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.lists(rows, max_size=6), st.randoms(use_true_random=False), st.lists(rows, max_size=1))
    def check(gold, chance, more):
        candidate = [list(row) for row in gold]
        chance.shuffle(candidate)
        if candidate and chance.random() < 0.7:
            candidate[0][chance.choice([0, 2])] = chance.choice(["1.005", "100.5", "0.005", "0", "104"])
        candidate = (candidate + [list(row) for row in more])[: max(len(gold), 1)]
        types = list(COLUMNS.values())
        paths = folders(["k", "t", "m"], COLUMNS, [list(COLUMNS), *gold], [list(COLUMNS), *candidate])
        got = compare_policies(*paths, ("published",), con=work, examples=0)["published"]
        assert (got.error_type, got.reason) == model.published(types, 3, gold, candidate), (gold, candidate)

    check()


def test_a_year_as_key_fails_published_only(judge):
    table = [[str(year), "x"] for year in range(2015, 2021)]
    got = judge(["y"], {"y": "number", "v": "text_exact"}, table, table[::-1])
    assert got == {"paper": ("", ""), "strict": ("", ""), "published": ("KEY_MISMATCH", "multiple_matches")}


def test_left_over_keys_pair_with_the_nearest_once(judge):
    found = judge(
        ["k", "g"],
        {"k": "number", "g": "text_exact", "v": "number"},
        [["100", "a", "1"], ["200", "a", "2"], ["300", "b", "3"], ["50", "a", "5"]],
        [["98.5", "a", "9"], ["100.5", "a", "1"], ["300.001", "c", "3"], ["50", "a", "5"]],
        "paper",
    ).files[0]
    assert (found.matched, found.near, found.missing, found.extra) == (2, 1, 2, 2)
    assert sum(column.differing for column in found.columns) == 0


@pytest.mark.parametrize("held", [nearest.EDGES_HELD, 0], ids=["by distance", "by rank"])
def test_rounded_keys_align_under_paper_whatever_their_number(judge, monkeypatch, held):
    monkeypatch.setattr(nearest, "EDGES_HELD", held)
    columns = {"x": "number", "y": "number", "v": "number"}
    gold = [[f"{10 + i * 0.7}", f"{i * 3.3 + 1}", str(i)] for i in range(200)]
    candidate = [[f"{10 + i * 0.7 + 1e-12}", f"{i * 3.3 + 1.000000001}", str(i)] for i in range(199, -1, -1)]
    got = judge(["x", "y"], columns, gold, candidate)
    assert got["paper"] == ("", "")
    assert got["strict"] == ("KEY_MISMATCH", "missing_key")


def test_the_walk_along_a_line_pairs_as_the_closest_first_of_all_pairs(folders, work, monkeypatch):
    values = "0 0.01 -0.01 0.015 -0.015 0.019 1 1.005 1.01 1.015 1.02 1.025 1.03 -1 -1.01 -1.02 inf na"
    values += " 9007199254740993 9007199254740992 9007199254740994 1e300 -1e300 5e-324 1e-323"
    dense = st.integers(1000, 1060).map(lambda thousandths: str(thousandths / 1000))
    left = st.lists(st.tuples(st.sampled_from(values.split()) | dense, st.sampled_from(["a", ""])), max_size=14)

    @settings(max_examples=35, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(left, left)
    def check(gold, candidate):
        columns = {"k": "number", "g": "text_exact"}
        paths = folders(["k", "g"], columns, [list(columns), *gold], [list(columns), *candidate])
        found = []
        for held in (nearest.LINE_HELD, -1):
            monkeypatch.setattr(nearest, "LINE_HELD", held)
            work.execute("CREATE OR REPLACE TABLE near (gold_row BIGINT, candidate_row BIGINT)")
            compare_policies(*paths, ("paper",), con=work, examples=0)
            found.append(work.execute("FROM near ORDER BY ALL").fetchall())
        monkeypatch.undo()
        assert found[0] == found[1]

    check()


@pytest.mark.parametrize("rows", [500, 2000])
def test_a_dense_key_pairs_with_the_nearest_whatever_the_number_of_rows(judge, rows):
    columns = {"k": "number", "v": "text_exact"}
    gold = [[str(1_000_000 + i), f"v{i}"] for i in range(rows)]
    candidate = [[f"{1_000_000 + i}.5", f"v{i}"] for i in range(rows)]
    found = judge(["k"], columns, gold, candidate[::-1], "paper")
    assert (found.error_type, found.files[0].near) == ("", rows)


def test_keys_beyond_doubles_are_told_apart_but_by_the_published_evaluator(judge):
    gold = [["1234567890123456789012345678901234", "a"], ["1234567890123456789012345678901235", "b"]]
    got = judge(["id"], {"id": "number", "v": "text_exact"}, gold, gold[::-1])
    assert got == {"paper": ("", ""), "strict": ("", ""), "published": ("NON_UNIQUE_KEY", "")}
    changed = [gold[0], ["1234567890123456789012345678901236", "b"]]
    assert judge(["id"], {"id": "number", "v": "text_exact"}, gold, changed)["strict"] == (
        "KEY_MISMATCH",
        "missing_key",
    )


def test_a_number_beyond_doubles_is_one_key_with_and_without_an_exponent(judge):
    columns, gold = {"id": "number"}, [["9007199254740993"], ["9007199254740995"]]
    assert judge(["id"], columns, gold, [["9007199254740993e0"], ["9.007199254740995E+15"]])["strict"] == ("", "")
    found = judge(["id"], columns, gold, [["9007199254740992e0"], ["9007199254740995"]])
    assert found["strict"] == ("KEY_MISMATCH", "missing_key")


def test_null_infinite_and_repeated_keys(judge):
    columns = {"k": "number", "t": "text_exact", "v": "text_exact"}
    odd = [["", "a", "1"], ["inf", "", "2"], ["-nan", "b", "3"], ["na", "null", "4"]]
    got = judge(["k", "t"], columns, odd, odd[::-1])
    assert got["paper"] == got["strict"] == ("", "")
    repeated = [*odd, ["NULL", "a", "9"]]
    found = judge(["k", "t"], columns, repeated, repeated, "strict")
    assert (found.error_type, found.files[0].gold_duplicates) == ("NON_UNIQUE_KEY", 1)
    assert found.files[0].matched == 5
    assert found.files[0].duplicate_examples[0].count == 2


def test_unknown_truth_words_end_only_the_published_run(judge):
    columns = {"k": "boolean", "v": "boolean"}
    assert judge(["k"], columns, [["maybe", "1"]], [["maybe", "1"]]) == {
        "paper": ("", ""), "strict": ("", ""), "published": ("EXCEPTION", ""),
    }  # fmt: skip
    assert judge(["k"], columns, [["1", "maybe"]], [["yes", "maybe"]]) == {
        "paper": ("", ""), "strict": ("", ""), "published": ("ALIGNMENT_ERROR", ""),
    }  # fmt: skip
    assert judge(["k"], columns, [["1", "maybe"]], [["yes", "y"]])["paper"] == ("VALUE_MISMATCH", "")


def test_infinity_equals_itself_but_in_the_published_evaluator(judge):
    got = judge(["k"], {"k": "text_exact", "v": "number"}, [["a", "inf"]], [["a", "inf"]])
    assert got == {"paper": ("", ""), "strict": ("", ""), "published": ("VALUE_MISMATCH", "")}


def test_order_counts_only_where_the_config_asks(judge):
    columns, table = {"k": "number", "v": "number"}, [["1", "5"], ["100", "6"], ["300", "7"]]
    assert judge(["k"], columns, table, table[::-1])["strict"] == ("", "")
    ordered = judge(["k"], columns, table, table[::-1], ordered=True)
    assert ordered["strict"] == ordered["paper"] == ("KEY_MISMATCH", "row_order")
    assert judge(["k"], columns, table, table, ordered="yes")["strict"] == ("", "")


def test_order_counts_for_rows_paired_by_a_near_number(judge):
    columns, gold = {"k": "number", "v": "text_exact"}, [["100", "a"], ["200", "b"]]
    disordered = judge(["k"], columns, gold, [["201", "b"], ["101", "a"]], "paper", ordered=True)
    assert (disordered.error_type, disordered.reason) == ("KEY_MISMATCH", "row_order")
    assert "k=200 (row 2 of gold): in row 1 of the candidate" in disordered.message
    mixed = judge(["k"], columns, gold, [["200", "b"], ["101", "a"]], ordered=True)
    assert mixed["paper"] == ("KEY_MISMATCH", "row_order")
    assert mixed["strict"] == ("KEY_MISMATCH", "missing_key")
    assert judge(["k"], columns, gold, [["101", "a"], ["201", "b"]], ordered=True)["paper"] == ("", "")


def test_the_first_row_out_of_order_is_named(judge):
    columns, table = {"k": "number"}, [["1"], ["100"], ["300"], ["500"]]
    found = judge(["k"], columns, table, [table[i] for i in (0, 2, 3, 1)], "strict", ordered=True)
    assert found.message.startswith("output_01.csv: 1 row out of gold's order")
    assert "k=300 (row 3 of gold): in row 2 of the candidate" in found.message
    assert "(candidate row 4)" in found.message
