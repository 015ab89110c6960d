"""Functions by their dotted name: of pandas, numpy, math, and Python's own."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text import columns, dates
from prepsql.workflow.pandas_text.operators import both, named, number, subtract, unary
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import (
    NUMERIC,
    Family,
    Items,
    Thing,
    Value,
    column,
    common_family,
    constant,
    flag_of,
    is_null,
    made,
    text_of,
)

# functions of one number
TEMPLATES: dict[str, tuple[str, Family]] = {
    "floor": ("floor(x::DOUBLE)", "float"),
    "ceil": ("ceil(x::DOUBLE)", "float"),
    "trunc": ("trunc(x::DOUBLE)", "float"),
    "sqrt": ("CASE WHEN x >= 0 THEN sqrt(x) END", "float"),
    "exp": ("exp(x)", "float"),
    "log": ("CASE WHEN x > 0 THEN ln(x) WHEN x = 0 THEN '-inf'::DOUBLE END", "float"),
    "log10": ("CASE WHEN x > 0 THEN log10(x) WHEN x = 0 THEN '-inf'::DOUBLE END", "float"),
    "log2": ("CASE WHEN x > 0 THEN log2(x) WHEN x = 0 THEN '-inf'::DOUBLE END", "float"),
    "sign": ("sign(x::DOUBLE)", "float"),
}
_NESTED = 4
_MATH = {"floor": "floor(x)::BIGINT", "ceil": "ceil(x)::BIGINT", "trunc": "trunc(x)::BIGINT"}

NAN = Value("NULL", "null", True, math.nan)
CONSTANTS: dict[str, Value] = {
    "np.nan": NAN,
    "np.NaN": NAN,
    "pd.NA": constant(None),
    "pd.NaT": constant(None),
    "math.nan": NAN,
    "np.inf": constant(math.inf),
    "math.inf": constant(math.inf),
    "math.pi": constant(math.pi),
    "np.pi": constant(math.pi),
}


def where(condition: Thing, x: Thing, y: Thing) -> Value:
    """np.where: one of two by a condition."""
    yes, no = column(x), column(y)
    if any(isinstance(v.constant, str) for v in (yes, no)) and any(v.constant is NAN.constant for v in (yes, no)):
        raise NotTranslatable("np.where of a text and NaN: numpy makes the text 'nan' of it")
    return columns.choose(column(condition), yes, no)


def select(condlist: Thing, choicelist: Thing, default: Thing | None = None) -> Value:
    """np.select: the choice of the first condition that holds."""
    if not isinstance(condlist, Items) or not isinstance(choicelist, Items):
        raise NotTranslatable("np.select of lists that aren't written out")
    tests = [column(c) for c in condlist.values]
    choices = [column(c).exact() for c in choicelist.values]
    other = constant(0) if default is None else column(default).exact()
    if len(tests) != len(choices) or not tests:
        raise NotTranslatable("np.select with lists of different length")
    if any(test.family not in ("boolean", "unknown") for test in tests):
        raise NotTranslatable("np.select by what isn't a condition")
    family = common_family([*choices, other], "np.select")
    if family == "text" and other.constant is NAN.constant:
        raise NotTranslatable("np.select of texts with NaN: numpy makes the text 'nan' of it")
    whens = [bind("WHEN x THEN y", x=t.sql, y=c.sql) for t, c in zip(tests, choices, strict=True)]
    otherwise = "" if is_null(other) else bind(" ELSE x", x=other.sql)
    return Value(f"CASE {' '.join(whens)}{otherwise} END", family, any(v.nullable for v in [*choices, other]))


def to_numeric(arg: Thing, errors: object = "raise", downcast: object = None) -> Value:
    """pd.to_numeric: with errors='coerce' what is no number is null."""
    x = column(arg).exact()
    mode = text_of(errors, "errors")
    if not is_null(downcast):
        text_of(downcast, "downcast")
    if x.family in NUMERIC:
        return x
    if mode == "coerce" and x.family == "text":
        return made("pandas_number(x)", "number", x, nullable=True, x=x.sql)
    if mode == "coerce" and x.family == "unknown":
        return made("pandas_number(x::VARCHAR)", "number", x, nullable=True, x=x.sql)
    if mode == "raise" and x.family in ("text", "unknown"):
        return made("nullif(x::DOUBLE, 'nan'::DOUBLE)", "number", x, nullable=True, x=x.sql)
    raise NotTranslatable(f"to_numeric of {x.family} with errors={mode!r}")


def extreme(sign: str) -> Callable[..., Value]:
    """np.maximum or np.minimum: null where either is."""

    def rule(x1: Thing, x2: Thing) -> Value:
        x, y = number(column(x1), "maximum"), number(column(x2), "maximum")
        family = common_family([x, y], "maximum")
        sql = bind(f"CASE WHEN x {sign}= y THEN x WHEN NOT x {sign}= y THEN y END", x=x.sql, y=y.sql)
        return Value(sql, family, x.nullable or y.nullable, cell=x.cell or y.cell)

    return rule


def python_extreme(sign: str) -> Callable[..., Value]:
    """Python's max or min of cells: the first stays unless a later one is beyond it."""

    def rule(*values: Thing) -> Value:
        if len(values) < 2:
            raise NotTranslatable("max or min of one thing")
        best, *others = [number(column(value), "max") for value in values]
        if len(values) > _NESTED:
            # one inside the other, each would stand there twice as often as the one before
            family = common_family([best, *others], "max")
            parts = ", ".join(each.sql for each in (best, *others))
            sql = f"list_reduce([{parts}], lambda best, y: CASE WHEN y {sign} best THEN y ELSE best END)"
            return made(sql, family, best, *others)
        for y in others:
            family = common_family([best, y], "max")
            template = f"CASE WHEN y {sign} x THEN y ELSE x END"
            best = made(template, family, best, y, x=best.sql, y=y.sql)
        return best

    return rule


