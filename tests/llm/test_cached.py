"""The cache: one call is paid once for all runs; nothing that isn't a whole reply is kept."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from prepsql.errors import ModelError
from prepsql.llm import Cached, Message, Patience, Request
from prepsql.llm.stored import write_whole
from tests.llm.conftest import ask, in_turn, when
from tests.llm.server import Move, refuse


@pytest.fixture
def cached(endpoint, wire, tmp_path):
    return lambda **options: Cached(endpoint(**options), tmp_path / "cache", wire.url)


def files(folder):
    return sorted(p for p in folder.rglob("*") if p.is_file())


def test_a_call_is_paid_once_for_all_runs(cached, wire):
    first = cached(run="one").complete(ask(), when())
    second = cached(run="two").complete(ask(), when(task="other", stage="answer", attempt=7))
    assert first.source == "paid"
    assert second == replace(first, source="cache")
    assert len(wire.calls) == 1


def test_whatever_matters_makes_another_call(cached, wire):
    base = ask(max_tokens=5, seed=1, schema={"type": "object"})
    others = [
        replace(base, messages=base.messages[:1]),
        replace(base, messages=(Message("user", base.messages[0].content), base.messages[1])),
        replace(base, schema=None), replace(base, schema={"type": "array"}), replace(base, temperature=0.0),
        replace(base, max_tokens=6), replace(base, seed=2), replace(base, seed=None),
    ]  # fmt: skip
    model = cached()
    for request in [base, *others]:
        model.complete(request, when())
    model.complete(base, when(repeat=2))
    cached(model="large").complete(base, when())
    Cached(cached()._model, cached()._folder, "http://elsewhere/v1").complete(base, when())
    assert len(wire.calls) == len(others) + 4
    for request in [base, *others]:
        assert model.complete(request, when()).source == "cache"


@pytest.mark.parametrize("move", [Move(finish="length"), Move(finish="content_filter")])
def test_a_reply_that_is_not_whole_is_not_kept(cached, wire, tmp_path, move):
    wire.plan = lambda call: move
    assert cached().complete(ask(), when()).finish != "stop"
    assert files(tmp_path) == []


def test_an_error_is_not_kept(cached, wire, tmp_path):
    wire.plan = in_turn(refuse(500), refuse(500))
    model = cached(patience=Patience(tries=2))
    with pytest.raises(ModelError):
        model.complete(ask(), when())
    assert files(tmp_path) == []
    assert model.complete(ask(), when()).source == "paid"


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: "null",
        lambda text: "\x00" * len(text),
        lambda text: "[" * 100_000,
        lambda text: json.dumps({**json.loads(text), "key": "0" * 64}),
        lambda text: json.dumps({**json.loads(text), "reply": {"text": 3}}),
        lambda text: text.replace('"stop"', '"length"'),
        lambda text: text.replace('"role": "agent"', '"role": "nobody"'),
    ],
)
def test_a_damaged_entry_is_as_none_and_mended(cached, wire, tmp_path, damage):
    model = cached()
    model.complete(ask(), when())
    (path,) = files(tmp_path)
    path.write_text(damage(path.read_text()))
    assert model.complete(ask(), when()).source == "paid"
    assert model.complete(ask(), when()).source == "cache"
    assert len(wire.calls) == 2


def test_threads_that_want_one_reply_pay_it_once(cached, wire):
    model = cached()
    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(lambda n: model.complete(ask(str(n % 3)), when(attempt=n)), range(36)))
    assert len(wire.calls) == 3
    assert sorted(r.source for r in replies).count("paid") == 3


def test_a_cache_that_cannot_be_written_loses_no_reply(endpoint, wire, tmp_path, caplog):
    (tmp_path / "cache").write_text("a file")
    model = Cached(endpoint(), tmp_path / "cache", wire.url)
    assert model.complete(ask(), when()).source == "paid"
    assert "can't be written" in caplog.text


def test_a_file_is_whole_or_not_there(tmp_path, monkeypatch):
    path = tmp_path / "a" / "b.json"
    write_whole(path, "first")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        write_whole(path, "second")
    assert path.read_text() == "first"
    assert files(tmp_path) == [path]


def test_texts_of_any_kind_are_kept(cached, wire):
    wire.plan = lambda call: Move(text='\x00 \u2028 é 𝔘 \\ " \n')
    model = cached()
    first = model.complete(Request((Message("user", "\ud800"),)), when())
    assert model.complete(Request((Message("user", "\ud800"),)), when()).text == first.text
