"""Texts split into parts, of which one is taken: `.str.split(sep).str[i]`."""

from __future__ import annotations

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.workflow.pandas_text.looking import of_words, search
from prepsql.workflow.pandas_text.regex import is_plain, translate_pattern
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Parts, Value, flag_of, is_null, text_of, whole_of


def split(x: Value, pat: object = None, n: object = -1, expand: object = False, regex: object = None) -> Parts:
    """Return the parts; one character or a plain text splits as it is, anything else as a pattern."""
    flag_of(expand, "expand")
    limit = whole_of(n, "n")
    if is_null(pat):
        if limit > 0:
            raise NotTranslatable("split at white space, the first n places only")
        return _parts(x, _at_spaces(x))
    separator = text_of(pat, "the separator")
    as_regex = len(separator) > 1 and not is_plain(separator) if is_null(regex) else flag_of(regex, "regex")
    if as_regex:
        pattern = of_words(separator)
        if pattern.groups or pattern.matches_empty:
            raise NotTranslatable("split by a pattern with groups or an empty match")
        if limit > 0:
            return _of_first(x, separator, limit)
        split_at = bind("regexp_split_to_array(x, y)", x=pattern.within(x.sql), y=literal(pattern.text))
        return _parts(x, pattern.each(split_at))
    return _parts(x, _at_text(x, separator), separator if limit > 0 else None, limit)


def split_python(x: Value, sep: object = None, maxsplit: object = -1) -> Parts:
    """Return the parts of a Python text."""
    return split(x, sep, maxsplit, False, False)


def split_from_right(x: Value, pat: object = None, n: object = -1, expand: object = False) -> Parts:
    """Return the parts, split from the end: without `n` the same as from the start."""
    limit = whole_of(n, "n")
    if limit < 1:
        return split(x, pat, n, expand, False)
    separator = text_of(pat, "the separator")
    whole = _at_text(x, separator)

    def part(index: int) -> str:
        # the rest is part 0 where there are more than n separators, else the parts are the plain ones
        rest = bind("array_to_string(x[:y], z)", x=whole, y=str(-limit - 1), z=literal(separator))
        if index < 0 and -index <= limit:
            return _element(whole, index)
        if index == 0:
            return bind(f"CASE WHEN len(x) > {limit} THEN r ELSE x[1] END", x=whole, r=rest)
        if 0 < index <= limit:
            from_end = f"x[len(x) - {limit - index}]"
            return bind(f"CASE WHEN len(x) > {limit} THEN {from_end} ELSE x[{index + 1}] END", x=whole)
        return "NULL"

    rest = f"list_prepend(array_to_string(x[:{-limit - 1}], {literal(separator)}), x[{-limit}:])"
    return Parts(bind(f"CASE WHEN len(x) > {limit} THEN {rest} ELSE x END", x=whole), part, x.cell)


def _of_first(x: Value, separator: str, limit: int) -> Parts:
    """Return the parts, split at the first places of a pattern."""
    if limit > 1 or separator.startswith("(?"):
        raise NotTranslatable("split by a pattern, the first n places only")
    found = search(f"(?s:^(.*?))(?:{separator})(?s:(.*))$")
    first, rest = (bind(f"regexp_extract(x, y, {at})", x=x.sql, y=literal(found.text)) for at in (1, 2))
    splits = bind("regexp_matches(x, y)", x=x.sql, y=literal(found.text))

    def part(index: int) -> str:
        head = bind("CASE WHEN s THEN p ELSE x END", s=splits, p=first, x=x.sql)
        tail = bind("CASE WHEN s THEN p END", s=splits, p=rest)
        return {0: head, 1: tail, -2: bind("CASE WHEN s THEN p END", s=splits, p=first),
                -1: bind("CASE WHEN s THEN p ELSE x END", s=splits, p=rest, x=x.sql)}.get(index, "NULL")  # fmt: skip

    whole = bind("CASE WHEN s THEN [p, r] ELSE [x] END", s=splits, p=first, r=rest, x=x.sql)
    return Parts(whole, part, x.cell)


def _parts(x: Value, whole: str, separator: str | None = None, limit: int = 0) -> Parts:
    def part(index: int) -> str:
        if separator is None:
            return _element(whole, index)
        if index == -1:
            last = bind("array_to_string(x[y:], z)", x=whole, y=str(limit + 1), z=literal(separator))
            return bind(f"CASE WHEN len(x) > {limit} THEN r ELSE x[-1] END", x=whole, r=last)
        if index < 0:
            raise NotTranslatable("a part counted from the end of a split with n")
        if index < limit:
            return _element(whole, index)
        if index > limit:
            return "NULL"
        last = bind("array_to_string(x[y:], z)", x=whole, y=str(limit + 1), z=literal(separator))
        return bind(f"CASE WHEN len(x) > {limit} THEN r END", x=whole, r=last)

    if separator is None:
        return Parts(whole, part, x.cell)
    rest = f"list_append(x[:{limit}], array_to_string(x[{limit + 1}:], {literal(separator)}))"
    return Parts(bind(f"CASE WHEN len(x) > {limit} THEN {rest} ELSE x END", x=whole), part, x.cell)


def _element(whole: str, index: int) -> str:
    return bind(f"x[{index + 1 if index >= 0 else index}]", x=whole)


def _at_text(x: Value, separator: str) -> str:
    if not separator:
        raise NotTranslatable("split at the empty text")
    return bind("string_split(x, y)", x=x.sql, y=literal(separator))


def _at_spaces(x: Value) -> str:
    spaces = literal(translate_pattern(r"\S+").text)
    return bind("regexp_extract_all(x, y)", x=x.sql, y=spaces)
