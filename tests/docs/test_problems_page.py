"""The page on problems tells every code, and shows messages as check gives them."""

import json
import re
from pathlib import Path

import pytest

from prepsql.workflow.problem import CODES, Problem

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "problems.md").read_text(encoding="utf-8")
FIXTURES = ROOT / "tests" / "fixtures" / "workflow"


def section(code: str) -> str:
    found = re.search(rf"^### {code}\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, code
    return found[1]


@pytest.mark.parametrize("code", CODES)
def test_each_code_has_a_section_with_its_meaning_and_an_example(code):
    text = section(code)
    assert CODES[code][1:] in text
    assert "```text" in text or code == "not_portable"


def test_no_section_tells_another_code():
    assert re.findall(r"^### (\w+)$", PAGE, re.MULTILINE) == list(CODES)


def test_the_examples_are_messages_of_the_fixtures():
    told = {
        str(Problem(**problem))
        for path in (FIXTURES / "broken").glob("*.json")
        for problem in json.loads(path.read_text(encoding="utf-8"))["problems"]
    }
    told |= {json.loads(path.read_text(encoding="utf-8"))["error"] for path in (FIXTURES / "failing").glob("*.json")}
    shown = [line for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    assert shown
    assert [line for line in shown if line.partition("; its SQL: ")[0] not in told] == []
