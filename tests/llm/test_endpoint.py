"""The endpoint over a real wire: whatever it does, each call has its own reply, once, or a line that says why."""

import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from random import Random

import pytest

from prepsql.errors import ContextExceeded, ModelError, NoAnswers
from prepsql.llm import Patience, Price, RealClock
from prepsql.llm.keys import call_key
from tests.llm.conftest import ask, in_turn, when
from tests.llm.server import ANSWER, Move, echo, refuse


def text_of(request):
    return echo([{"role": m.role, "content": m.content} for m in request.messages])


def test_a_reply_has_text_tokens_cost_and_the_models_own_name(endpoint, wire, stream):
    price = Price(prompt=1.0, cached=0.5, completion=2.0)
    reply = endpoint(stream=stream, price=price).complete(ask(max_tokens=500, seed=3), when())
    assert (reply.text, reply.finish, reply.source, reply.model) == (text_of(ask()), "stop", "paid", "tiny-001")
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (4, 62)
    assert reply.usage.usd == pytest.approx((3 * 1.0 + 1 * 0.5 + 62 * 2.0) / 1e6)
    (call,) = wire.calls
    assert (call.body["temperature"], call.body["max_tokens"], call.body["seed"]) == (0.7, 500, 3)
    assert call.key == call_key("tiny", ask(max_tokens=500, seed=3), when())


def test_without_price_or_usage_the_cost_is_unknown_and_not_0(endpoint, wire, stream):
    assert endpoint(stream=stream).complete(ask(), when()).usage.usd is None
    wire.plan = lambda call: Move(usage=False)
    usage = endpoint(stream=stream, price=Price(prompt=1, completion=1)).complete(ask("x"), when()).usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.usd) == (None, None, None)


@pytest.mark.parametrize(
    ("said", "finish"),
    [("stop", "stop"), ("length", "length"), ("content_filter", "filter"), ("eos", "stop"), ("max_tokens", "length")],
)
def test_how_a_reply_ended(endpoint, wire, stream, said, finish):
    wire.plan = lambda call: Move(finish=said)
    assert endpoint(stream=stream).complete(ask(), when()).finish == finish


def test_a_whole_reply_may_leave_out_how_it_ended(endpoint, wire):
    wire.plan = lambda call: Move(finish=None)
    assert endpoint().complete(ask(), when()).finish == "stop"


