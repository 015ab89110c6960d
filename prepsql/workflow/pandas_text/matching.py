"""Patterns in texts: what they find, what stands for it instead, by DuckDB's regular expressions."""

from __future__ import annotations

import re

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.workflow.pandas_text.groups import enclosed, presence
from prepsql.workflow.pandas_text.looking import Search, looks, replacing, search
from prepsql.workflow.pandas_text.pattern_parts import least
from prepsql.workflow.pandas_text.regex import is_plain, replacement
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, flag_of, is_null, made, text_of, whole_of


def contains(
    x: Value, pat: object, case: object = True, flags: object = 0, na: object = None, regex: object = True
) -> Value:
    """Return whether the pattern is in the text; `na` is the answer for a null."""
    pattern = text_of(pat, "the pattern of contains")
    folded = not flag_of(case, "case") or _ignore_case(flags)
    if (is_plain(pattern) or not flag_of(regex, "regex")) and not folded:
        found = made("contains(x, y)", "boolean", x, x=x.sql, y=literal(pattern))
    else:
        looked = search(pattern) if flag_of(regex, "regex") else Search(_escaped(pattern), (), False)
        found = _matches("regexp_matches", x, looked, folded)
    return with_na(found, na)


def match(x: Value, pat: object, case: object = True, flags: object = 0, na: object = None) -> Value:
    """Return whether the text starts with the pattern."""
    looked = search(_around("^", text_of(pat, "the pattern of match"), ""))
    folded = not flag_of(case, "case") or _ignore_case(flags)
    return with_na(_matches("regexp_matches", x, looked, folded), na)


def fullmatch(x: Value, pat: object, case: object = True, flags: object = 0, na: object = None) -> Value:
    """Return whether the whole text is the pattern."""
    pattern = text_of(pat, "the pattern of fullmatch")
    folded = not flag_of(case, "case") or _ignore_case(flags)
    if looks(pattern):
        return with_na(_matches("regexp_matches", x, search(_around("^", pattern, r"\Z")), folded), na)
    return with_na(_matches("regexp_full_match", x, search(pattern), folded), na)


def replace_text(
    x: Value, pat: object, repl: object, n: object = -1, case: object = None, flags: object = 0, regex: object = False
) -> Value:
    """Replace every place of a text or a pattern."""
    if n not in (-1, 0) and whole_of(n, "n") >= 1:
        raise NotTranslatable("replace of the first n places")
    old, new = text_of(pat, "what replace looks for"), text_of(repl, "what replace puts")
    folded = (not is_null(case) and not flag_of(case, "case")) or _ignore_case(flags)
    if not flag_of(regex, "regex") and not folded:
        if not old:
            raise NotTranslatable("replace of the empty text")
        return made("replace(x, y, z)", "text", x, x=x.sql, y=literal(old), z=literal(new))
    if flag_of(regex, "regex"):
        looked, new = replacing(old, replacement(new))
        if looked.matches_empty:
            raise NotTranslatable("replace with a pattern that matches nothing at all")
    else:
        looked, new = Search(_escaped(old), (), False), new.replace("\\", "\\\\")
    flags_text = literal("gi" if folded else "g")
    old, new = literal(looked.text), literal(new)
    sql = bind("regexp_replace(x, y, z, f)", x=looked.within(x.sql), y=old, z=new, f=flags_text)
    return made("x", "text", x, x=looked.plain(sql))


def replace_first(x: Value, pat: object, repl: object) -> Value:
    """Replace the first place of a pattern."""
    looked, new = replacing(text_of(pat, "the pattern"), replacement(text_of(repl, "what replace puts")))
    sql = bind("regexp_replace(x, y, z)", x=looked.within(x.sql), y=literal(looked.text), z=literal(new))
    return made("x", "text", x, x=looked.plain(sql))


def extract(x: Value, pat: object, flags: object = 0, expand: object = True) -> Value:
    """Return what the one group of the pattern matched, null where nothing did."""
    pattern = text_of(pat, "the pattern of extract")
    flag_of(expand, "expand")
    groups = search(pattern).groups
    if len(groups) != 1:
        raise NotTranslatable(f"extract with {len(groups)} groups")
    return extract_group(x, f"(?i){pattern}" if _ignore_case(flags) else pattern, 1)


def extract_group(x: Value, pat: object, group: int) -> Value:
    """Return what one group of a pattern matched, null where the pattern doesn't match."""
    written = text_of(pat, "the pattern")
    pattern = search(written)
    if not 1 <= group <= len(pattern.groups):
        raise NotTranslatable(f"group {group} of a pattern with {len(pattern.groups)}")
    kind = presence(written, group)
    if kind == "always":
        template = f"CASE WHEN regexp_matches(x, y) THEN regexp_extract(x, y, {group}) END"
        if least(pattern.groups[group - 1]):
            template = f"nullif(regexp_extract(x, y, {group}), '')"
    elif kind == "unless empty":
        template = f"nullif(regexp_extract(x, y, {group}), '')"
    else:
        wider = enclosed(written, group)
        if wider is None:
            raise NotTranslatable("a group that may be absent or empty")
        pattern = search(wider[0])
        template = f"CASE WHEN regexp_extract(x, y, {group}) <> '' THEN regexp_extract(x, y, {group + 1}) END"
    sql = bind(template, x=pattern.within(x.sql), y=literal(pattern.text))
    return made("x", "text", x, nullable=True, x=pattern.plain(sql))


def find_all(x: Value, pat: object, flags: object = 0) -> Value:
    """Return the list of all that the pattern matches."""
    written = text_of(pat, "the pattern of findall")
    pattern = search(f"(?i){written}" if _ignore_case(flags) else written, every=True)
    if len(pattern.groups) > 1 or pattern.matches_empty:
        raise NotTranslatable("findall with several groups or an empty match")
    sql = bind("regexp_extract_all(x, y, g)", x=pattern.within(x.sql), y=literal(pattern.text), g=str(pattern.place))
    return made("x", "list", x, x=pattern.each(sql))


def count(x: Value, pat: object, flags: object = 0) -> Value:
    """Return how often the pattern is in the text."""
    return made("len(x)", "integer", x, x=find_all(x, pat, flags).sql)


def _matches(function: str, x: Value, looked: Search, folded: bool) -> Value:
    option = ", 'i'" if folded else ""
    return made(f"{function}(x, y{option})", "boolean", x, x=looked.within(x.sql), y=literal(looked.text))


def _around(before: str, pattern: str, behind: str) -> str:
    """Return a pattern with something before it and behind; flags stay at its start."""
    flags = re.match(r"\(\?[a-zA-Z]+\)", pattern)
    start = flags.end() if flags else 0
    if flags and "m" in flags[0]:
        before = before.replace("^", r"\A")
    return f"{pattern[:start]}{before}(?:{pattern[start:]}){behind}"


def with_na(found: Value, na: object) -> Value:
    """Return an answer with another for a null."""
    if is_null(na):
        return found
    answer = str(flag_of(na, "na")).upper()
    return made("coalesce(x, y)", "boolean", found, nullable=False, x=found.sql, y=answer)


def _escaped(text: str) -> str:
    return "".join(f"\\{mark}" if not is_plain(mark) else mark for mark in text)


def _ignore_case(flags: object) -> bool:
    """Return whether flags are re.IGNORECASE alone; refuse others."""
    if flags == 0 or (isinstance(flags, Value) and flags.constant == 0):
        return False
    if getattr(flags, "path", "") in ("re.I", "re.IGNORECASE"):
        return True
    raise NotTranslatable("flags other than re.IGNORECASE")
