"""Comparing a workflow's file with the code's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepsql.translate import same
from prepsql.translate.same import Pair, compare_files
from prepsql.translate.translation import OutputProof, Verdict

OWN = "id,city,share\n1,Gent,0.5\n2,Brugge,0.3333333333333333\n3,,0.25\n3,,0.125\n"


def compared(tmp_path: Path, own: str, made: str, **more: object) -> OutputProof:
    (tmp_path / "own.csv").write_text(own)
    (tmp_path / "made.csv").write_text(made)
    pair = Pair("output_01.csv", tmp_path / "own.csv", tmp_path / "made.csv", **more)  # type: ignore[arg-type]
    return compare_files([pair])[0]


@pytest.mark.parametrize(
    "made",
    [
        OWN,
        OWN.replace("0.3333333333333333", "0.33333333333333337"),
        OWN.replace("Gent", '"Gent"').replace("0.5", "0.50"),
    ],
)
def test_rounding_and_spelling_of_numbers_are_no_difference(tmp_path: Path, made: str) -> None:
    assert compared(tmp_path, OWN, made) == OutputProof("output_01.csv", Verdict.EQUAL, 4)


@pytest.mark.parametrize("rows", [(1, 2), (2, 1)])
def test_long_whole_numbers_are_ids_and_not_rounded(tmp_path: Path, rows: tuple[int, int]) -> None:
    own, made = "id,share\n{},0.5\n{},0.1\n", "id,share\n{},0.5\n{},0.10\n"
    ids = [20230000000000 + row for row in rows]
    assert compared(tmp_path, own.format(*ids), made.format(*ids)).verdict is Verdict.EQUAL
    assert compared(tmp_path, own.format(*ids), made.format(*map(float, ids))).verdict is Verdict.EQUAL
    assert compared(tmp_path, own.format(*ids), made.format(ids[0], ids[1] + 7)).verdict is Verdict.DIFFERENT


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (
            OWN.replace("0.25", "0.251"),
            "row 3, column 'share': '0.251' is '0.25' by the code (1 of 4 rows",
        ),
        (OWN.replace("id,city", "city,id"), "its columns stand in another order"),
        (OWN.replace("city", "town"), "it lacks column 'city'"),
        (OWN.replace("id,city", "id,city,x").replace("Gent", "Gent,1"), "column 'x' is too much"),
        (OWN + "4,Aalst,1\n", "it has 5 rows, the code's 4"),
        (OWN.replace("3,,0.125", "3,,0.25"), "row 4, column 'share'"),
        (OWN.replace("Gent", "gent"), "'gent' is 'Gent'"),
    ],
)
def test_a_difference_is_told(tmp_path: Path, made: str, says: str) -> None:
    found = compared(tmp_path, OWN, made)
    assert found.verdict is Verdict.DIFFERENT
    assert says in found.message


@pytest.mark.parametrize(
    ("own", "made", "equal"),
    [
        ("a\n0.1\n0.30000000000000004\n", "a\n0.10\n0.3\n", True),
        ("a\n1.5\nx\n", "a\n1.50\nx\n", False),  # text
        ("a\n1.50\n007\n", "a\n1.5\n007\n", False),  # codes
        ("a,b\n1.5,\n,2\n", "a,b\n1.50,\n,2\n", True),
        ("a,b\n1.5,1\n,2\n", "a,b\n,1\n1.5,2\n", False),
        ("a\n1.5\n2.5\n", "a\n1.5\n2.6\n", False),
        ("a\n-0.5\n", "a\n0.5\n", False),
    ],
)
def test_what_needs_no_database_is_judged_as_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str, made: str, equal: bool
) -> None:
    assert (compared(tmp_path, own, made).verdict is Verdict.EQUAL) is equal
    monkeypatch.setattr(same, "_plainly", lambda pair: False)
    assert (compared(tmp_path, own, made).verdict is Verdict.EQUAL) is equal


def test_the_same_rows_in_another_order(tmp_path: Path) -> None:
    head, *rows = OWN.splitlines()
    made = "\n".join([head, rows[3], rows[1].replace("3333333333", "3333333334"), rows[0], rows[2]]) + "\n"
    assert compared(tmp_path, OWN, made).verdict is Verdict.REORDERED
    other = compared(tmp_path, OWN, made, ordered=("id",))
    assert (other.verdict, other.message[:36]) == (Verdict.DIFFERENT, "its rows stand in another order: row")
    swapped = "\n".join([head, rows[0], rows[1], rows[3], rows[2]]) + "\n"
    assert compared(tmp_path, OWN, swapped, ordered=("id",)).verdict is Verdict.REORDERED


def test_only_some_columns(tmp_path: Path) -> None:
    made = "share,id\n0.5,1\n0.3333333333333333,2\n0.25,3\n0.125,3\n"
    assert compared(tmp_path, OWN, made, columns=("id", "share")).verdict is Verdict.EQUAL


def test_tables_without_rows(tmp_path: Path) -> None:
    assert compared(tmp_path, "a,b\n", '"a","b"\n') == OutputProof("output_01.csv", Verdict.EQUAL, 0)
    assert compared(tmp_path, "a,b\n", "a\n").verdict is Verdict.DIFFERENT
