"""Columns of texts and numbers together: what can be said of them without knowing which a cell is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.carried import MIXED, tagged, untagged
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.translate.pandas.things import constant_thing, operated
from prepsql.workflow.pandas_text.value import Thing, Value, common_family, made


def is_mixed(thing: Any) -> bool:
    """Return whether a thing is a column of texts and numbers."""
    return isinstance(thing, Value) and thing.family == MIXED.family


def method(value: Value, name: str, given: Sequence[Any]) -> Value | None:
    """Return what a method gives for a column of texts and numbers, None where it is as for other columns."""
    if name == "fillna" and len(given) == 1:
        other = constant_thing(given[0])
        if not isinstance(other, Value):
            raise NotTranslatable("fillna of texts and numbers by a table")
        return made("coalesce(x, y)", MIXED.family, value, nullable=False, x=value.sql, y=tagged(other).sql)
    if name == "astype" and len(given) == 1 and given[0] in (str, "str"):
        text = untagged(value)
        return made("coalesce(x, 'nan')", "text", text, nullable=False, x=text.sql) if value.nullable else text
    return None


def compared(operator: str, things: Sequence[Thing]) -> Value | None:
    """Return whether a column of texts and numbers is, or isn't, a text; None for other things."""
    if len(things) != 2 or not any(map(is_mixed, things)):
        return None
    texts = [one for one in things if isinstance(one, Value) and one.family == "text"]
    if operator not in ("Eq", "NotEq") or len(texts) != 1:
        raise NotTranslatable("an operator on texts and numbers")
    as_text = [one if is_mixed(one) else tagged(one) for one in things if isinstance(one, Value)]
    plain = [Value(one.sql, "text", one.nullable) for one in as_text]
    return operated(operator, *plain)


def family_of(frame: FrameSymbol, labels: Sequence[Any], what: str) -> tuple[FrameSymbol, Any]:
    """Return the family that columns share; where they mix texts and numbers, they are made such."""
    values = [frame.column(label) for label in labels]
    families = {value.family for value in values} - {"null"}
    mixture = MIXED.family in families or ("text" in families and families & {"integer", "float"})
    if not mixture:
        return frame, common_family(values, what)
    return frame.with_columns({**frame.columns, **{x: tagged(frame.column(x)) for x in labels}}), MIXED.family
