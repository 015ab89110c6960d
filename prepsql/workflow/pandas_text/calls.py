"""Attributes, subscripts and calls: which rule a name means on the thing before it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.workflow.pandas_text import columns, dates, functions, strings, windows
from prepsql.workflow.pandas_text.fstrings import format_spec
from prepsql.workflow.pandas_text.scope import Scope
from prepsql.workflow.pandas_text.value import (
    TIMES,
    Accessor,
    Family,
    Frame,
    Function,
    Groups,
    Items,
    Name,
    Pairs,
    Parts,
    Row,
    Thing,
    Value,
    column,
    constant,
    describe,
    flag_of,
    made,
    text_of,
    whole_of,
)

Slice = tuple[Thing | None, ...]
_IGNORED_BY_GROUPBY = ("sort", "as_index", "observed", "group_keys")


def attribute(scope: Scope, base: Thing, name: str) -> Thing:
    """Return `base.name`."""
    if isinstance(base, Frame) and base.other:
        return scope.others[base.other].column(name)
    if isinstance(base, Frame | Row):
        if name not in scope.columns:
            raise NotTranslatable(f"{describe(base)}.{name}: no column of that name is known")
        return scope.column(name, isinstance(base, Row))
    if isinstance(base, Value | Parts):
        return _of_value(base, name)
    if isinstance(base, Accessor) and base.kind != "str":
        return _of_time(column(base.value), name, dates.OF_ISO_CALENDAR if base.kind == "iso" else None)
    if isinstance(base, Groups):
        return replace(base, picked=scope.column(name))
    raise NotTranslatable(f".{name} of {describe(base)}")


def subscript(scope: Scope, base: Thing, key: Thing | Slice) -> Thing:
    """Return `base[key]`; a slice is a tuple of its bounds."""
    if isinstance(base, Accessor):
        base = base.value
    elif isinstance(base, Frame | Row | Groups):
        return _of_table(scope, base, key)
    elif not (isinstance(base, Parts) or (isinstance(base, Value) and base.cell)):
        if isinstance(base, Value) and base.family == "text" and isinstance(key, Value) and key.constant == 0:
            return base  # column 0 of what extract gives
        raise NotTranslatable(f"[…] of {describe(base)}")
    if isinstance(key, tuple):
        if isinstance(base, Parts):
            raise NotTranslatable("a slice of the parts of a text")
        return strings.slice_text(_as_text(base), *key)
    return _element(base, key)


def call(scope: Scope, base: Thing, name: str, given: Sequence[Thing], named: Mapping[str, Thing]) -> Thing:
    """Return `base.name(given, named)`, or the call of the function that base names."""
    if isinstance(base, Name):
        path = base.path.replace("numpy.", "np.").replace("pandas.", "pd.")
        rule = functions.RULES.get(path)
        if rule is None:
            raise NotTranslatable(f"the function {base.path}")
        return _apply(path, rule, given, named)
    if isinstance(base, Accessor):
        return _call_accessor(base, name, given, named)
    if isinstance(base, Groups):
        return _call_groups(scope, base, name, given, named)
    if isinstance(base, Frame | Row | Pairs):
        return _call_table(scope, base, name, given, named)
    if isinstance(base, Value | Parts):
        value = column(base)
        return _call_cell(value, name, given, named) if value.cell else _call_column(scope, value, name, given, named)
    raise NotTranslatable(f".{name}() of {describe(base)}")


def _apply(what: str, rule: Callable[..., Thing], given: Sequence[object], named: Mapping[str, Thing]) -> Thing:
    """Call a rule; its own parameters are the arguments that are understood."""
    try:
        inspect.signature(rule).bind(*given, **named)
    except TypeError as wrong:
        raise NotTranslatable(f"{what}: {wrong}") from None
    return rule(*given, **named)


def _of_value(base: Value | Parts, name: str) -> Thing:
    if name == "str":
        return Accessor("str", base)
    value = column(base)
    if name == "dt":
        return Accessor("dt", value)
    if name in ("values", "array"):
        return value
    if value.cell:
        return _of_time(value, name)
    raise NotTranslatable(f".{name} of a column")


def _of_time(value: Value, name: str, table: Mapping[str, tuple[str, Family]] | None = None) -> Thing:
    table = table or (dates.OF_SPANS if value.family == "span" else dates.OF_TIMES)
    if name not in table:
        raise NotTranslatable(f".dt.{name}")
    template, family = table[name]
    value = value if value.family == "span" else dates.as_time(value)
    return made(template, family, value, x=value.sql)


def _of_table(scope: Scope, base: Frame | Row | Groups, key: Thing | Slice) -> Thing:
    if isinstance(key, Items):
        names = tuple(text_of(item, "a column's name") for item in key.values)
        if isinstance(base, Frame):
            return Frame(names)
        if len(names) != 1 or isinstance(base, Row):
            raise NotTranslatable("several columns where one must stand")
        key = key.values[0]
    name = text_of(key, "a column's name")
    if isinstance(base, Frame) and base.other:
        return scope.others[base.other].column(name)
    if isinstance(base, Groups):
        return replace(base, picked=scope.column(name))
    return scope.column(name, isinstance(base, Row))


def _element(base: Value | Parts, key: Thing) -> Value:
    if isinstance(base, Parts):
        return Value(base.part(whole_of(key, "the place of a part")), "text", True, cell=base.cell)
    if base.family == "list":
        index = whole_of(key, "a place")
        return made(f"x[{index + 1 if index >= 0 else index}]", "text", base, nullable=True, x=base.sql)
    return strings.character(_as_text(base), key)


def _as_text(value: Value | Parts) -> Value:
    value = column(value)
    if value.family not in ("text", "unknown"):
        raise NotTranslatable(f".str of {value.family}")
    return value


def _call_accessor(base: Accessor, name: str, given: Sequence[Thing], named: Mapping[str, Thing]) -> Thing:
    what = f".{base.kind}.{name}"
    value = column(base.value)
    if base.kind == "dt":
        if name == "isocalendar":
            return Accessor("iso", dates.as_time(value))
        if name in dates.RULES:
            return _apply(what, dates.RULES[name], [dates.as_time(value), *given], named)
        if given or named:
            raise NotTranslatable(f"{what} with arguments")
        return _of_time(value, name)
    if value.family == "list":
        if name == "get" and len(given) == 1 and not named:
            return _element(base.value, given[0])
        if name == "len" and not given:
            return made("len(x)", "integer", value, x=value.sql)
        if name == "join" and len(given) == 1:
            separator = literal(text_of(given[0], "the separator"))
            return made("array_to_string(x, y)", "text", value, x=value.sql, y=separator)
        raise NotTranslatable(f"{what} of a list")
    return _call_text(what, _as_text(value), name, given, named, strings.TEMPLATES, strings.RULES)


def _call_text(
    what: str,
    value: Value,
    name: str,
    given: Sequence[Thing],
    named: Mapping[str, Thing],
    templates: Mapping[str, tuple[str, Family]],
    rules: Mapping[str, Callable[..., Thing]],
) -> Thing:
    if name in templates and not given and not named:
        template, family = templates[name]
        return made(template, family, value, x=value.sql)
    if name not in rules:
        raise NotTranslatable(what)
    return _apply(what, rules[name], [value, *given], named)


def _call_cell(value: Value, name: str, given: Sequence[Thing], named: Mapping[str, Thing]) -> Thing:
    """Call a method of one cell: Python's, not pandas'."""
    if value.family in TIMES:
        if name in dates.RULES:
            return _apply(name, dates.RULES[name], [value, *given], named)
        return _of_time(value, name)
    if name == "format" and isinstance(value.constant, str):
        return _format(value.constant, given, named)
    return _call_text(
        f".{name}() of a cell", _as_text(value), name, given, named, strings.PYTHON_TEMPLATES, strings.PYTHON_RULES
    )


def _format(pattern: str, given: Sequence[Thing], named: Mapping[str, Thing]) -> Value:
    if named or len(given) != 1 or not (pattern.startswith("{:") and pattern.endswith("}")):
        raise NotTranslatable("format with more than one place")
    return format_spec(column(given[0]), pattern[2:-1])


def _call_column(scope: Scope, x: Value, name: str, given: Sequence[Thing], named: Mapping[str, Thing]) -> Thing:
    x = x.exact()
    if name in ("apply", "map"):
        return _map(x, given, named)
    if name in columns.RULES:
        return _apply(f".{name}", columns.RULES[name], [x, *given], named)
    if name in windows.REDUCTIONS and not given and not named:
        return windows.reduce(name, windows.Window(scope.order), x, scope.aggregate)
    if name in windows.RULES and not scope.aggregate:
        return _apply(f".{name}", windows.RULES[name], [windows.Window(scope.order), x, *given], named)
    if name == "groupby" and given:
        return _groups(scope, x, given, named)
    if isinstance(x.constant, str) and name == "format":
        return _format(x.constant, given, named)
    raise NotTranslatable(f".{name}() of a column")


def _map(x: Value, given: Sequence[Thing], named: Mapping[str, Thing]) -> Thing:
    if len(given) != 1:
        raise NotTranslatable("apply with more than a function")
    function = given[0]
    if isinstance(function, Pairs) and not named:
        return columns.map_values(x, function)
    cell = replace(x, cell=True)
    if isinstance(function, Function) and len(function.parameters) == 1 and not named:
        result = column(function.body({function.parameters[0]: cell}))
    elif isinstance(function, Name) and function.path in functions.RULES:
        result = column(_apply(function.path, functions.RULES[function.path], [cell], named))
    else:
        raise NotTranslatable(f"apply of {describe(function)}")
    return replace(result, cell=False)


def _call_table(
    scope: Scope, base: Frame | Row | Pairs, name: str, given: Sequence[Thing], named: Mapping[str, Thing]
) -> Thing:
    if isinstance(base, Pairs):
        if name != "get" or not 1 <= len(given) <= 2 or named:
            raise NotTranslatable(f".{name}() of a dict")
        found = columns.map_values(column(given[0]), base)
        other = constant(None) if len(given) == 1 else column(given[1])
        if any(value.nullable for _, value in base.items):
            raise NotTranslatable("get from a dict with nulls")
        return columns.fill_na(found, other)
    if isinstance(base, Row):
        if name == "get" and len(given) == 1 and text_of(given[0], "a column's name") in scope.columns:
            return scope.column(text_of(given[0], "a column's name"), True)
        raise NotTranslatable(f".{name}() of a row")
    if name == "groupby" and given:
        return _groups(scope, None, given, named)
    if name == "apply" and len(given) == 1 and set(named) == {"axis"} and column(named["axis"]).constant == 1:
        function = given[0]
        if isinstance(function, Function) and len(function.parameters) == 1:
            return replace(column(function.body({function.parameters[0]: Row()})), cell=False)
    raise NotTranslatable(f".{name}() of the whole table")


def _groups(scope: Scope, x: Value | None, given: Sequence[Thing], named: Mapping[str, Thing]) -> Groups:
    by = list(given[0].values) if isinstance(given[0], Items) else [given[0]]
    others = set(named) - {*_IGNORED_BY_GROUPBY, "dropna"}
    if len(given) > 1 or others:
        raise NotTranslatable("groupby with more than keys")
    dropna = flag_of(named["dropna"], "dropna") if "dropna" in named else True
    keys = [key if x is not None else _key(scope, key) for key in by]
    return Groups(tuple(column(key).exact() for key in keys), dropna, x)


def _key(scope: Scope, key: Thing) -> Value:
    value = column(key)
    return scope.column(value.constant) if isinstance(value.constant, str) else value


def _call_groups(scope: Scope, base: Groups, name: str, given: Sequence[Thing], named: Mapping[str, Thing]) -> Thing:
    window = windows.Window(scope.order, base.keys, base.dropna)
    if scope.aggregate:
        raise NotTranslatable("groupby inside an aggregate")
    if name == "cumcount":
        return _apply("cumcount", windows.cumcount, [window, *given], named)
    if base.picked is None:
        raise NotTranslatable(f"groupby.{name}() of all columns")
    if name == "transform" and len(given) == 1 and not named:
        wanted = text_of(given[0], "the function of transform")
        if wanted in windows.REDUCTIONS or wanted in ("first", "last"):
            return windows.reduce(wanted, window, base.picked)
        name, given = wanted, ()
    if name in windows.RULES:
        return _apply(f"groupby.{name}", windows.RULES[name], [window, base.picked, *given], named)
    raise NotTranslatable(f"groupby.{name}()")