@pytest.mark.parametrize("text", ["", "é – 𝔘\n\t\"'", "a\u2028b\x85c\x0bd\r\ne", "x" * 100_000])
def test_any_text_comes_through(endpoint, wire, stream, text):
    wire.plan = lambda call: Move(text=text)
    assert endpoint(stream=stream).complete(ask("a \ud800 half"), when()).text == text


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "30"}, 30),
        ({"Retry-After": "0.25"}, 0.25),
        ({"Retry-After": "Mon, 30 Nov 2026 12:00:45 GMT"}, 45),  # the server's clock says 12:00:00
        ({"Retry-After": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0),
        ({"Retry-After": "-3"}, 0),
        ({"Retry-After": "9", "retry-after-ms": "8250"}, 8.25),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
def test_a_wait_that_is_asked_for_is_kept_to_the_second(endpoint, wire, clock, stream, headers, seconds, status):
    wire.plan = in_turn(refuse(status, **headers), refuse(status, **headers))
    assert endpoint(stream=stream).complete(ask(), when()).text == text_of(ask())
    assert clock.naps == ([seconds, seconds] if seconds else [])
    assert len(wire.calls) == 3


def test_a_wait_is_kept_in_real_time(endpoint, wire):
    wire.plan = in_turn(refuse(429, Retry_After="1"))
    endpoint(clock=RealClock()).complete(ask(), when())
    first, second = wire.calls
    assert 1.0 <= second.at - first.at < 2.0


@pytest.mark.parametrize("asked", ["soon", "nan", "", "inf"])
def test_without_a_wait_it_is_twice_as_long_each_time(endpoint, wire, clock, asked):
    wire.plan = in_turn(*[refuse(429, Retry_After=asked)] * 5)
    endpoint().complete(ask(), when())
    assert clock.naps == [1, 2, 4, 8, 16]
    endpoint(chance=lambda: 0.0).complete(ask("other"), when())
    assert clock.naps[5:] == [0.5, 1, 2, 4, 8]


def test_a_wait_that_is_too_long_ends_the_call(endpoint, wire, clock):
    wire.plan = in_turn(refuse(429, "slow down", Retry_After="3600"))
    with pytest.raises(ModelError, match=r"HTTP 429: slow down, and asks to wait 3600 s, more than the 600 s"):
        endpoint().complete(ask(), when())
    assert clock.naps == []


FAULTS = {
    "500": refuse(500),
    "502 that isn't JSON": Move("status", 502, {}, "bad gateway"),
    "408": refuse(408),
    "409": refuse(409),
    "broken JSON": Move("broken"),
    "cut": Move("cut"),
    "cut without a length": Move("cut_unsaid"),
    "no choices": Move("no_choices"),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_tried_again_with_the_same_key_and_paid_once(endpoint, wire, clock, stream, fault):
    wire.plan = in_turn(fault, fault, fault)
    reply = endpoint(stream=stream).complete(ask(), when())
    assert reply.text == text_of(ask())
    assert reply.usage.completion_tokens == 62
    assert clock.naps == [1, 2, 4]
    assert len(wire.calls) == 4
    assert len(set(wire.keys())) == 1
    assert set(wire.paid.values()) == {1}


def test_an_error_within_a_stream_is_tried_again(endpoint, wire):
    wire.plan = in_turn(Move("error_in_stream"))
    assert endpoint(stream=True).complete(ask(), when()).text == text_of(ask())
    assert len(wire.calls) == 2


def test_a_reply_that_is_whole_but_for_its_tokens_is_not_asked_for_again(endpoint, wire):
    wire.plan = lambda call: Move("cut_after_finish")
    reply = endpoint(stream=True).complete(ask(), when())
    assert (reply.text, reply.usage.prompt_tokens) == (text_of(ask()), None)
    assert len(wire.calls) == 1


def test_an_endpoint_may_answer_the_other_way_than_asked(endpoint, wire, stream):
    wire.plan = lambda call: Move("other_way")
    reply = endpoint(stream=stream).complete(ask(), when())
    assert (reply.text, reply.finish) == (text_of(ask()), "stop")
    assert len(wire.calls) == 1


@pytest.mark.parametrize(
    "page", [b"", b"<html>Log in</html>", b'"text"', b"[]", b'{"choices": 1}', b"data: [DONE]", b":"]
)
def test_what_is_no_answer_at_all(endpoint, wire, stream, page):
    wire.plan = lambda call: Move("status", 200, {}, page)
    with pytest.raises(ModelError, match=r"the answer .*; tried 2 times"):
        endpoint(stream=stream, patience=Patience(tries=2)).complete(ask(), when())


@pytest.mark.parametrize("kind", ["silent", "drip"])
def test_a_slow_reply_is_ended_at_its_bound(endpoint, wire, stream, kind):
    wire.plan = in_turn(Move(kind, seconds=0.2 if kind == "drip" else 12))
    slow = endpoint(stream=stream, clock=RealClock(), seconds=0.5, patience=Patience(first=0.0))
    assert slow.complete(ask(), when()).text == text_of(ask())
    first, second = wire.calls
    assert second.at - first.at < 6  # a whole reply takes twelve and more
    assert set(wire.paid.values()) == {1}


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (FAULTS["500"], "HTTP 500: no"),
        (FAULTS["broken JSON"], "the answer is not JSON"),
        (FAULTS["cut"], "broke|cut off"),
        (refuse(429, "slow down"), "HTTP 429: slow down"),
    ],
)
def test_it_gives_up_after_the_stated_number_of_tries(endpoint, wire, stream, fault, words):
    wire.plan = lambda call: fault
    with pytest.raises(ModelError, match=rf"model tiny at http://127\S+: .*({words}).*; tried 3 times: ") as failed:
        endpoint(stream=stream, patience=Patience(tries=3)).complete(ask(), when())
    assert "\n" not in str(failed.value)
    assert len(wire.calls) == 3


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (refuse(400, "your prompt has 9000 tokens, 4096 are the most"), "HTTP 400: your prompt has 9000 tokens"),
        (refuse(401, "who are you?"), "HTTP 401: who are you.: give a valid key with PREPSQL_API_KEY"),
        (refuse(403), "HTTP 403: no: the key may not use this model"),
        (refuse(404, "no model tiny"), r"HTTP 404: no model tiny: the endpoint has the model, but not at this address"),
        (refuse(422), "HTTP 422: no"),
        (
            refuse(429, {"message": "pay!", "code": "insufficient_quota"}),
            "HTTP 429: pay!: the account has no credit left",
        ),
    ],
)
def test_what_cannot_succeed_is_not_tried_again(endpoint, wire, clock, stream, move, words):
    wire.plan = lambda call: move
    with pytest.raises(ModelError, match=words) as failed:
        endpoint(stream=stream).complete(ask(), when())
    assert "\n" not in str(failed.value)
    assert (len(wire.calls), clock.naps) == (1, [])


