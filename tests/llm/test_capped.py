"""Caps hold to the token whatever the threads do, and say what was spent."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random

import pytest

from prepsql.errors import CapReached, ModelError
from prepsql.llm import Budget, Capped, Caps, Price, Reply, Spent, Usage
from prepsql.llm.capped import UNBOUNDED_REPLY, prompt_bound
from tests.llm.conftest import ask, when

PRICE = Price(prompt=2.0, completion=10.0)


@dataclass
class Paid:
    """A model of which it's known what it was paid."""

    name: str = "tiny"
    reply_tokens: int = 100
    usage: bool = True
    fails: bool = False
    seconds: float = 0.0
    usages: list = field(default_factory=list)
    calls: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, request, occasion):
        with self.lock:
            self.calls += 1
        threading.Event().wait(self.seconds)
        if self.fails:
            raise ModelError("out of order")
        prompt, reply = 10, min(self.reply_tokens, request.max_tokens or self.reply_tokens)
        usage = Usage(prompt, reply, PRICE.usd(prompt, reply))
        with self.lock:
            self.usages.append(usage)
        return Reply("x", "stop", usage if self.usage else Usage(), "tiny", 0.1, "paid")

    def tokens(self):
        return sum(u.prompt_tokens + u.completion_tokens for u in self.usages)

    def usd(self):
        return sum(u.usd for u in self.usages)


def used_up(model, occasions, request=None):
    """Call once for each occasion, in threads; return what came: replies or errors."""

    def one(occasion):
        try:
            return model.complete(request or ask(max_tokens=200), occasion)
        except ModelError as wrong:
            return wrong

    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(one, occasions))


def test_a_cap_on_calls_is_exact():
    paid, budget = Paid(seconds=0.003), Budget(run=Caps(calls=25))
    came = used_up(Capped(paid, budget), [when(attempt=n) for n in range(60)])
    stopped = [wrong for wrong in came if isinstance(wrong, CapReached)]
    spent = budget.spent()
    assert (paid.calls, len(stopped), spent.calls, spent.tokens) == (25, 35, 25, 25 * 110)
    assert {wrong.scope for wrong in stopped} == {"run"}
    assert str(stopped[0]) == (
        "the run has spent 25 of 25 calls, and the next call may take 1: raise PREPSQL_RUN_CALLS and resume the run; "
        "what was answered is kept"
    )


@pytest.mark.parametrize("seed", range(5))
def test_caps_on_tokens_and_money_are_never_overrun_and_used_up_to_one_call(seed):
    chance = Random(seed)
    paid = Paid(reply_tokens=chance.randrange(1, 200), seconds=0.002)
    caps = Caps(usd=chance.uniform(0.01, 0.05), tokens=chance.randrange(3000, 9000))
    budget = Budget(run=caps)
    came = used_up(Capped(paid, budget, PRICE), [when(attempt=n) for n in range(200)])
    assert any(isinstance(wrong, CapReached) for wrong in came)
    assert paid.tokens() <= caps.tokens
    assert paid.usd() <= caps.usd
    one = prompt_bound(ask()) + 200
    full = paid.tokens() + one > caps.tokens or paid.usd() + PRICE.usd(one - 200, 200) > caps.usd
    assert full, "a call that would have fitted was refused"
    assert budget.spent().tokens == paid.tokens()
    assert budget.spent().usd == pytest.approx(paid.usd())


def test_each_task_has_its_own_cap():
    paid, budget = Paid(), Budget(task=Caps(calls=3), run=Caps(calls=100))
    occasions = [when(task=task, attempt=n, repeat=r) for n in range(5) for task in "ab" for r in (1, 2)]
    came = used_up(Capped(paid, budget), occasions)
    assert {w.scope for w in came if isinstance(w, CapReached)} == {"task"}
    assert paid.calls == 12
    assert budget.spent(when(task="a")).calls == 3
    assert "task a in e2e has spent 3 of 3 calls" in {str(w).split(",")[0] for w in came if isinstance(w, CapReached)}


def test_models_share_a_budget():
    budget = Budget(run=Caps(calls=5))
    agent, simulator = Capped(Paid(), budget), Capped(Paid("other"), budget)
    used_up(agent, [when()] * 3)
    came = used_up(simulator, [when(role="simulator")] * 4)
    assert sum(isinstance(w, CapReached) for w in came) == 2


def test_a_cap_on_money_needs_a_price():
    for budget in (Budget(run=Caps(usd=1.0)), Budget(task=Caps(usd=1.0))):
        with pytest.raises(
            ModelError, match=r"model tiny: no price is known, .*PREPSQL_PRICES .*cap tokens or calls"
        ) as e:
            Capped(Paid(), budget)
        assert not isinstance(e.value, CapReached)
    Capped(Paid(), Budget(run=Caps(tokens=1)))


def test_a_reply_without_usage_counts_what_it_might_have_taken():
    budget = Budget()
    Capped(Paid(usage=False), budget, PRICE).complete(ask(max_tokens=50), when())
    prompt = prompt_bound(ask())
    assert budget.spent() == Spent(PRICE.usd(prompt, 50), prompt + 50, 1)
    Capped(Paid(usage=False), unbound := Budget()).complete(ask(), when())
    assert unbound.spent().tokens == prompt + UNBOUNDED_REPLY


def test_a_failed_call_counts_as_a_call_and_holds_nothing():
    budget = Budget(run=Caps(tokens=2000))
    for _ in range(50):
        with pytest.raises(ModelError, match="out of order"):
            Capped(Paid(fails=True), budget).complete(ask(max_tokens=900), when())
    assert budget.spent() == Spent(0.0, 0, 50)


def test_a_call_that_can_never_fit_is_refused_at_once():
    with pytest.raises(CapReached, match="spent 0 of 100 tokens, and the next call may take"):
        Capped(Paid(), Budget(task=Caps(tokens=100))).complete(ask(), when())


def test_a_call_that_only_those_under_way_keep_out_waits_for_them():
    paid, budget = Paid(reply_tokens=1, seconds=0.01), Budget(run=Caps(tokens=1400))
    came = used_up(Capped(paid, budget), [when(attempt=n) for n in range(20)], ask(max_tokens=700))
    assert not any(isinstance(wrong, ModelError) for wrong in came)
    assert paid.tokens() == 20 * 11


@pytest.mark.parametrize("text", ["1,2,3\n", "é", "漢字", "𝔘", "\x00", " ", "\ud800"])
def test_no_tokenizer_makes_more_tokens_of_a_prompt_than_are_held_for_it(text):
    assert prompt_bound(ask(text * 100)) >= len((text * 100).encode(errors="replace"))


def test_what_was_spent_before_counts():
    budget = Budget(run=Caps(calls=3))
    budget.note(when(), Spent(0.0, 10, 1))
    budget.note(when(), Spent(0.0, 10, 1))
    capped = Capped(Paid(), budget)
    capped.complete(ask(), when())
    with pytest.raises(CapReached):
        capped.complete(ask(), when())
