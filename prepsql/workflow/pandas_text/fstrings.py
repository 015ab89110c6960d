"""f-strings and format specifications."""

from __future__ import annotations

import ast
import re

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.workflow.pandas_text.columns import to_text
from prepsql.workflow.pandas_text.dates import strftime
from prepsql.workflow.pandas_text.value import NUMERIC, TIMES, WHOLES_FORMATTED, Value, constant, made

_SPEC = re.compile(r"(?:(.?)([<>^]))?([+ ]?)(0?)(\d*)(,?)(?:\.(\d+))?([dfFes%]?)")


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
    found = _SPEC.fullmatch(spec)
    if not found:
        raise NotTranslatable(f"the format {spec!r}")
    fill, side, sign, zero, width, comma, digits, kind = found.groups()
    if value.family == "text" and not (sign or zero or comma or digits) and kind in ("", "s"):
        return _padded(value.exact(), side or "<", fill or " ", width)
    if value.family not in NUMERIC or value.family == "number" or kind == "s":
        raise NotTranslatable(f"the format {spec!r} of {value.family}")
    whole = kind == "d" or (not kind and value.family == "integer" and not digits)
    if (whole and value.family != "integer") or (not whole and not kind and not digits and value.family == "float"):
        if kind or comma or sign:
            raise NotTranslatable(f"the format {spec!r} of {value.family}")
        return _padded(to_text(value.exact()), side or ">", fill or ("0" if zero else " "), width)
    if whole and value.nullable:
        raise NotTranslatable(WHOLES_FORMATTED)
    if not whole and not kind:
        raise NotTranslatable(f"the format {spec!r}: its digits depend on the number")
    padded = bool(width) and (zero or side)
    inner = "" if padded and side else f"{zero}{width}"
    precision = f".{digits or 6}{'f' if kind in '%F' else kind}" if not whole else ("d" if kind else "")
    if kind == "%" and width:
        raise NotTranslatable("a width of a percentage")
    shape = f"{{:{sign}{inner}{comma}{precision}}}"
    template = {"%": "format(y, x * 100.0::DOUBLE) || '%'"}.get(
        kind, "format(y, x)" if whole else "format(y, x::DOUBLE)"
    )
    written = made(template, "text", value, x=value.sql, y=literal(shape))
    if value.nullable:
        null = f"{sign}nan%" if kind == "%" else f"{sign}nan"
        written = made("coalesce(x, y)", "text", value, nullable=False, x=written.sql, y=literal(null))
    return _padded(written, side, fill or " ", width) if side and width else written


def _padded(value: Value, side: str, fill: str, width: str) -> Value:
    """Return a text filled up to a width."""
    if not width:
        return value
    if side == "^":
        # what can't be halved goes to the right
        size = f"greatest({int(width)} - length(x), 0)"
        template = f"repeat(y, {size} // 2) || x || repeat(y, {size} - {size} // 2)"
        return made(template, "text", value, x=value.sql, y=literal(fill))
    function = "lpad" if side == ">" else "rpad"
    return made(
        f"{function}(x, greatest(length(x), {int(width)})::INTEGER, y)", "text", value, x=value.sql, y=literal(fill)
    )
