"""Prices: what a call costs, and the file that the user writes."""

import json
from datetime import date

import pytest

from prepsql.errors import ConfigError, InputError
from prepsql.llm import Price, known_prices


def test_every_price_of_the_package_says_when_and_where_it_was_found():
    assert 3 < len(known_prices()) < 20
    for price in known_prices().values():
        assert date.fromisoformat(price.date)
        assert price.source.startswith("https://")
        assert price.cached <= price.prompt <= price.completion


def test_the_cost_of_a_call():
    price = Price(prompt=3.0, cached=0.3, completion=15.0)
    assert price.usd(1000, 200, 400) == pytest.approx((600 * 3 + 400 * 0.3 + 200 * 15) / 1e6)
    assert price.usd(1000, 200, 9999) == pytest.approx((1000 * 0.3 + 200 * 15) / 1e6)
    assert price.usd(0, 0) == 0.0
    assert price.usd(None, 5) is None
    assert price.usd(5, None) is None
    assert Price(prompt=3.0, completion=15.0).usd(1000, 0, 1000) == pytest.approx(0.003)


def test_the_users_file_completes_and_corrects(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps({"mine": {"prompt": 0, "completion": 0}, "gpt-4o": {"prompt": 1, "completion": 2}}))
    prices = known_prices(path)
    assert prices["mine"].usd(5, 5) == 0.0
    assert (prices["gpt-4o"].prompt, prices["gpt-4o"].cached) == (1.0, None)
    assert "gpt-4o-mini" in prices
    assert "mine" not in known_prices()
    assert "unknown" not in prices


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"m": {"prompt": -1, "completion": 1}}', "m.prompt: Input should be greater than or equal to 0"),
        ('{"m": {"prompt": 1}}', "m.completion: Field required"),
        ('{"m": {"prompt": 1, "completion": 1, "output": 2}}', "m.output: Extra inputs"),
        ('{"m": 3}', "m: Input should be"),
        ("[]", "Input should be"),
        ("{", "Invalid JSON"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path, text, words):
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(ConfigError) as wrong:
        known_prices(path)
    assert words in str(wrong.value)
    assert str(path) in str(wrong.value)


def test_a_file_that_is_missing_is_named(tmp_path):
    with pytest.raises(InputError, match=r"prices: cannot read .*none\.json: No such file"):
        known_prices(tmp_path / "none.json")
