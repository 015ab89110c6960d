"""Patterns that look around: RE2 finds and replaces what Python finds and replaces."""

from __future__ import annotations

import random
import re

import duckdb
import pandas as pd
import pytest

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text import matching
from prepsql.workflow.pandas_text.looking import search
from prepsql.workflow.pandas_text.value import Value, constant

ATOMS = ["foo", "bar", "kg", "g", "12", "7", "3,456.78", " USD", " ", "-", "_", "é", "Ünï", "AB", "ref ", "\n", "½",
         "٣", "fooBar", "'", "%", ",", "x"]  # fmt: skip
PATTERNS = (
    r"\bfoo\b", r"\b(\d+)\b", r"\b[A-Z]{2}-\d+\b", r"\bfoo.*?\bbar\b", r"(?i)\bFOO\b", r"\b\w", r"\bfoo\b|\bbar\b",
    r"(\d+)\s*(kg|g)\b", r"^\b\w+", r"\w+\b$", r"\b(\w)(\w*)\b", r"\b.+?\b", r"\b[\w'-]+\b", r"\s\b", r"(\bfoo|bar\b)",
    r"\b\d{1,3}(?:,\d{3})*(?:\.\d+)?\b", r"[^,]+\b", r"(?m)^\bfoo\b", r"\b\S+\b",
    r"(?<=ref )(\w+)", r"(\d+)(?= USD)", r"(?<=\d) (?=[A-Z])", r"\d+(?!\d)", r"(?<![A-Z])B", r"x(?=\d)",
    r"(?<=[a-z])(?=[A-Z])", r"\B-\B", r"(?:\bfoo ?\b)+", r"\d\Bx", r"[^\W\d_]+",
)  # fmt: skip
REFUSED = (r"\b(?:\bfoo ?\b)+\b", r"^(\w+) \1$", r"(?=.*\d)\w+", r"foo(?!bar)", r".\B.")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    chance = random.Random(7)
    made = ("".join(chance.choice(ATOMS) for _ in range(chance.randint(0, 8))) for _ in range(500))
    # $ of Python is also before a last line's end
    return ["", *(text for text in made if not text.endswith("\n"))]


def found(texts: list[str], value: Value) -> list[object]:
    with duckdb.connect() as connection:
        connection.register("given", pd.DataFrame({"place": range(len(texts)), "x": texts}))
        return [row[0] for row in connection.execute(f"SELECT {value.sql} FROM given ORDER BY place").fetchall()]


@pytest.mark.parametrize("written", PATTERNS)
def test_a_pattern_finds_what_python_finds(texts: list[str], written: str) -> None:
    x, pattern, own = Value("x", "text", False), constant(written), re.compile(written)
    for rule, method in ((matching.contains, own.search), (matching.match, own.match)):
        try:
            value = rule(x, pattern)
        except NotTranslatable:
            assert "(?<" in written
            continue
        assert found(texts, value) == [method(text) is not None for text in texts]
    said = 0
    for group in range(1, own.groups + 1):
        try:
            value = matching.extract_group(x, pattern, group)
        except NotTranslatable:
            continue
        assert found(texts, value) == [(m := own.search(text)) and m[group] for text in texts]
        said += 1
    assert said or not own.groups


@pytest.mark.parametrize("written", PATTERNS)
def test_every_place_is_found_and_replaced(texts: list[str], written: str) -> None:
    x, pattern, own = Value("x", "text", False), constant(written), re.compile(written)
    new = "<" + "".join(rf"\{at}" for at in range(1, own.groups + 1)) + ">"
    try:
        value = matching.replace_text(x, pattern, constant(new), regex=constant(True))
    except NotTranslatable:
        return
    assert found(texts, value) == [own.sub(new, text) for text in texts]
    if own.groups < 2 and own.pattern not in (r"(?<=[a-z])(?=[A-Z])",):
        assert found(texts, matching.find_all(x, pattern)) == [own.findall(text) for text in texts]


@pytest.mark.parametrize("written", REFUSED)
def test_what_cannot_be_said_is_refused(written: str) -> None:
    with pytest.raises(NotTranslatable):
        search(written, every=True)


def test_a_word_is_looked_for_beside_no_words_character() -> None:
    assert search(r"\bfoo\b").text == r"(?:^|[^\p{L}\p{N}_])foo(?:[^\p{L}\p{N}_]|$)"
