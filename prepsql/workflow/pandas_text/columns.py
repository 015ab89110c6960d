"""Methods of a column that look at one row at a time: name → SQL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.workflow.pandas_text.operators import both, is_in, named, number
from prepsql.workflow.pandas_text.regex import translate_pattern
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import (
    NUMERIC,
    WHOLES_AS_TEXT,
    Family,
    Items,
    Name,
    NotConstant,
    Pairs,
    Thing,
    Value,
    column,
    common_family,
    constant,
    flag_of,
    is_null,
    made,
    text_of,
    whole_of,
)


def is_na(x: Value) -> Value:
    """Return whether a value is null."""
    return made("x IS NULL", "boolean", x, nullable=False, x=x.sql)


def not_na(x: Value) -> Value:
    """Return whether a value is there."""
    return made("x IS NOT NULL", "boolean", x, nullable=False, x=x.sql)


def among(x: Value, values: Thing) -> Value:
    """Return whether a value is in a list written out."""
    if isinstance(values, Pairs):
        return is_in(x, [key for key, _ in values.items])
    if not isinstance(values, Items):
        raise NotTranslatable("isin of a list that isn't written out")
    return is_in(x, [column(value) for value in values.values])


def between(x: Value, left: Thing, right: Thing, inclusive: object = "both") -> Value:
    """Return whether a value is between two others."""
    ends = text_of(inclusive, "inclusive")
    if ends not in ("both", "left", "right", "neither"):
        raise NotTranslatable(f"between with inclusive={ends!r}")
    low = named(">=" if ends in ("both", "left") else ">", x, column(left))
    high = named("<=" if ends in ("both", "right") else "<", x, column(right))
    return both("x AND y", [low, high])


def fill_na(x: Value, value: Thing) -> Value:
    """Put a value for nulls."""
    if isinstance(value, Pairs):
        raise NotTranslatable("fillna by a dict")
    y = column(value).exact()
    if y.family == "null":
        return x
    family = common_family([x, y], "fillna")
    return made("coalesce(x, y)", family, x, y, nullable=x.nullable and y.nullable, x=x.sql, y=y.sql)


def as_type(x: Value, dtype: Thing, errors: object = "raise") -> Value:
    """Return a column in another type."""
    if text_of(errors, "errors") != "raise":
        raise NotTranslatable("astype with errors='ignore'")
    word = dtype.path.removeprefix("np.") if isinstance(dtype, Name) else text_of(dtype, "the type")
    rule = _TYPES.get(word)
    if rule is None:
        raise NotTranslatable(f"astype({word})")
    return rule(x.exact())


def to_text(x: Value) -> Value:
    """Return the text that pandas writes for a value; a null becomes the text nan."""
    if x.family == "integer" and x.nullable:
        raise NotTranslatable(WHOLES_AS_TEXT)
    templates: dict[Family, str] = {
        "text": "x",
        "period": "x",
        "integer": "x::VARCHAR",
        "float": "x::VARCHAR",
        "date": "x::VARCHAR",
        "boolean": "CASE WHEN x THEN 'True' WHEN NOT x THEN 'False' END",
    }
    template = templates.get(x.family)
    if template is None:
        raise NotTranslatable(f"text of {x.family}: how pandas writes it depends on the data")
    text = made(template, "text", x, x=x.sql)
    if x.family == "float" and not x.nullable:
        return text
    null = "NaT" if x.family in ("date", "period") else ("None" if x.none else "nan")
    if not x.nullable:
        return text
    return made("coalesce(x, y)", "text", x, nullable=False, x=text.sql, y=literal(null))


def to_nullable_text(x: Value) -> Value:
    """Return text in which null stays null."""
    if x.family == "text":
        return x
    if x.family == "integer":
        return made("x::VARCHAR", "text", x, x=x.sql)
    raise NotTranslatable(f"astype('string') of {x.family}")


def to_integer(x: Value) -> Value:
    """Return whole numbers: what stands behind the point falls away."""
    if x.family in ("float", "number", "unknown"):
        return made("trunc(x)::BIGINT", "integer", x, nullable=False, x=x.sql)
    if x.family in ("integer", "boolean", "text"):
        return made("x::BIGINT", "integer", x, nullable=False, x=x.sql)
    raise NotTranslatable(f"int of {x.family}")


def to_float(x: Value) -> Value:
    """Return floats."""
    if x.family == "text":
        return made("nullif(x::DOUBLE, 'nan'::DOUBLE)", "float", x, nullable=True, x=x.sql)
    number(x, "float")
    return made("x::DOUBLE", "float", x, x=x.sql)


def to_boolean(x: Value) -> Value:
    """Return the truth of a number: a null is true."""
    if x.family == "boolean" and not x.nullable:
        return x
    if x.family == "list":
        return made("coalesce(len(x) > 0, TRUE)", "boolean", replace(x, item=None), nullable=False, x=x.sql)
    if x.family in NUMERIC:
        return made("x IS DISTINCT FROM 0", "boolean", x, nullable=False, x=x.sql)
    raise NotTranslatable(f"bool of {x.family}")


def round_(x: Value, decimals: object = 0) -> Value:
    """Round as numpy does: halves to even."""
    digits = whole_of(decimals, "decimals")
    x = number(x, "round")
    if x.family == "integer" and digits >= 0:
        return x
    template = f"numpy_round(x, {digits})" if digits else "numpy_round(x)"
    return made(template, "float" if x.family == "float" else "number", x, x=x.sql)


def absolute(x: Value) -> Value:
    """Return the value without its sign."""
    x = number(x, "abs")
    return made("abs(x)", x.family, x, x=x.sql)


def clip(x: Value, lower: Thing | None = None, upper: Thing | None = None) -> Value:
    """Keep a value within bounds; a null stays null."""
    x = number(x, "clip")
    for bound, sign in ((lower, "<"), (upper, ">")):
        if bound is not None and not is_null(bound):
            y = number(column(bound), "clip")
            family = common_family([x, y], "clip")
            x = made(f"CASE WHEN x {sign} y THEN y ELSE x END", family, x, y, x=x.sql, y=y.sql)
    return x


def where(x: Value, cond: Thing, other: Thing | None = None) -> Value:
    """Keep a value where the condition holds, else take the other or null."""
    return choose(column(cond), x, constant(None) if other is None else column(other))


def mask(x: Value, cond: Thing, other: Thing | None = None) -> Value:
    """Keep a value where the condition doesn't hold."""
    return choose(column(cond), constant(None) if other is None else column(other), x)


