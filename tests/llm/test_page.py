"""What the page on models shows works as it stands there."""

import json
import re
from pathlib import Path

import pytest

from prepsql.llm import known_prices
from prepsql.llm.clock import RealClock
from prepsql.llm.script_file import Entry, Script, load_script
from tests.llm.conftest import when
from tests.llm.server import Move

PAGE = (Path(__file__).parent.parent.parent / "docs" / "models.md").read_text()


def shown(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_script_is_one(tmp_path):
    (text,) = shown("yaml")
    path = tmp_path / "replies.yaml"
    path.write_text(text)
    entries = load_script(path).replies
    fits = [next(n for n, e in enumerate(entries) if not e.missed(o)) for o in (when(), when(attempt=2))]
    assert fits == [0, 1]


@pytest.mark.parametrize("name", sorted({*Entry.model_fields, *Script.model_fields}))
def test_every_field_of_a_script_stands_in_it(name):
    assert f"`{name}`" in PAGE or f"{name}:" in PAGE


def test_the_prices_are_some(tmp_path):
    (text,) = shown("json")
    path = tmp_path / "prices.json"
    path.write_text(text)
    assert known_prices(path)["my-model"].usd(1_000_000, 0, 500_000) == 0.275
    assert json.loads(text).keys() == {"my-model"}


def test_the_program_runs(wire, tmp_path, monkeypatch, capsys):
    (text,) = shown("python")
    for name, value in {"BASE_URL": wire.url, "MODEL": "tiny", "PRICES": str(tmp_path / "p.json")}.items():
        monkeypatch.setenv(f"PREPSQL_{name}", value)
    (tmp_path / "p.json").write_text('{"tiny": {"prompt": 1, "completion": 1}}')
    wire.plan = lambda call: Move(text="```sql\nSELECT 1\n```")
    monkeypatch.chdir(tmp_path)
    exec(compile(text, "docs/models.md", "exec"), {})
    assert capsys.readouterr().out.startswith("SELECT 1 ")
    assert (tmp_path / "runs" / "first" / "calls.jsonl").read_bytes().count(b"\n") == 2


def test_time_goes_on():
    clock = RealClock()
    before, wall = clock.now(), clock.wall()
    clock.sleep(0.01)
    assert clock.now() - before >= 0.01
    assert wall > 1_700_000_000
