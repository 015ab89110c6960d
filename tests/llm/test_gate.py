"""The gate: how many at a time, and when."""

import threading
from concurrent.futures import ThreadPoolExecutor

from prepsql.llm import Gate


def test_it_halves_with_a_rate_limit_and_grows_by_one_a_round(clock):
    gate = Gate(8, clock)
    with gate.slot() as of_round:
        gate.narrow(of_round)
        assert gate.limit == 4
        gate.narrow(of_round)  # a call of the same round was refused too
        assert gate.limit == 4
    for _ in range(4):
        gate.widen()
    assert gate.limit == 5
    for _ in range(100):
        gate.widen()
    assert gate.limit == 8


def test_it_never_closes(clock):
    gate = Gate(8, clock)
    for _ in range(10):
        with gate.slot() as of_round:
            gate.narrow(of_round)
    assert gate.limit == 1


def test_no_more_than_its_limit_are_inside(clock):
    gate, inside, most, lock = Gate(3, clock), [0], [0], threading.Lock()

    def work(_):
        with gate.slot():
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            threading.Event().wait(0.002)
            with lock:
                inside[0] -= 1

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(work, range(60)))
    assert most == [3]


def test_a_place_is_free_again_after_an_error(clock):
    gate = Gate(1, clock)
    for _ in range(3):
        try:
            with gate.slot():
                raise ValueError
        except ValueError:
            pass
    with gate.slot():
        pass


def test_nobody_goes_through_before_the_moment_that_was_named(clock):
    gate = Gate(2, clock)
    gate.hold(30)
    gate.hold(10)
    with gate.slot():
        assert clock.naps == [30]
