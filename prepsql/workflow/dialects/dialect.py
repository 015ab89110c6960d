"""What a dialect is: data that say which of DuckDB's expressions it can say, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from prepsql.workflow.dialects.signature import Signature, signature


class NotPortable(Exception):
    """What a dialect can't say, and why; `mend` is what to do."""

    def __init__(self, what: str, mend: str = "") -> None:
        super().__init__(what)
        self.mend = mend


@dataclass(frozen=True)
class Each:
    """A template for any number of arguments: `item` for each of them, with `glue` between."""

    item: str
    glue: str = ", "
    whole: str = "{}"


Template = str | Each
"""What an expression becomes: text in which {0}, {1}, … are its arguments."""


@dataclass(frozen=True)
class Names:
    """Which names columns may have: at most `bytes` long, without the characters `without`."""

    bytes: int = 0
    without: str = ""


@dataclass(frozen=True)
class Dialect:
    """One dialect: the name of Ibis' compiler, that of sqlglot's dialect, and what it can say.

    `functions` is the allow-list: a signature in DuckDB's terms to what says exactly the same here
    (`prepsql/workflow/dialects/signature.py`). An entry may fail loudly where DuckDB doesn't, it may never give another
    value. `types` names DuckDB's types, those without an entry aren't there; `casts` are the templates by the family
    that is cast and the type it is cast to. `formats` are the codes of strftime.

    - `scale`: the most decimals that a DECIMAL keeps exactly, None where there are no decimals;
    - `decimal`: a constant with a decimal point; `wide`: what text that isn't ASCII begins with;
    - `backslash`: a backslash in a text literal must be doubled;
    - `regex` and `like`: how patterns are read (`prepsql/workflow/dialects/patterns.py`);
    - `booleans`: conditions are values;
    - `filter`: aggregates take FILTER; `nulls`: ORDER BY takes NULLS FIRST and LAST;
    - `ignore_nulls`: where IGNORE NULLS stands in a window, `inside` or `after` the function, '' for nowhere;
    - `frames`: the units of windows' frames;
    - `text_order`: what text to be ordered byte by byte becomes;
    - `by_equality`: outer joins of these kinds match by `=` only;
    - `view`: the statement that makes a view; `end`: what a query ends with;
    - `expects`: what the reader of the query must know.
    """

    name: str
    compiler: str
    sqlglot: str
    functions: Mapping[str, Template] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    casts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)
    regex: str = ""
    like: str = ""
    decimal: str = "{0}"
    wide: str = ""
    names: Names = Names()
    scale: int | None = None
    backslash: bool = False
    booleans: bool = True
    filter: bool = False
    nulls: bool = True
    ignore_nulls: str = ""
    frames: frozenset[str] = frozenset(["ROWS", "RANGE"])
    text_order: str = "{0}"
    by_equality: frozenset[str] = frozenset()
    view: str = "CREATE OR REPLACE VIEW {0} AS\n{1}"
    end: str = ""
    expects: tuple[str, ...] = ()

    @cached_property
    def allowed(self) -> Mapping[str, list[tuple[Signature, Template]]]:
        """The allow-list by function."""
        found: dict[str, list[tuple[Signature, Template]]] = {}
        for text, template in self.functions.items():
            parsed = signature(text)
            found.setdefault(parsed.name, []).append((parsed, template))
        return found
