"""The wire format: what is sent, and what is read however the network cuts it."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepsql.llm.model import UNKNOWN, Reply
from prepsql.llm.patience import Fault
from prepsql.llm.wire import parameters, read
from tests.llm.conftest import ask

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def cut(body, places):
    """Return a body in pieces, cut at some places."""
    ends = sorted({0, len(body), *(place % (len(body) + 1) for place in places)})
    return [body[a:b] for a, b in pairwise(ends)]


def streamed(parts, line_end="\n", extra=""):
    chunks = [{"model": "m", "choices": [{"index": 0, "delta": {"content": part}}], "usage": None} for part in parts]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    chunks.append({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}})
    events = [f"{extra}data: {json.dumps(c, ensure_ascii=False)}{line_end}{line_end}" for c in chunks]
    return ("".join(events) + f"data: [DONE]{line_end}{line_end}").encode()


@given(st.lists(TEXT, max_size=5), st.lists(st.integers(0, 10**6), max_size=8), st.sampled_from(["\n", "\r\n"]),
       st.sampled_from(["", ": still there\n\n", "event: message\nid: 7\n"]))  # fmt: skip
def test_a_stream_is_read_however_it_is_cut(parts, places, line_end, extra):
    answer = read(cut(streamed(parts, line_end, extra), places))
    assert (answer.text, answer.finish, answer.model) == ("".join(parts), "stop", "m" if parts else None)
    assert (answer.prompt_tokens, answer.completion_tokens) == (3, 4)


@given(TEXT, st.lists(st.integers(0, 10**6), max_size=8), st.booleans())
def test_an_object_is_read_however_it_is_cut(text, places, ascii_only):
    said = {"model": "m", "choices": [{"message": {"content": text}, "finish_reason": "length"}]}
    answer = read(cut(json.dumps(said, ensure_ascii=ascii_only).encode(), places))
    assert (answer.text, answer.finish) == (text, "length")


@given(st.lists(TEXT, min_size=1, max_size=5), st.integers(0, 10**6))
def test_a_stream_that_ends_early_is_never_an_answer(parts, place):
    body = streamed(parts)
    said = body[: body.index(b'"finish_reason"')]
    with pytest.raises(Fault):
        read([said[: place % len(said)]])


@given(st.binary() | st.sampled_from([b"[" * 100_000, b"data: " + b"[" * 100_000]))
def test_no_bytes_break_it(body):
    with pytest.raises(Fault):
        read([body])


NAMES = ["choices", "message", "content", "usage", "error", "delta", "finish_reason", "prompt_tokens", "text"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.booleans())
def test_no_json_breaks_it(said, stream):
    body = json.dumps(said).encode()
    try:
        answer = read([b"data: " + body + b"\n\ndata: [DONE]" if stream else body])
    except Fault:
        return
    assert isinstance(answer.text, str)
    assert answer.finish in ("stop", "length", "filter")


@pytest.mark.parametrize(
    ("message", "text", "finish"),
    [
        ({"content": None}, "", "stop"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab", "stop"),
        ({"content": None, "refusal": "I won't"}, "I won't", "filter"),
        ({"content": "x", "reasoning_content": "hm"}, "x", "stop"),
    ],
)
def test_messages_of_other_forms(message, text, finish):
    whole = read([json.dumps({"choices": [{"message": message}]}).encode()])
    assert (whole.text, whole.finish) == (text, finish)
    chunks = [{"choices": [{"delta": message}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]
    parts = read([b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)])
    assert (parts.text, parts.finish) == (text, finish)


def test_the_schema_in_the_prompt_leaves_the_request_as_it_is():
    request = ask("x", schema={"type": "array"})
    sent = parameters("m", request, stream=False, without=frozenset({"response_format"}))
    assert sent["messages"][-1]["content"].endswith('and with nothing else:\n{"type": "array"}')
    assert request.messages[-1].content == "x"
    assert "response_format" not in sent


def test_a_reply_has_whole_characters():
    assert Reply("\ud83d\ude00 \ud83d", "stop", UNKNOWN, "m", 0.0, "paid").text == "😀 �"


@pytest.mark.parametrize("tokens", [10**12, -1, True, 1.5, "7"])
def test_a_number_of_tokens_that_can_be_none_is_unknown(tokens):
    said = {"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": tokens, "completion_tokens": 4}}
    answer = read([json.dumps(said).encode()])
    assert (answer.prompt_tokens, answer.completion_tokens) == (None, 4)
