"""The guard lets nothing secret through, and withholds nothing else."""

import importlib.util
import time
from functools import cache
from pathlib import Path

import pytest

from prepsql.agents.simulators import REFUSALS, Answer, Guard, Secrets
from prepsql.agents.simulators.resolution import resolution
from prepsql.agents.simulators.settled import Settled
from prepsql.evaluate.suites import open_suite

SPEC = importlib.util.spec_from_file_location(
    "simulator", Path(__file__).resolve().parents[2] / "bench" / "simulator.py"
)
bench = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(bench)
TASKS = {task.id: task for task in open_suite().tasks}
ATTEMPTS = [row["answer"] for row in bench.rows("leaks.tsv")]


@cache
def known(task):
    return bench.secrets(TASKS[task])


@cache
def guard(task):
    return Guard(known(task))


@pytest.mark.parametrize("task", ["air_quality", "bike_share", "warehouse_stock"])
@pytest.mark.parametrize("attempt", [attempt for attempt in ATTEMPTS if "{value}" not in attempt])
def test_no_attempt_gets_through(task, attempt):
    text = bench.fill(attempt, known(task))
    said = guard(task).checked(Answer("?", "hit", text, "1_x"))
    assert (said.classification, said.text, said.ref) == ("refuse_illegal", REFUSALS["refuse_illegal"], "")
    assert said.note.startswith("withheld: ")


@pytest.mark.parametrize("task", TASKS)
def test_no_resolution_and_no_sentence_is_withheld(task):
    settled = Settled.of(known(task).full_request)
    texts = [*(resolution(entry, settled) for entry in known(task).entries), *settled.sentences]
    assert {text: found for text in texts if (found := guard(task).found(text))} == {}


def small(tmp_path, gold, inputs="a,b\n", **more):
    (tmp_path / "output_01.csv").write_text(gold)
    (tmp_path / "input_01.csv").write_text(inputs)
    return Guard(Secrets((), "r", "f", gold=(tmp_path / "output_01.csv",), inputs=(tmp_path / "input_01.csv",), **more))


def test_a_value_that_only_gold_has_is_withheld_and_one_of_the_inputs_is_not(tmp_path):
    guarded = small(tmp_path, "total\n1397.57\n12\n", "x\n12\n")
    assert guarded.found("It's 1,397.57 in all.") == "a value that only gold has"
    assert guarded.found("It's about 1397.6 in all.") == "a value that only gold has"
    assert guarded.found("Take the 12 of the input.") == ""


def test_cells_of_a_row_are_withheld_also_when_the_inputs_have_each(tmp_path):
    guarded = small(tmp_path, "a,b,c\nLeeds,March,blue\n", "a\nblue\nLeeds\nMarch\n")
    assert guarded.found("Leeds has March, and there blue.") == "cells of a gold row"
    assert guarded.found("Leeds is a city and March a month.") == ""


def test_a_long_answer_of_repeated_cells_is_checked_in_no_time(tmp_path):
    guarded = small(tmp_path, "a,b,c,d,e\nx1,x2,x3,x4,rare\n", "a\nx1 x2 x3 x4 rare\n")
    said = "x1 x2 x9 " * 400 + "rare"
    started = time.perf_counter()
    assert guarded.found(said) == ""
    assert time.perf_counter() - started < 1


def test_a_small_table_is_withheld_whole(tmp_path):
    guarded = small(tmp_path, "a,b\nFPTP,A\nBorda,B\n", "a\nFPTP A\nB\nBorda\nA\n")
    assert guarded.found("FPTP: A, Borda: B") == "gold rows"


def test_what_the_request_says_itself_may_be_said(tmp_path):
    (tmp_path / "output_01.csv").write_text("a,b,c\nLeeds,March,blue\n")
    guarded = Guard(Secrets((), "In Leeds March is blue.", "f", gold=(tmp_path / "output_01.csv",)))
    assert guarded.found("In Leeds March is blue.") == ""


@pytest.mark.parametrize(
    "said",
    [
        "Total Cars = Red Cars + Silver Cars + Black Cars.",
        "Select one row from each group, the latest.",
        "Return the first match, or nothing.",
        "If the case (upper or lower) differs, they are still the same [name].",
        "Join the tables on Client; group by week.",
    ],
)
def test_plain_words_are_no_code(said):
    assert Guard(Secrets((), "", "")).found(said) == ""


def test_the_guard_holds_over_the_release(prepbench):
    measure = bench.Measure(prepbench)
    assert [attempt for attempt, through in measure.leaks() if through] == []
