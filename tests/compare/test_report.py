"""The report for people: an honest verdict line, titles on lines of their own, no trailing blanks."""

import io

import pytest
from rich.console import Console

from prepsql.compare.report import print_report

COLUMNS = {"id": "number", "v w": "number", "t": "text_exact"}
GOLD = [["1", "10", "x"], ["200", "20", "y"], ["3", "5", "z"]]


@pytest.fixture
def report():
    def printed(comparison):
        console = Console(file=io.StringIO(), width=80, highlight=False, emoji=False)
        print_report(comparison, console)
        text = console.file.getvalue()
        assert all(line == line.rstrip() and len(line) <= 80 for line in text.splitlines())
        return text

    return printed


@pytest.mark.parametrize(
    ("policy", "candidate", "said"),
    [
        ("paper", GOLD, ""),
        ("paper", [["1", "10.000000001", "x"], *GOLD[1:]], ""),
        ("paper", [["1", "10.1", "x"], *GOLD[1:]], "1 cell differs within 2 %"),
        ("paper", [["1", "10.1", "x"], ["201", "20.1", "y"], GOLD[2]],
         "2 cells differ within 2 %, 1 key paired with the nearest"),
        ("published", [["1", "10", "x"], ["201", "20", "y"], GOLD[2]], "1 key paired with one within 2 %"),
    ],
)  # fmt: skip
def test_same_says_what_was_forgiven(judge, report, policy, candidate, said):
    found = judge(["id"], COLUMNS, GOLD, candidate, policy)
    assert (found.passed, found.forgiven) == (True, said)
    verdict = " ".join(report(found).split("\n\n")[0].split())
    more = f": {said} (--policy strict forgives only rounding)" if said else ""
    assert verdict == f"same under policy {policy}{more}"


def test_strict_names_what_its_own_tolerances_forgave(judge, report):
    found = judge(["id"], COLUMNS, GOLD, [["1", "11", "x"], *GOLD[1:]], "strict", tolerance={"v w": 0.2})
    assert found.forgiven == "1 cell differs within the tolerance of the column"
    assert found.files[0].columns[1].forgiven == 1
    assert "--policy" not in report(found)


def test_titles_have_their_own_lines_and_next_stands_last(judge, report):
    found = judge(["id"], COLUMNS, GOLD, [["1", "11", "x"], ["300", "20", "y"], GOLD[2]], "paper")
    lines = report(found).splitlines()
    assert {"  Only in gold", "  Only in the candidate", "  Columns that differ", "  Cells of 'v w'"} <= set(lines)
    assert lines[-1] == "Next: look at the missing and extra rows above"