def choose(condition: Value, yes: Value, no: Value) -> Value:
    """Return one of two values by a condition; a condition that is null counts as false."""
    if condition.family not in ("boolean", "unknown"):
        raise NotTranslatable(f"a condition of {condition.family}")
    yes, no = yes.exact(), no.exact()
    if yes.item is not None or no.item is not None:
        raise NotTranslatable("a choice of lists or tuples")
    family = common_family([yes, no], "a choice")
    otherwise = "" if no.family == "null" else " ELSE z"
    sql = bind(f"CASE WHEN x THEN y{otherwise} END", x=condition.sql, y=yes.sql, z=no.sql)
    return Value(sql, family, yes.nullable or no.nullable, cell=condition.cell or yes.cell or no.cell)


def map_values(x: Value, pairs: Pairs) -> Value:
    """Return what a dict gives for each value, null for what isn't in it."""
    return _lookup(x, pairs, "")


def replace_values(x: Value, to_replace: Thing, value: Thing | None = None, regex: object = False) -> Value:
    """Put other values for some; with regex=True replace places inside texts."""
    if (isinstance(regex, bool) and regex) or (isinstance(regex, Value) and flag_of(regex, "regex")):
        pairs = to_replace.items if isinstance(to_replace, Pairs) else ((column(to_replace), column(_given(value))),)
        return _replace_patterns(x, pairs)
    if isinstance(to_replace, Pairs):
        return _lookup(x, to_replace, " ELSE x")
    old = [column(v) for v in to_replace.values] if isinstance(to_replace, Items) else [column(to_replace)]
    given = _given(value)
    new = [column(v) for v in given.values] if isinstance(given, Items) else [column(given)] * len(old)
    if len(new) != len(old):
        raise NotTranslatable("replace with lists of different length")
    return _lookup(x, Pairs(tuple(zip(old, new, strict=True))), " ELSE x")


