"""DuckDB's messages about an expression in fewer words, each with the likeliest mend.

They come with dozens of candidates and a picture of the place; a reader needs what was given and what fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import duckdb

from prepsql.macros import library
from prepsql.workflow.families import family
from prepsql.workflow.problem import nearest

_CALL = re.compile(r"(?:argument types '|function call \")([^\s(]+)\((.*?)\)['\"](?:\.| )")
_FORM = re.compile(r"\t\"?([^\s\"(]+)\"?\((.*)\) -> ")
_MACRO = re.compile(r"Macro \"?(\w+)\"?\(\) does not support")
_MACRO_FORM = re.compile(r"\t(\"?\w+\"?\(.*\))")
_TYPE = re.compile(r"Type with name (\S+) does not exist")
_LITERALS = {"INTEGER_LITERAL": "INTEGER", "STRING_LITERAL": "VARCHAR"}
_OPERATORS = {"~~": "LIKE", "~~*": "ILIKE", "!~~": "NOT LIKE", "!~~*": "NOT ILIKE", "~": "~", "**": "^"}
_BETWEEN = frozenset(["+", "-", "*", "/", "//", "%", "^", "**", "||", "&", "|", "<<", ">>"])
_TYPES = {
    "STR": "VARCHAR", "OBJECT": "VARCHAR", "CATEGORY": "VARCHAR", "NVARCHAR": "VARCHAR", "VARCHAR2": "VARCHAR",
    "INT64": "BIGINT", "INT32": "INTEGER", "NUMBER": "DECIMAL(18, 2)", "CURRENCY": "DECIMAL(18, 2)",
    "FLOAT64": "DOUBLE", "FLOAT32": "FLOAT", "DATETIME64": "TIMESTAMP", "TIMESTAMP_NTZ": "TIMESTAMP",
    "DATETIME2": "TIMESTAMP",
}  # fmt: skip
_KNOWN_TYPES = (
    "BOOLEAN", "INTEGER", "BIGINT", "DOUBLE", "DECIMAL(18, 2)", "VARCHAR", "DATE", "TIME", "TIMESTAMP", "INTERVAL",
)  # fmt: skip
_OTHER_TYPES = (
    "STRING",
    "TEXT",
    "INT",
    "SMALLINT",
    "FLOAT",
    "BOOL",
    "DATETIME",
    "TIMESTAMPTZ",
    "INTEGER[]",
    "VARCHAR[]",
)


def in_words(failure: duckdb.Error) -> tuple[str, str]:
    """Return what is wrong, on one short line, and the likeliest mend ('' where there is none)."""
    text = str(failure)
    call, macro, kind = _CALL.search(text), _MACRO.search(text), _TYPE.search(text)
    if call:
        return _no_form(call[1].strip('"'), _arguments(call[2]), text)
    if macro:
        known = library().get(macro[1].lower())
        forms = [known.signature] if known else [form.replace('"', "") for form in _MACRO_FORM.findall(text)]
        return f"{macro[1]} doesn't take these arguments", f"it takes {' or '.join(forms[:2])}"
    if kind:
        return type_problem(kind[1])
    message = _mixed(_first(text))
    for words in ("Cannot compare", "Cannot mix", "Cannot combine"):
        if words in text:
            mixed = re.search(r"types? (?:of )?([A-Z_]+)(?:\([\d,]+\))? and (?:type )?([A-Z_]+)", text)
            kinds = [_LITERALS.get(kind, kind) for kind in mixed.groups()] if mixed else []
            wanted = next((kind for kind in kinds if kind != "VARCHAR"), "VARCHAR") if "compare" in words else "VARCHAR"
            return message, f"cast one side: {'TRY_' * (wanted != 'VARCHAR')}CAST(… AS {wanted})"
    field = re.search(r"Cannot extract field '(\w+)' from expression \"(.*?)\"", text)
    if field:
        hint = "functions stand around columns: year(day), lower(name), not day.dt.year"
        return f"{field[2]} has no part '{field[1]}'", hint
    if "specifier" in text and "not recognized" in text:
        return message, "parts are year, quarter, month, week, day, dow, hour, minute, second"
    if "Unimplemented type for cast" in text:
        return message, "there is no such cast; for text to dates give formats, or strptime(text, '%Y%m%d')"
    return message, ""


def type_problem(name: str) -> tuple[str, str]:
    """Return the message and the mend for a type that isn't there."""
    near = nearest(name.strip("'\""), [*_TYPES, *_KNOWN_TYPES, *_OTHER_TYPES])
    hint = f"did you mean '{_TYPES.get(near, near)}'?" if near else ""
    return f"no type '{name}' (such as {', '.join(_KNOWN_TYPES)})", hint


def cause(failure: duckdb.Error) -> str:
    """Return DuckDB's message on one line, without its class, its candidates and its picture of the place."""
    return _first(str(failure))


