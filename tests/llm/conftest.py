"""What tests of models may use."""

import threading

import pytest

from prepsql.llm import Endpoint, Gate, Message, Occasion, Patience, Request
from tests.llm.server import ANSWER, Wire


class FakeClock:
    """Time that passes only where somebody sleeps; `naps` are the sleeps, in order."""

    def __init__(self):
        self.time = 1000.0
        self.naps = []
        self.lock = threading.Lock()

    def now(self):
        with self.lock:
            return self.time

    def wall(self):
        return 1_796_000_000.0  # hours before what the server's clock says

    def sleep(self, seconds):
        with self.lock:
            if seconds > 0:
                self.naps.append(seconds)
                self.time += seconds


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def wire():
    server = Wire()
    yield server
    server.close()


@pytest.fixture(params=[False, True], ids=["whole", "stream"])
def stream(request):
    return request.param


@pytest.fixture
def endpoint(wire, clock):
    """Make an endpoint at the server; time is virtual unless a clock is given."""
    made = []

    def make(**options):
        used = options.pop("clock", clock)
        gate = options.pop("gate", None) or Gate(options.pop("calls", 8), used)
        settings = {"patience": Patience(), "chance": lambda: 1.0, **options}
        made.append(Endpoint(wire.url, settings.pop("model", "tiny"), clock=used, gate=gate, **settings))
        return made[-1]

    yield make
    for each in made:
        each.close()


def ask(text="Which?", **options):
    return Request((Message("system", "You prepare data."), Message("user", text)), **options)


def when(task="case_001", stage="code", attempt=1, **options):
    return Occasion(options.pop("role", "agent"), options.pop("setting", "e2e"), task, stage, attempt, **options)


def in_turn(*moves):
    """Return a plan: of the calls with one key the first has the first move, …; then answers."""
    return lambda call: moves[call.number - 1] if call.number <= len(moves) else ANSWER
