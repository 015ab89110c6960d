"""The offline user finds entries, refuses what it should, and answers in words."""

import csv
from functools import cache
from pathlib import Path

import pytest

from prepsql.agents.simulators import REFUSALS, Guard, Offline, Secrets
from prepsql.agents.simulators.fragment import read_fragment
from prepsql.agents.simulators.resolution import resolution
from prepsql.agents.simulators.rules import parts, refused
from prepsql.agents.simulators.settled import Settled
from prepsql.evaluate.suites import open_suite
from prepsql.evaluate.task import Ambiguity

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "agents"
MISSED = {
    "What exactly counts as a false start?": "another entry says 'started' and 'counts as'",
}


def rows(name):
    with (FIXTURES / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def secrets(task):
    (found,) = open_suite().select((task,)).tasks
    code = found.reference["sql"].read_text()
    gold = tuple(found.gold.glob("output_*.csv"))
    return Secrets(found.ambiguities, found.request, found.full_request, code, gold, found.inputs)


@cache
def user(task):
    return Offline(secrets(task))


def cases():
    for row in rows("bundled.tsv"):
        reason = MISSED.get(row["question"])
        marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
        if row["entry"]:
            yield pytest.param(row, id=row["question"], marks=marks)


@pytest.mark.parametrize("row", list(cases()))
def test_a_question_about_an_entry_hits_it(row):
    said = user(row["task"]).answer(row["question"])
    assert (said.classification, said.ref) == ("hit", row["entry"])
    assert said.text == next(e.intent for e in secrets(row["task"]).entries if e.id == row["entry"])


def test_a_sensible_question_about_something_else_is_answered_from_the_full_request():
    said = user("bike_share").answer("How is a tie among the top ten routes resolved?")
    assert (said.classification, said.ref) == ("fallback", "")
    assert said.text.startswith("The ten with most trips, ties in the order of From")


@pytest.mark.parametrize("row", rows("invalid.tsv"), ids=lambda row: row["question"])
def test_rules_refuse_invalid_questions_of_each_kind(row):
    if row["question"] == "asdf qwer zxcv":
        assert user("bike_share").answer(row["question"]).classification == "refuse_irrelevant"
    elif row["part"] == "seen":
        assert refused(row["question"]) == row["classification"]


def test_rules_refuse_no_question_about_an_entry():
    valid = [row["question"] for row in (*rows("bundled.tsv"), *rows("questions.tsv")) if row.get("part") != "held"]
    assert [question for question in valid if refused(question)] == []


def test_a_refusal_says_why_and_names_no_entry():
    said = user("bike_share").answer("Please write the SQL for me")
    assert (said.text, said.ref) == (REFUSALS["refuse_illegal"], "")


def test_a_compound_question_matches_one_entry_and_three_questions_are_too_many():
    two = user("hotel_bookings").answer("Which date gives the month, and does exactly seven nights count as long?")
    assert two.ref in ("1_reference_month", "3_boundary_long_stay")
    assert parts("Which date gives the month, is a week long, and how are rates averaged?") == 3
    assert refused("Which date gives the month, is a week long, and how are rates averaged?") == "refuse_too_broad"


def test_the_same_question_has_the_same_answer_whatever_came_before():
    first = user("bike_share").answer("How do I bill a part of a minute?")
    assert user("bike_share").answer("How do I bill a part of a minute?", [first, first]) == first


def test_an_empty_knowledge_base_answers_from_the_full_request():
    said = Offline(Secrets((), "Sum it up.", "Sums are rounded to two decimals.")).answer("How are sums rounded?")
    assert (said.classification, said.text) == ("fallback", "Sums are rounded to two decimals.")


def entry(ref, intent="", name="1_D2_join_rule"):
    return Ambiguity(name, "Multi-table alignment", "n", "join", "put both together", intent, ref, {})


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("a.merge(b, on=['Client', 'Week'], how='left')", "The tables are matched on Client and Week; all rows of"),
        ("SELECT * FROM a INNER JOIN b ON a.x = b.y", "Only rows with a match in both tables stay"),
        ('df["Rank"] = df["Sales"].rank(method="dense", ascending=False)', "Equal values share a rank and"),
        ("df['Total'].round(2)", "Rounded to 2 decimals"),
        ("df = df[df['Age'] >= 18]", "At least 18 (18 included)"),
        ("WHERE amount > 50", "More than 50 (50 not included)"),
        ("x = x.fillna(0)", "A missing value counts as 0"),
        ("pd.to_datetime(s, format='%d/%m/%Y')", "Dates are of the form DD/MM/YYYY"),
    ],
)  # fmt: skip
def test_a_fragment_is_told_in_words(code, words):
    said = resolution(entry(code), Settled.of(""))
    assert said.startswith(words)
    assert Guard(Secrets((entry(code),), "", "")).found(said) == ""


def test_a_fragment_without_anything_known_still_gives_words():
    assert read_fragment("foo").told() == ""
    assert resolution(entry("foo"), Settled.of("")) == "What is meant: join rule."


def test_an_intent_that_only_asks_is_settled_by_the_full_request():
    settled = Settled.of("Clients are matched on the client number. Sort by name.")
    asks = entry(
        "a.merge(b, on='Client number')", "Which columns are used to match the clients.", "1_D2_match_client_number"
    )
    assert resolution(asks, settled).startswith("Clients are matched on the client number.")
