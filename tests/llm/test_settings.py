"""Settings: a flag before the environment before .env, and no key is shown."""

from pathlib import Path

import pytest

from prepsql.errors import ConfigError
from prepsql.llm import resolve
from prepsql.llm.settings import NAMES, plain_address

ENV = """
# where the models are
PREPSQL_BASE_URL="http://localhost:8080/v1/"
export PREPSQL_API_KEY='sk-$ecret'
PREPSQL_MODEL=from-file
PREPSQL_STREAM=yes
PREPSQL_RUN_USD=2.5
OPENAI_API_KEY=sk-others
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / ".env").write_text(ENV)
    return tmp_path


def test_flag_before_environment_before_file(folder):
    environment = {"PREPSQL_MODEL": "from-environment", "PREPSQL_TRIES": "3", "PREPSQL_CALLS_AT_ONCE": ""}
    found = resolve({"tries": 4, "seconds": None}, environment=environment, folder=folder)
    assert (found.base_url, found.api_key, found.stream) == ("http://localhost:8080/v1", "sk-$ecret", True)
    assert (found.model, found.tries, found.run_usd, found.calls_at_once, found.seconds) == (
        "from-environment",
        4,
        2.5,
        8,
        300,
    )
    origins = {name: found.origins[name] for name in ("base_url", "model", "tries", "seconds", "cache")}
    expected = {"base_url": ".env", "model": "environment", "tries": "flag", "seconds": "default", "cache": "default"}
    assert origins == expected
    assert set(found.origins) == set(NAMES)


def test_no_key_is_shown(folder):
    found = resolve({"simulator_api_key": "sk-too"}, environment={}, folder=folder)
    assert found.simulator_api_key == "sk-too"
    shown = f"{found} {found.to_dict()}"
    assert "sk-" not in shown
    assert found.to_dict()["api_key"] == "set"
    assert resolve({}, environment={"OPENAI_API_KEY": "x"}, folder=folder / "none").to_dict()["api_key"] is None


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("SECONDS", "soon", "PREPSQL_SECONDS (environment): 'soon': Input should be a valid number"),
        ("SECONDS", "0", "greater than 0"),
        ("SECONDS", "inf", "finite"),
        ("TRIES", "0", "greater than 0"),
        ("TRIES", "2.5", "valid integer"),
        ("CALLS_AT_ONCE", "-1", "greater than 0"),
        ("RUN_USD", "-0.1", "greater than or equal to 0"),
        ("RUN_USD", "nan", "finite"),
        ("TASK_TOKENS", "many", "valid integer"),
        ("STREAM", "perhaps", "valid boolean"),
        ("BASE_URL", "localhost:8080", "'localhost:8080' is no address: give one like https://api.openai.com/v1"),
        ("BASE_URL", "http://me:pass@host/v1", "an address with a name or password in it would be shown"),
        ("BASE_URL", "http://me:pass@[host/v1", "an address with a name or password in it would be shown"),
        ("SIMULATOR_BASE_URL", "http://[", "is no address"),
        ("API_KEY", "pass@ two", "PREPSQL_API_KEY (environment): a key is of letters, digits and signs without blanks"),
        ("SIMULATOR_API_KEY", "pass@\u2026", "a key is of letters"),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_its_place(tmp_path, name, value, words):
    with pytest.raises(ConfigError) as wrong:
        resolve(environment={f"PREPSQL_{name}": value}, folder=tmp_path)
    assert words in str(wrong.value)
    assert "pass@" not in str(wrong.value)


def test_a_setting_that_is_none(tmp_path):
    with pytest.raises(ConfigError, match=r"no setting 'modle' of models .*model,"):
        resolve({"modle": "x"}, environment={}, folder=tmp_path)


def test_the_working_folder_and_the_environment_are_the_default(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PREPSQL_CACHE", "~/kept")
    found = resolve()
    assert (found.model, found.cache) == ("from-file", Path.home() / "kept")


def test_every_setting_stands_in_its_page():
    text = (Path(__file__).parent.parent.parent / "docs" / "models.md").read_text()
    assert [name for name in NAMES if f"PREPSQL_{name.upper()}`" not in text] == []


def test_an_address_is_told_without_what_may_be_secret():
    assert plain_address("https://me:pass@host:8443/v1/?key=sk-1#sk-2") == "https://host:8443/v1"
    assert plain_address("http://localhost:8080/v1") == "http://localhost:8080/v1"
