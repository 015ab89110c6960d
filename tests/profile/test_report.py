"""The table on a terminal: 80 columns, findings first, and a word on what isn't shown."""

import io

import pytest
from hypothesis import given, settings
from rich.cells import cell_len
from rich.console import Console

from prepsql.profile.finding import Example
from prepsql.profile.kinds import KINDS
from prepsql.profile.report import print_report
from prepsql.profile.result import Frequent, Join, Key, Profile
from tests.profile.made import PROFILES, column, finding, numbers, shape, table


def printed(profile, width=80):
    console = Console(file=io.StringIO(), width=width, highlight=False, emoji=False)
    print_report(profile, console)
    return console.file.getvalue()


def test_a_finding_has_its_place_count_examples_and_mend():
    found = finding(
        "mixed date formats", "paid on", 12, 6000, detail="ISO and day first",
        examples=(Example("2021-03-04", "t", 2), Example("[red]4.3.21", "t", 1700)), macro="parse_any_date",
    )  # fmt: skip
    lines = printed(Profile((table(column("paid on"), rows=6000),), (found,))).splitlines()
    assert lines[:2] == ["t: 6,000 rows, 1 column", "1 finding: 1 of formats"]
    assert lines[3:8] == [
        "Findings",
        'FV  mixed date formats  "paid on"'.ljust(63) + "12 of 6,000 cells",
        "    ISO and day first",
        '    "2021-03-04" (line 2), "[red]4.3.21" (line 1,700)',
        "    mend: parse_any_date",
    ]


def test_columns_tell_how_full_how_varied_and_what():
    told = printed(
        Profile(
            (
                table(
                    column("fee", 0, type="decimal", kinds={"decimal": 6, "empty": 4}, numbers=numbers(), distinct=1234,
                           exact=False, shapes=(shape("9.99"),)),
                    column("city", 1, frequent=(Frequent("Rome", 6), Frequent("Oslo\t", 4))),
                    column("bad", 2, error="no memory"),
                ),
            ),
            (),
        )
    )  # fmt: skip
    rows = [line.split() for line in told.splitlines()[-4:]]
    assert rows == [
        ["name", "type", "filled", "distinct", "values", "mask"],
        ["fee", "decimal", "60", "%", "~1,234", "1", "to", "9", "9.99"],
        ["city", "text", "100", "%", "3", "Rome", "6×,", "Oslo\\t", "4×"],
        ["bad", "?", "no", "memory"],
    ]
    assert "no findings" in told


def test_of_many_the_first_and_how_to_see_the_rest():
    columns = [column(f"column number {i}", i) for i in range(500)]
    findings = [finding("null words", c.name) for c in columns] + [finding(kind, None) for kind in list(KINDS)[:24]]
    keys = tuple(Key("t", (c.name,)) for c in columns[:9])
    lines = printed(
        Profile((table(*columns), *(table(*columns[:20], name=f"t{i}") for i in range(9))), tuple(findings), keys)
    ).splitlines()
    assert len(lines) < 140
    for more in ("470 more columns", "5 more findings", "8 more tables", "1 more key"):
        assert any(line.startswith(f"… and {more}: --html PAGE.html or --json") for line in lines), more
    assert '"column number 0", "column number 1", ' in "".join(lines)


def test_joins_and_keys_stand_at_the_end():
    join = Join("a", "id", "b", "ID", "match_key", 4, 0.98, 1.0, 0.5, 0.5, 1.0)
    told = printed(Profile((table(column("id")),), (), (Key("t", ("id", "day"), 2),), (), (join,)))
    assert told.endswith(
        "\nKeys\n    t: id + day, but for 2 rows\n"
        "\nJoins\n    a.id = b.ID by match_key: 98 % of the left rows, 100 % of the right\n"
    )


@given(PROFILES)
@settings(max_examples=50)
def test_no_line_is_too_wide_or_ends_in_blanks(profile):
    lines = printed(profile).split("\n")
    assert [line for line in lines if line != line.rstrip()] == []
    assert max(map(cell_len, lines)) <= 80


@pytest.mark.parametrize("width", [20, 40, 200])
def test_other_widths(width):
    columns = [column(f"c{i}", i, frequent=(Frequent("value", 3),)) for i in range(3)]
    lines = printed(Profile((table(*columns),), (finding("null words", "c1"),)), width).splitlines()
    assert max(map(len, lines)) <= width
