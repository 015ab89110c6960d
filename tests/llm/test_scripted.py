"""The scripted model: which reply on which occasion, with tokens, ends, delays and failures."""

import json
from pathlib import Path

import pytest

from prepsql.errors import ConfigError, InputError, ModelError
from prepsql.llm import Patience, Price, Scripted, Usage
from tests.llm.conftest import ask, when

SCRIPT = Path(__file__).parent.parent / "fixtures" / "llm" / "agent.yaml"


@pytest.fixture
def scripted(clock):
    return Scripted(SCRIPT, clock=clock)


@pytest.mark.parametrize(
    ("occasion", "text"),
    [
        (when(), "CREATE TABLE output_01 AS SELEC 1"),
        (when(setting="translate"), "CREATE TABLE output_01 AS SELEC 1"),
        (when("case_002"), "CREATE TABLE output_01 AS SELECT 1\n"),
        (when("case_002", attempt=3, setting="codegen-noprofile"), "CREATE TABLE output_01 AS SELECT 1\n"),
        (when("any", "translate", 3), '{"steps": []}\n'),
        (when("any", "translate", 1), "{}"),
    ],
)
def test_the_first_reply_that_fits_is_given(scripted, occasion, text):
    reply = scripted.complete(ask(), occasion)
    assert (reply.text, reply.source, reply.model, reply.finish) == (text, "script", "made-up", "stop")


def test_a_reply_has_its_own_tokens_end_and_delay(scripted, clock):
    assert scripted.complete(ask(), when()).usage == Usage(1000, 50, None)
    reply = scripted.complete(ask(), when("x", "answer", role="simulator", repeat=2))
    assert (reply.finish, reply.seconds, clock.naps) == ("length", 1.5, [1.5])


def test_a_price_of_the_scripts_model_makes_costs(clock):
    priced = Scripted(SCRIPT, prices={"made-up": Price(prompt=1, completion=10)}, clock=clock)
    assert priced.complete(ask(), when()).usage.usd == pytest.approx(0.0015)
    assert priced.complete(ask(), when("x", "translate", 1)).usage.usd == 0.25


def test_failures_are_tried_again_as_an_endpoints_are(scripted, clock):
    reply = scripted.complete(ask(), when("x", "translate", 1))
    assert (reply.text, clock.naps) == ("{}", [30, 30])
    assert scripted.complete(ask(), when("cut", "answer")).text == "whole"
    again = scripted.complete(ask(), when("x", "translate", 1))
    assert (again.text, clock.naps) == ("{}", [30] * 4)


@pytest.mark.parametrize(
    ("task", "words"),
    [("broke", "no whole answer in time; tried 6 times"), ("refused", "HTTP 401: the script says so")],
)
def test_failures_for_good(scripted, task, words):
    with pytest.raises(ModelError, match=words):
        scripted.complete(ask(), when(task, "answer"))


def test_fewer_tries(clock):
    scripted = Scripted(SCRIPT, clock=clock, patience=Patience(tries=2, first=0.0))
    with pytest.raises(ModelError, match="HTTP 500: the script says so; tried 2 times"):
        scripted.complete(ask(), when("x", "translate", 1))


def test_a_call_that_the_script_does_not_know_says_which_and_what_there_is(scripted):
    with pytest.raises(ModelError) as wrong:
        scripted.complete(ask(), when("case_017", "code", 2, setting="direct"))
    said = str(wrong.value)
    wanted = "has no reply for role agent, setting direct, task case_017, stage code, attempt 2, repeat 1; it has "
    assert wanted in said
    assert "(setting e2e|codegen*, task case_00?, stage code)" in said
    assert "\n" not in said


def test_a_file_that_is_missing_when_its_turn_comes(scripted):
    with pytest.raises(ModelError, match=r"case_003.*cannot be read from .*solutions/case_003.sql: No such file"):
        scripted.complete(ask(), when("case_003", "code"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("replies: [{stage: code}]", "replies.0: Value error, has none of 'text', 'file' and 'error'"),
        ("replies: [{text: a, file: b}]", "has both 'text' and 'file'"),
        ("replies: [{text: a, stag: code}]", "replies.0.stag: Extra inputs"),
        ("replies: [{text: a, error: maybe}]", "replies.0.error"),
        ("replies: [{text: a, delay: -1}]", "replies.0.delay"),
        ("replies: [{file: nowhere.sql}]", "replies.0: there is no file"),
        ("replies: [{file: '{tusk}.sql'}]", "'file' may hold {role}, {setting}, {task}"),
        ("replies: {a: b}", "replies: Input should be a valid tuple"),
        ("reply: []", "replies: Field required"),
        ("- 1", "the file: Input should be"),
        ("", "the file: Input should be"),
        ("a: [", "is neither YAML nor JSON"),
    ],
)
def test_a_file_that_is_no_script_is_refused(tmp_path, text, words):
    path = tmp_path / "script.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as wrong:
        Scripted(path)
    assert words in str(wrong.value)
    assert str(path) in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_json_is_a_script_as_well_and_a_missing_one_is_named(tmp_path, clock):
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"replies": [{"text": "a"}]}))
    assert Scripted(path, clock=clock).complete(ask(), when()).text == "a"
    assert Scripted(path, clock=clock).complete(ask(), when()).usage == Usage(None, None, None)
    with pytest.raises(InputError, match=r"cannot read .*nowhere"):
        Scripted(tmp_path / "nowhere.yaml")