def _no_form(name: str, given: list[str], text: str) -> tuple[str, str]:
    kinds = ", ".join(given)
    if name in _BETWEEN and len(given) == 2:
        return f"there is no {given[0]} {name} {given[1]}", _operator_mend(name, given)
    if name == "~" and given == ["BOOLEAN"]:
        return "~ isn't for conditions", "write NOT"
    if name in _OPERATORS:
        return f"{_OPERATORS[name]} doesn't take ({kinds})", "cast to text: CAST(… AS VARCHAR)"
    forms = [_arguments(form) for known, form in _FORM.findall(text) if known == name]
    fitting = [form for form in forms if len(form) == len(given) or any("*" in part for part in form)]
    if not fitting:
        counts = _either(str(n) for n in sorted({len(form) for form in forms}))
        names = list(dict.fromkeys(f"{name}({', '.join(map(_parameter, form))})" for form in forms))
        takes = f"{name} takes {counts} argument{'s' if counts != '1' else ''}, not {len(given)}"
        return takes, f"write {' or '.join(names[:2])}"
    closest = max(fitting, key=lambda form: _alike(form, given))
    shown = f"it takes {name}({', '.join(closest)})"
    if closest[0].startswith("part ") and family(given[0]) != "text":
        return f"{name} doesn't take ({kinds})", f"{shown}: the part is text, such as 'day'"
    lacking = [(g, w.split()[-1]) for g, w in zip(given, closest, strict=False) if family(g) != family(w.split()[-1])]
    if len(lacking) == 1 and lacking[0][1] not in ("ANY", "T") and not lacking[0][1].endswith("]"):
        return f"{name} doesn't take ({kinds})", f"{shown}: cast with {_cast(*lacking[0])}"
    return f"{name} doesn't take ({kinds})", shown


def _operator_mend(name: str, given: list[str]) -> str:
    families = [family(kind) for kind in given]
    if name in "&|" and families == ["boolean", "boolean"]:
        return f"write {'AND' if name == '&' else 'OR'}"
    if name == "+" and families == ["text", "text"]:
        return "to join text write ||; to add numbers cast both: TRY_CAST(… AS DOUBLE)"
    if "text" in families:
        other = given[1 - families.index("text")]
        wanted = other if family(other) == "time" else "DOUBLE"
        joined = ", or || to join text" if name == "+" else ""
        return f"cast the text: TRY_CAST(… AS {wanted}){joined}"
    if "time" in families and name in "+-":
        return "to a date add whole days, or an interval: date + INTERVAL 1 MONTH"
    return "cast one side so that the types fit"


def _mixed(message: str) -> str:
    """Return a message about two types in fewer words."""
    kinds = r"(\S+(?:\(.*?\))?) and (?:type )?(\S+(?:\(.*?\))?)"
    message = re.sub(rf"Cannot mix values of type {kinds} in (\w+) \w+ - .*", r"\3 mixes \1 and \2", message)
    message = re.sub(rf"Cannot compare values of type {kinds} - .*", r"\1 can't be compared with \2", message)
    message = re.sub(rf"Cannot combine types of {kinds} - .*", r"\1 and \2 can't be combined", message)
    return message.replace("INTEGER_LITERAL", "INTEGER").replace("STRING_LITERAL", "VARCHAR")


def _alike(form: list[str], given: list[str]) -> int:
    kinds = [part.split()[-1] for part in form]
    same = sum(family(w) == family(g) for w, g in zip(kinds, given, strict=False))
    usual = any(kind in ("DATE", "DOUBLE", "VARCHAR") for kind in kinds)
    return 2 * same + usual


def _cast(given: str, wanted: str) -> str:
    return f"{'TRY_CAST' if family(given) == 'text' else 'CAST'}(… AS {wanted})"


def _arguments(text: str) -> list[str]:
    """Return the parts between commas outside parentheses, literals' types as plain types."""
    parts, depth, part = [], 0, ""
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append(part)
            part = ""
        else:
            part += sign
    cleaned = (p.strip().replace('"', "") for p in [*parts, part])
    return [_LITERALS.get(p, p) for p in cleaned if p and p != "/"]


def _parameter(form: str) -> str:
    return form.split()[0]


def _either(words: Iterable[str]) -> str:
    return " or ".join(words)


def _first(text: str) -> str:
    text = re.split(r"\n\t?Candidate|\n+LINE|\nDid you mean|\nUse ", text)[0]
    text = re.sub(r"^[A-Z]\w+(?: \w+){0,2} Error: ", "", text)
    text = " ".join(text.split()).removesuffix(" You might need to add explicit type casts.")
    text = re.sub(r" when casting from source column \S+$", "", text)
    return text if len(text) <= 200 else text[:199] + "…"
