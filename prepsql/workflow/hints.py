"""What to write instead of other tools' ways: functions, syntax, names that are no columns."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prepsql.macros.aliases import suggest
from prepsql.workflow.functions import catalogue
from prepsql.workflow.problem import nearest
from prepsql.workflow.reserved import column_name

# what a text that isn't SQL looks like, and its mend; the first that fits counts
_SYNTAX = (
    (r"(?i)^\s*(SELECT|WITH)\b", "give the expression alone; rows come from the step's input"),
    (r"list of expressions", "each expression has an entry of its own"),
    (r"->", "a lambda is written lambda x: …"),
    (r"\bOVER\b|lacks its OVER", "such as lag(x) OVER (PARTITION BY k ORDER BY t), in a project's compute"),
    (r"\b(np\.where|np\.select)\b", "write CASE WHEN condition THEN a ELSE b END"),
    (r"\b\w+\[['\"]|\bdf\.|\.str\.|\bpd\.|\bnp\.", "this is pandas; columns go by their names alone: upper(name)"),
    (r"^\s*(?!CASE\b).+\bif\b.+\belse\b", "write CASE WHEN condition THEN a ELSE b END"),
    (r"\bfor\b.+\bin\b", "for lists: list_transform(l, lambda x: …), list_filter(l, lambda x: …)"),
    (r"^\s*=", "leave out the = at the beginning"),
    (r";\s*$", "leave out the ;"),
    (r"(?i)\bAS\s+\w+\s*$", "leave out AS …; the name goes into as"),
    (r"^\s*lambda\b|^\s*def\b", "give the expression itself, over the row's columns"),
    (r"\*|COLUMNS", "name the columns; to keep all of them give no select"),
    (r"!\s*\w|&&", "write NOT, AND, OR"),
    (r"(?i)\bDESC\s*$|\bASC\s*$|\bNULLS (FIRST|LAST)\s*$", 'leave it out; give "asc": false and "nulls" beside expr'),
    (r"(?i)\bsafe_cast\b", "write TRY_CAST(x AS type)"),
    (r"(?i)\b(left|right)\s*\.", "name columns by their step: orders.id"),
)  # fmt: skip
_PYTHON_WORDS = {
    "none": "write NULL; compare with IS NULL", "nan": "write NULL; compare with IS NULL",
    "na": "write NULL; compare with IS NULL", "nat": "write NULL; compare with IS NULL",
    "undefined": "write NULL; compare with IS NULL", **dict.fromkeys(
        ("today", "now", "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "sysdate"),
        "results must not depend on the day; write a DATE '…'",
    ),
}  # fmt: skip
_PARTS = frozenset(["year", "quarter", "month", "week", "day", "hour", "minute", "second", "dow", "days", "months"])
_FRAMES = frozenset(["df", "row", "x", "self", "data", "table", "t", "r"])


def function_hint(name: str) -> str:
    """Return the likeliest mend for an unknown function, '' where nothing is near.

    >>> function_hint("initcap")
    'write title_case(s)'
    """
    meant = suggest(name, catalogue())
    if meant and re.fullmatch(r"\w+", meant):
        return f"did you mean '{meant}'?"
    return f"write {meant}" if meant else ""


def syntax_hint(text: str, fault: str) -> str:
    """Return the likeliest mend for a text that is no SQL expression.

    >>> syntax_hint("a if b else c", "syntax error")
    'write CASE WHEN condition THEN a ELSE b END'
    """
    if "unterminated" in fault:
        return "double a quote inside text: 'it''s'"
    if "too early" in fault:
        lacking = text.count("(") - text.count(")")
        return "close the parenthesis with )" if lacking > 0 else "finish the expression, or leave the last sign out"
    hint = next((hint for pattern, hint in _SYNTAX if re.search(pattern, text) or re.search(pattern, fault)), "")
    return hint or "expressions are SQL: columns by their names, text in single quotes"


def column_hint(parts: tuple[str, ...], key: str, quoted: bool, known: Iterable[str]) -> str:
    """Return the likeliest mend for a name in an expression that is no column; `key` is what stands in [''] behind.

    >>> column_hint(("paid",), "", True, ["status"])
    "for text write it in single quotes: 'paid'"
    """
    known = list(known)
    name = parts[0]
    inner = key or (parts[1] if len(parts) > 1 else "")
    held = {other.lower(): other for other in known}.get(inner.lower())
    if held or (inner and name.lower() in _FRAMES):
        meant = held or nearest(inner, known)
        return f"write the column alone: {column_name(meant)}" if meant else ""
    if name.lower() in _PYTHON_WORDS and not quoted:
        return _PYTHON_WORDS[name.lower()]
    near = nearest(name, known)
    if name.lower() in _PARTS and not (near and near.lower() in name.lower()):
        return f"a part of a date is text: '{name.lower()}'"
    if quoted and (not near or near.lower()[:1] != name.lower()[:1] or abs(len(near) - len(name)) > 2):
        return f"for text write it in single quotes: '{name}'"
    return f"did you mean '{near}'?" if near else ""
