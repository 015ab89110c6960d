"""The models of a run, put together from settings."""

import json

import pytest

from prepsql.errors import CapReached, ConfigError, ModelError
from prepsql.llm import ModelSettings, open_models
from tests.llm.conftest import ask, when
from tests.llm.server import ANSWER, Move, refuse

PRICES = {"tiny": {"prompt": 1.0, "completion": 1.0}}


@pytest.fixture
def prices(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(PRICES))
    return path


def test_a_run_that_resumes_pays_nothing_again_and_counts_what_it_paid(wire, tmp_path, prices):
    settings = ModelSettings(base_url=wire.url, model="tiny", prices=prices, run_calls=3, run_usd=1.0)
    journal = tmp_path / "calls.jsonl"
    with open_models(settings, journal) as models:
        first = [models.agent.complete(ask(str(n)), when(attempt=n)) for n in range(2)]
        spent = models.budget.spent()
        assert spent.calls == 2
        assert models.simulator is None
    with open_models(settings, journal) as models:
        assert models.budget.spent() == spent
        again = [models.agent.complete(ask(str(n)), when(attempt=n)) for n in range(2)]
        assert [r.text for r in again] == [r.text for r in first]
        assert {r.source for r in again} == {"journal"}
        models.agent.complete(ask("2"), when(attempt=2))
        with pytest.raises(CapReached):
            models.agent.complete(ask("3"), when(attempt=3))
        assert models.agent.complete(ask("0"), when(attempt=0)).source == "journal"
    assert len(wire.calls) == 3


def test_a_run_that_resumes_counts_a_call_without_usage_as_before(wire, tmp_path, prices):
    wire.plan = lambda call: Move(usage=False)
    settings = ModelSettings(base_url=wire.url, model="tiny", prices=prices)
    with open_models(settings, tmp_path / "calls.jsonl") as models:
        models.agent.complete(ask(), when())
        spent = models.budget.spent()
    assert spent.tokens > 16_384
    assert spent.usd > 0.016
    with open_models(settings, tmp_path / "calls.jsonl") as models:
        assert models.budget.spent() == spent


def test_another_run_takes_from_the_cache_and_spends_nothing(wire, tmp_path):
    settings = ModelSettings(base_url=wire.url, model="tiny", cache=tmp_path / "cache", run_calls=1)
    with open_models(settings, tmp_path / "one.jsonl") as models:
        models.agent.complete(ask(), when())
    for journal in ("two.jsonl", "two.jsonl"):
        with open_models(settings, tmp_path / journal) as models:
            assert models.agent.complete(ask(), when()).source in ("cache", "journal")
            assert models.budget.spent().calls == 0
    assert len(wire.calls) == 1


def test_each_role_has_its_own_model_and_key(wire, tmp_path):
    script = tmp_path / "sim.yaml"
    script.write_text("replies: [{role: simulator, text: yes it does}]")
    with open_models(ModelSettings(base_url=wire.url, model="tiny", simulator_model=f"script:{script}")) as models:
        assert models.simulator.complete(ask(), when(role="simulator")).text == "yes it does"
        assert (models.agent.name, models.simulator.name) == ("tiny", "scripted")
    same = ModelSettings(base_url=wire.url, api_key="sk-mine", model="tiny", simulator_model="large")
    with open_models(same) as models:
        models.simulator.complete(ask(), when(role="simulator"))
    assert wire.calls[-1].body["model"] == "large"
    assert wire.calls[-1].headers["authorization"] == "Bearer sk-mine"


def test_the_agents_key_goes_to_no_other_address(wire):
    settings = ModelSettings(
        base_url="http://127.0.0.1:1/v1", api_key="sk-mine", model="tiny", simulator_base_url=wire.url,
        simulator_model="large",
    )  # fmt: skip
    with open_models(settings) as models:
        models.simulator.complete(ask(), when(role="simulator"))
    assert "sk-mine" not in str(wire.calls[-1].headers)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        (
            ModelSettings(),
            ConfigError,
            r"no model is chosen: name one with --model or PREPSQL_MODEL .* scripted one as script:FILE",
        ),
        (
            ModelSettings(model="tiny"),
            ConfigError,
            "model tiny: no endpoint is set: name one with --base-url or PREPSQL_BASE_URL",
        ),
        (ModelSettings(model="tiny", base_url="http://x/v1", run_usd=1.0), ModelError, "no price is known"),
    ],
)
def test_what_is_missing_is_said_before_any_call(settings, error, words):
    with pytest.raises(error, match=words), open_models(settings):
        pass


def test_parameters_that_were_left_out_are_at_hand(wire, caplog):
    wire.plan = lambda call: refuse(400, "no 'temperature' here") if "temperature" in call.body else ANSWER
    with open_models(ModelSettings(base_url=wire.url, model="tiny", simulator_model="large")) as models:
        assert models.left_out == {}
        for attempt in range(2):
            models.agent.complete(ask(), when(attempt=attempt))
        assert models.left_out == {"tiny": ("temperature",)}
    assert caplog.messages == [f"model tiny at {wire.url} refuses temperature: calls do without"]


def test_what_a_script_says_it_cost_counts(tmp_path):
    script = tmp_path / "s.yaml"
    script.write_text("replies: [{text: a, usage: {usd: 0.4}}]")
    with open_models(ModelSettings(model=f"script:{script}", run_usd=1.0)) as models:
        for attempt in range(3):
            models.agent.complete(ask(), when(attempt=attempt))
        with pytest.raises(CapReached, match=r"the run has spent 1\.2 of 1 USD"):
            models.agent.complete(ask(), when())


def test_a_run_that_is_stopped_waits_for_nothing(wire, tmp_path):
    script = tmp_path / "s.yaml"
    script.write_text("replies: [{error: 503, retry_after: 500}]")
    with open_models(ModelSettings(model=f"script:{script}")) as models:
        models.stop()
        with pytest.raises(ModelError, match="the run was stopped while a call waited"):
            models.agent.complete(ask(), when())