def power(x1: Thing, x2: Thing) -> Value:
    """np.power."""
    return named("pow", column(x1), column(x2))


def python_round(x: Thing, ndigits: object = None) -> Value:
    """round() of a column is pandas'; of a cell Python's own, which is another beyond whole numbers."""
    value = column(x)
    if value.cell and value.family != "integer" and not is_null(ndigits):
        raise NotTranslatable("round() of a cell: Python's own rounding, or numpy's")
    rounded = columns.round_(value, 0 if is_null(ndigits) else ndigits)
    return columns.to_integer(rounded) if value.cell else rounded


def length(x: Thing) -> Value:
    """len() of a text cell."""
    value = column(x)
    if not value.cell or value.family not in ("text", "unknown", "list"):
        raise NotTranslatable("len of what isn't the text of a cell")
    return made("length(x)" if value.family != "list" else "len(x)", "integer", value, x=value.sql)


def python_text(x: Thing) -> Value:
    """str() of a cell."""
    return columns.to_text(_cell(x, "str"))


def python_float(x: Thing) -> Value:
    """float() of a cell."""
    value = column(x)
    if isinstance(value.constant, str):
        return constant(float(value.constant))
    return columns.to_float(_cell(x, "float"))


def python_integer(x: Thing) -> Value:
    """int() of a cell."""
    return columns.to_integer(_cell(x, "int"))


def one_number(name: str, of_math: bool) -> Callable[..., Value]:
    """Return the rule of a function of one number."""

    def rule(x: Thing) -> Value:
        value = number(column(x), name)
        template, family = TEMPLATES[name]
        if of_math and name in _MATH:
            return made(_MATH[name], "integer", value, x=value.sql)
        return made(template, family, value, nullable=value.nullable or "CASE" in template, x=value.sql)

    return rule


def cut(
    x: Thing, bins: Thing, right: object = True, labels: Thing | None = None, include_lowest: object = False
) -> Value:
    """pd.cut with bins and labels written out; null outside the bins."""
    value = number(column(x), "cut")
    if not isinstance(bins, Items) or not isinstance(labels, Items) or len(labels.values) != len(bins.values) - 1:
        raise NotTranslatable("pd.cut without bins and labels written out")
    edges = [column(edge) for edge in bins.values]
    texts = [column(label) for label in labels.values]
    family = common_family(texts, "the labels of cut")
    low, high = (">", "<=") if flag_of(right, "right") else (">=", "<")
    whens = []
    for i, label in enumerate(texts):
        first = ">=" if i == 0 and flag_of(include_lowest, "include_lowest") and low == ">" else low
        test = bind(f"x {first} l AND x {high} h", x=value.sql, l=edges[i].sql, h=edges[i + 1].sql)
        whens.append(f"WHEN {test} THEN {label.sql}")
    return Value(f"CASE {' '.join(whens)} END", family)


def _cell(x: Thing, what: str) -> Value:
    value = column(x)
    if not value.cell:
        raise NotTranslatable(f"{what}() of a whole column")
    return value.exact()


def _columns(rule: Callable[..., Thing]) -> Callable[..., Thing]:
    return lambda x, *rest, **named: rule(column(x).exact(), *rest, **named)


def isclose(a: Thing, b: Thing, rtol: Thing | None = None, atol: Thing | None = None) -> Value:
    """Whether numbers are nearly the same: no null is, and what is infinite only where they are equal."""
    x, y = number(column(a), "isclose"), number(column(b), "isclose")
    relative, absolute = (
        ("1e-05" if rtol is None else column(rtol).sql),
        ("1e-08" if atol is None else column(atol).sql),
    )
    sql = bind("coalesce(x = y OR (abs(x - y) <= a + r * abs(y) AND isfinite(y::DOUBLE)), FALSE)", x=x.sql, y=y.sql,
               a=absolute, r=relative)  # fmt: skip
    return Value(sql, "boolean", False)


RULES: dict[str, Callable[..., Thing]] = {
    **{f"pd.{name}": _columns(columns.RULES[name]) for name in ("isna", "isnull", "notna", "notnull")},
    "np.isnan": _columns(columns.is_na), "math.isnan": _columns(columns.is_na),
    "pd.to_datetime": dates.to_datetime, "pd.Timestamp": dates.timestamp, "pd.Timedelta": dates.timedelta,
    "np.timedelta64": dates.timedelta, "pd.DateOffset": dates.time_step, "pd.to_timedelta": dates.to_timedelta,
    "timedelta": dates.time_step, "pd.to_numeric": to_numeric, "pd.cut": cut, "np.isclose": isclose,
    "np.where": where, "np.select": select, "np.maximum": extreme(">"), "np.minimum": extreme("<"), "np.power": power,
    **{f"np.{name}": one_number(name, False) for name in TEMPLATES},
    **{f"math.{name}": one_number(name, True) for name in TEMPLATES if name != "sign"},
    "np.abs": _columns(columns.absolute), "np.absolute": _columns(columns.absolute), "abs": _columns(columns.absolute),
    "np.round": _columns(columns.round_), "np.around": _columns(columns.round_), "round": python_round,
    "len": length, "str": python_text, "float": python_float, "int": python_integer,
    "max": python_extreme(">"), "min": python_extreme("<"),
    "np.logical_and": lambda x1, x2: both("x AND y", [column(x1), column(x2)]),
    "np.logical_or": lambda x1, x2: both("x OR y", [column(x1), column(x2)]),
    "np.logical_not": lambda x: unary(ast.Invert(), column(x)),
    "np.subtract": lambda x1, x2: subtract(column(x1), column(x2)),
}  # fmt: skip