KEY = "sk-secret-1"


def test_the_key_is_sent_and_never_shown(endpoint, wire):
    wire.key = KEY
    assert endpoint(api_key=KEY).complete(ask(), when()).text
    wire.key = "sk-other"
    with pytest.raises(ModelError, match="HTTP 401: wrong key: Bearer …") as failed:
        endpoint(api_key=KEY).complete(ask(), when())
    assert "secret" not in "".join(traceback.format_exception(failed.value))
    wire.key = None
    wire.plan = lambda call: Move(
        "status", 200, {}, b'{"error": {"message": "key sk-secret-1 is blocked", "code": 403}}'
    )
    with pytest.raises(ModelError, match="the endpoint says: key … is blocked") as failed:
        endpoint(api_key=KEY).complete(ask(), when())
    assert "secret" not in "".join(traceback.format_exception(failed.value))
    assert len(wire.calls) == 3


def test_keys_of_other_programs_are_not_sent(endpoint, wire, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-others")
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "of-others")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer of-others\nX-Team: of-others")
    endpoint(api_key="mine").complete(ask(), when())
    assert "others" not in str(wire.calls[0].headers)
    assert wire.calls[0].headers["authorization"] == "Bearer mine"


def test_a_model_that_is_not_there_is_told_with_those_that_are(endpoint, wire):
    wire.plan = lambda call: refuse(404, "no model small")
    with pytest.raises(NoAnswers, match=r"choose a model that it has with PREPSQL_MODEL or --model \(large, tiny\)"):
        endpoint(model="small").complete(ask(), when())


def test_an_endpoint_that_answered_once_may_answer_again(endpoint, wire):
    wire.plan = lambda call: ANSWER if len(wire.calls) == 1 else refuse(401)
    made = endpoint()
    made.complete(ask(), when())
    with pytest.raises(ModelError) as failed:
        made.complete(ask(max_tokens=7), when())
    assert type(failed.value) is ModelError


def test_nobody_at_the_address(endpoint, wire, clock):
    wire.close()
    with pytest.raises(NoAnswers, match=r"no connection.*refused.*; tried 2 times: see whether the endpoint runs"):
        endpoint(patience=Patience(tries=2)).complete(ask(), when())


SCHEMA = {
    "type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False,
}  # fmt: skip


def test_a_schema_is_sent_as_response_format(endpoint, wire, stream):
    made = endpoint(stream=stream)
    made.complete(ask(schema=SCHEMA), when())
    made.complete(ask(schema={"type": "object"}), when())
    strict, loose = (call.body["response_format"]["json_schema"] for call in wire.calls)
    assert (strict["schema"], strict["strict"], loose["strict"]) == (SCHEMA, True, False)


@pytest.mark.parametrize("words", ["'response_format' of type json_schema is not known", "bad request"])
def test_an_endpoint_without_schemas_is_remembered_and_gets_it_in_the_prompt(endpoint, wire, clock, stream, words):
    wire.plan = lambda call: refuse(400, words) if "response_format" in call.body else ANSWER
    made = endpoint(stream=stream)
    for number in range(3):
        made.complete(ask(f"call {number}", schema=SCHEMA), when(attempt=number))
    assert ["response_format" in call.body for call in wire.calls] == [True, False, False, False]
    assert made.left_out == ("response_format",)
    assert '"additionalProperties": false' in wire.calls[3].body["messages"][-1]["content"]
    assert clock.naps == []


def test_a_bad_request_for_another_reason_does_not_lose_the_schema(endpoint, wire):
    wire.plan = lambda call: refuse(400, "too long") if "long" in call.body["messages"][-1]["content"] else ANSWER
    made = endpoint()
    with pytest.raises(ModelError, match="too long"):
        made.complete(ask("long", schema=SCHEMA), when())
    made.complete(ask("short", schema=SCHEMA), when())
    assert "response_format" in wire.calls[-1].body
    assert made.left_out == ()


LITERAL = "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text'\"}]"


def test_a_form_that_an_endpoint_calls_its_own_fault_is_left_out(endpoint, wire, clock):
    wire.plan = lambda call: refuse(500, LITERAL) if "response_format" in call.body else ANSWER
    made = endpoint()
    made.complete(ask(schema=SCHEMA), when())
    assert made.left_out == ("response_format",)
    assert (len(wire.calls), clock.naps) == (2, [])