def combine_first(x: Value, other: Thing) -> Value:
    """Take the other column's value where this one's is null."""
    return fill_na(x, other)


def named_operator(name: str) -> Callable[..., Value]:
    """Return the rule of `add`, `gt` and the like, which are operators by name."""

    def rule(x: Value, other: Thing) -> Value:
        return named(name, x, column(other))

    return rule


RULES: dict[str, Callable[..., Thing]] = {
    "isna": is_na, "isnull": is_na, "notna": not_na, "notnull": not_na, "isin": among, "between": between,
    "fillna": fill_na, "astype": as_type, "round": round_, "abs": absolute, "clip": clip, "where": where, "mask": mask,
    "replace": replace_values, "combine_first": combine_first, "copy": lambda x: x,
    **{name: named_operator(name) for name in (
        "add", "sub", "subtract", "mul", "multiply", "div", "divide", "truediv", "floordiv", "mod", "pow",
        "eq", "ne", "lt", "le", "gt", "ge",
    )},
}  # fmt: skip

_TYPES: dict[str, Callable[[Value], Value]] = {
    "str": to_text, "object": lambda x: x, "string": to_nullable_text, "category": lambda x: x,
    **dict.fromkeys(("int", "int64", "int32", "Int", "i8"), to_integer),
    **dict.fromkeys(("Int64", "Int32"), lambda x: replace(to_integer(x), nullable=x.nullable)),
    **dict.fromkeys(("float", "float64", "float32", "Float64"), to_float),
    "bool": to_boolean,
    **dict.fromkeys(("datetime64[ns]", "datetime64"), lambda x: made("x::TIMESTAMP", "timestamp", x, x=x.sql)),
}  # fmt: skip


def _given(value: Thing | None) -> Thing:
    if value is None:
        raise NotTranslatable("replace without a new value")
    return value


def _lookup(x: Value, pairs: Pairs, otherwise: str) -> Value:
    """Return CASE x WHEN …; a key that is null is asked for first."""
    keys = [key for key, _ in pairs.items]
    values = [value for _, value in pairs.items]
    if not keys:
        return x if otherwise else constant(None)
    if any(isinstance(key.constant, NotConstant) for key in keys):
        raise NotTranslatable("a dict whose keys aren't written out")
    common_family([x, *keys], "the keys of a dict")
    x = x.exact()
    family = common_family([*values, x] if otherwise else values, "the values of a dict")
    whens = [bind("WHEN x THEN y", x=k.sql, y=v.sql) for k, v in pairs.items if k.family != "null"]
    nulls = [v for k, v in pairs.items if k.family == "null"]
    sql = bind(f"CASE x {' '.join(whens)}", x=x.sql) + bind(f"{otherwise} END", x=x.sql) if whens else x.sql
    if nulls:
        sql = bind("CASE WHEN x IS NULL THEN y ELSE z END", x=x.sql, y=nulls[0].sql, z=sql)
    return Value(sql, family, True, cell=x.cell)


def _replace_patterns(x: Value, pairs: tuple[tuple[Value, Value], ...]) -> Value:
    sql = x.sql
    for key, value in pairs:
        pattern = translate_pattern(text_of(key, "a pattern of replace"))
        new = text_of(value, "what replace puts")
        if pattern.matches_empty or x.family not in ("text", "unknown") or "\\" in new:
            raise NotTranslatable("replace by this pattern")
        sql = bind("regexp_replace(x, y, z, 'g')", x=sql, y=literal(pattern.text), z=literal(new))
    return Value(sql, "text", x.nullable, cell=x.cell)
