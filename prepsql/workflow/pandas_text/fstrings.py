"""f-strings and format specifications."""

from __future__ import annotations

import ast
import re

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.workflow.pandas_text.columns import to_text
from prepsql.workflow.pandas_text.dates import strftime
from prepsql.workflow.pandas_text.value import NUMERIC, TIMES, Value, constant, made

_NUMBER = re.compile(r",?(?:\.\d+f|d)?|0?\d+d?")


def format_value(value: Value, conversion: int, spec: ast.expr | None) -> Value:
    """Return one `{value:spec}` of an f-string as text; a null is written nan."""
    if conversion not in (-1, ord("s")):
        raise NotTranslatable("!r or !a in an f-string")
    if spec is None:
        return constant(str(value.constant)) if isinstance(value.constant, str | int) else to_text(value.exact())
    pieces = spec.values if isinstance(spec, ast.JoinedStr) else []
    if len(pieces) != 1 or not isinstance(pieces[0], ast.Constant):
        raise NotTranslatable("a format that depends on the data")
    return format_spec(value, str(pieces[0].value))


def format_spec(value: Value, spec: str) -> Value:
    """Return a value written after a format such as `.2f`, `,.0f`, `03d`, `%Y-%m`."""
    if value.family in TIMES:
        written = strftime(value, spec)
        return made("coalesce(x, 'NaT')", "text", value, nullable=False, x=written.sql) if value.nullable else written
    whole = spec.endswith("d") or "f" not in spec
    if not spec or not _NUMBER.fullmatch(spec) or value.family not in NUMERIC or (whole and value.family != "integer"):
        raise NotTranslatable(f"the format {spec!r} of {value.family}")
    if whole and value.nullable:
        raise NotTranslatable("a whole number's format where there may be nulls")
    template = "format(y, x)" if whole else "format(y, x::DOUBLE)"
    written = made(template, "text", value, x=value.sql, y=literal(f"{{:{spec}}}"))
    return made("coalesce(x, 'nan')", "text", value, nullable=False, x=written.sql) if value.nullable else written
