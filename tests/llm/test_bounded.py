"""A bound on replies holds whatever asks."""

import pytest

from prepsql.llm import Message, Occasion, Request
from prepsql.llm.opening import open_models
from prepsql.llm.settings import resolve

WHEN = Occasion("agent", "e2e", "a", "code")


@pytest.mark.parametrize(("asked", "sent"), [(None, 40), (7, 7), (9000, 40)])
def test_the_lower_bound_is_sent(wire, asked, sent):
    settings = resolve({"base_url": wire.url, "model": "tiny", "max_tokens": 40}, environment={})
    with open_models(settings) as models:
        models.agent.complete(Request((Message("user", "hello"),), max_tokens=asked), WHEN)
    assert wire.calls[0].body["max_tokens"] == sent


def test_without_one_it_is_left_to_the_endpoint(wire):
    with open_models(resolve({"base_url": wire.url, "model": "tiny"}, environment={})) as models:
        models.agent.complete(Request((Message("user", "hello"),)), WHEN)
    assert "max_tokens" not in wire.calls[0].body
