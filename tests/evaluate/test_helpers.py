"""Helpers: what they do is what would be done here, and their end is nobody's wrong answer."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread, Timer

import pytest

from prepsql.errors import PrepsqlError
from prepsql.evaluate.desk import TaskDesk
from prepsql.evaluate.helpers import HERE, WORTH, Helpers, helpers
from prepsql.evaluate.solve import Terms
from prepsql.evaluate.suites import open_suite
from prepsql.evaluate.task import Task
from prepsql.sandbox import DEFAULT_LIMITS
from tests.evaluate.conftest import SUITE


@pytest.fixture(scope="module")
def there() -> Iterator[Helpers]:
    with helpers(WORTH) as made:
        assert not made.here
        yield made


@pytest.fixture(scope="module")
def task() -> Task:
    return open_suite(SUITE).select(("adds_up",)).tasks[0]


def test_few_tries_are_worth_none() -> None:
    with helpers(WORTH - 1) as made:
        assert made.here


def test_a_profile_is_the_same_there(there: Helpers, task: Task) -> None:
    assert there.profiled(task.inputs) == HERE.profiled(task.inputs)


def test_a_translation_is_kept_until_the_block_ends(there: Helpers, task: Task) -> None:
    options = {"limits": DEFAULT_LIMITS, "accept_risk": True, "hidden": task.secret}
    with there.compiled(task.inputs, task.reference["sql"].read_text(), "sql", options) as found:
        assert found is not None
        assert (found.proven, list(found.scripts)) == (True, [])
        assert found.against(found.document) == ""
        wrong = {**found.document, "nodes": {**found.document["nodes"], "more": {"kind": "no such"}}}
        assert "no such" in found.against(wrong)
    assert len(there._free) == len(there._all)


def test_what_can_not_be_translated_is_none(there: Helpers, task: Task) -> None:
    options = {"limits": DEFAULT_LIMITS, "hidden": ()}
    with there.compiled(task.inputs, "CREATE TABLE output_01 AS SELECT x FROM nowhere", "sql", options) as found:
        assert found is None


def test_a_fault_there_is_an_error_here_and_ends_nothing(there: Helpers, task: Task) -> None:
    options = {"limits": DEFAULT_LIMITS, "hidden": (), "no_such": 1}
    with pytest.raises(PrepsqlError, match="no_such"), there.compiled(task.inputs, "", "sql", options):
        pass
    assert there._free


def test_one_that_is_killed_is_replaced(task: Task) -> None:
    with helpers(WORTH) as made:
        first = made.profiled(task.inputs)
        os.kill(made._all[0].process.pid, signal.SIGKILL)
        made._all[0].process.wait()
        with pytest.raises(PrepsqlError, match="has ended"):
            made.profiled(task.inputs)
        assert made.profiled(task.inputs) == first
        processes = [helper.process for helper in made._all]
    assert all(process.returncode is not None for process in processes)


def test_one_outlives_the_thread_that_asked_first_and_ends_in_peace(task: Task) -> None:
    with helpers(WORTH) as made:
        thread = Thread(target=made.profiled, args=(task.inputs,))
        thread.start()
        thread.join()
        time.sleep(0.5)
        assert made.profiled(task.inputs)
        (helper,) = made._all
    assert helper.process.returncode == 0


def test_a_translation_here_ends_with_the_run(task: Task, tmp_path: Path) -> None:
    slow = "import time\ntime.sleep(10)\n" + task.reference["pandas"].read_text()
    desk = TaskDesk(task, tmp_path, Terms(stop=Event(), accept_risk=True))
    assert desk.terms.stop is not None
    Timer(1, desk.terms.stop.set).start()
    start = time.monotonic()
    with pytest.raises(PrepsqlError, match="stopped"), desk.compiled(slow, "pandas"):
        pass
    assert time.monotonic() - start < 8
