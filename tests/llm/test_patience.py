"""How long to wait, by an answer's headers and by the tries that failed."""

import pytest

from prepsql.errors import ModelError
from prepsql.llm import Gate, Patience
from prepsql.llm.patience import Fault, asked_wait, may_come_again, tried

NOON = 1_796_040_000  # 2026-11-30 12:00:00 UTC
DATE = "Mon, 30 Nov 2026 12:00:{} GMT"


@pytest.mark.parametrize(
    ("headers", "wall", "seconds"),
    [
        ({}, NOON, None),
        ({"retry-after": "7"}, NOON, 7.0),
        ({"retry-after": DATE.format("20")}, NOON, 20.0),
        ({"retry-after": DATE.format("20"), "date": DATE.format("15")}, NOON, 5.0),
        ({"retry-after": DATE.format("20"), "date": "today"}, NOON, 20.0),
        ({"retry-after": "Monday"}, NOON, None),
        ({"retry-after": "1e999"}, NOON, None),
        ({"retry-after-ms": "x", "retry-after": "2"}, NOON, 2.0),
    ],
)
def test_the_wait_that_headers_ask_for(headers, wall, seconds):
    assert asked_wait(headers, wall) == seconds


def test_which_statuses_may_come_again():
    statuses = (400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 429, 500, 502, 503, 504, 529)
    assert [s for s in statuses if may_come_again(s)] == [408, 409, 425, 429, 500, 502, 503, 504, 529]


def test_while_one_waits_as_asked_nobody_calls(clock):
    gate, failing = Gate(4, clock), [True]

    def send():
        if failing.pop() if failing else False:
            raise Fault("slow down", again=True, status=503, wait=30)
        return "fine"

    class Busy:
        """A clock at which another call comes while the first one waits."""

        now = clock.now

        def sleep(self, seconds):
            with gate.slot():
                assert clock.naps == [30]
            clock.sleep(seconds)

    assert tried(send, where="m", patience=Patience(), gate=gate, clock=Busy(), chance=lambda: 1.0) == "fine"
    assert clock.naps == [30, 30]


def test_a_fault_that_cannot_mend_itself_is_not_waited_for(clock):
    def send():
        raise Fault("no", again=False, mend="do this")

    with pytest.raises(ModelError, match=r"^m: no: do this$"):
        tried(send, where="m", patience=Patience(), gate=Gate(1, clock), clock=clock, chance=lambda: 1.0)
    assert clock.naps == []


def test_many_failures_wait_no_longer_than_the_bound():
    assert Patience(longest=7.0).wait(10_000, 1.0) == 7.0