def test_a_fault_of_an_endpoint_that_names_no_form_is_tried_again_as_it_was(endpoint, wire):
    wire.plan = lambda call: refuse(500, "temperature of the card is too high") if call.number == 1 else ANSWER
    made = endpoint()
    made.complete(ask(schema=SCHEMA), when())
    assert [sorted(call.body) for call in wire.calls] == [sorted(wire.calls[0].body)] * 2
    assert made.left_out == ()


@pytest.mark.parametrize(
    "move",
    [
        refuse(400, {"message": "so long", "code": "context_length_exceeded"}),
        refuse(400, "This model's maximum context length is 2048 tokens. However, you requested 5000 tokens."),
        refuse(400, "the request exceeds the available context size"),
        refuse(413, "no"),
    ],
)
def test_a_request_that_is_longer_than_the_context_is_no_fault(endpoint, wire, move):
    wire.plan = lambda call: move
    with pytest.raises(ContextExceeded, match="longer context"):
        endpoint().complete(ask(schema=SCHEMA), when())
    assert len(wire.calls) == 1


def test_parameters_that_a_model_refuses_are_left_out(endpoint, wire):
    def plan(call):
        for name in ("max_tokens", "temperature", "stream_options"):
            if name in call.body:
                return refuse(400, f"Unsupported parameter: '{name}' is not supported with this model.")
        return ANSWER

    wire.plan = plan
    made = endpoint(stream=True)
    reply = made.complete(ask(max_tokens=7), when())
    assert (reply.text, reply.usage.prompt_tokens) == (text_of(ask()), None)
    assert wire.calls[-1].body["max_completion_tokens"] == 7
    assert made.left_out == ("max_tokens", "stream_options", "temperature")
    made.complete(ask("more"), when())
    assert len(wire.calls) == 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"temperature": 3.0}, "'temperature' must be at most 2"),
        ({"max_tokens": 10**6}, "max_tokens is too large: 1000000; this model supports at most 16384"),
        ({"seed": -1}, "seed should be greater than or equal to 0"),
    ],
)
def test_a_number_that_is_refused_is_the_callers_fault(endpoint, wire, options, words):
    wire.plan = lambda call: refuse(400, words)
    made = endpoint()
    with pytest.raises(ModelError, match=words):
        made.complete(ask(**options), when())
    assert len(wire.calls) == 1


def test_a_closed_endpoint_opens_again(endpoint, wire):
    made = endpoint()
    for number in range(2):
        made.complete(ask(str(number)), when())
        made.close()
    assert len(wire.calls) == 2


def test_calls_of_other_occasions_and_runs_have_other_keys(endpoint, wire):
    occasions = [when(), when(task="b"), when(stage="profile"), when(attempt=2), when(repeat=2), when(setting="direct")]
    for occasion in occasions:
        endpoint().complete(ask(), occasion)
    endpoint(run="other").complete(ask(), when())
    assert len(set(wire.keys())) == len(occasions) + 1


def test_threads_at_once_lose_nothing_and_pay_nothing_twice(endpoint, wire, stream):
    faults = [*FAULTS.values(), refuse(429), refuse(429, Retry_After="2"), Move("answer", usage=False)]

    def plan(call):
        chance = Random(f"{call.key} {call.number}")
        return chance.choice(faults) if chance.random() < 0.4 else ANSWER

    wire.plan = plan
    made = endpoint(stream=stream, patience=Patience(tries=40), calls=12)
    requests = [ask(f"call {number}") for number in range(80)]
    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda r: made.complete(r, when(task=r.messages[1].content)), requests))
    assert [reply.text for reply in replies] == [text_of(request) for request in requests]
    assert len(wire.paid) == 80
    assert set(wire.paid.values()) == {1}
    assert len(wire.calls) > 100
    assert wire.most_under_way <= 12


def test_after_a_rate_limit_fewer_call_at_a_time(endpoint, wire):
    limit, refused = 3, []
    arrivals, all_at_once = count(), threading.Barrier(16)

    def plan(call):
        if next(arrivals) < 16:
            all_at_once.wait(60)
        with wire.lock:
            over = wire.under_way > limit
        refused.append(over)
        if over:
            return refuse(429)
        threading.Event().wait(0.01)
        return ANSWER

    wire.plan = plan
    made = endpoint(calls=16, patience=Patience(tries=100))
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: made.complete(ask(str(n)), when(attempt=n)), range(150)))
    assert sum(refused[:20]) > sum(refused[-20:])
    assert wire.most_under_way > limit


def test_the_client_is_loaded_only_when_called():
    code = "import sys, prepsql.llm as llm; llm.Endpoint('http://x/v1', 'm'); assert 'openai' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
