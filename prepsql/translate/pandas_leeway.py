"""What a pandas program leaves open: in which order rows come that a sort takes for equal."""

from __future__ import annotations

import ast
from collections.abc import Sequence

_SORTS = ("sort_values", "sort_index")
# pandas' own sort of one column isn't stable; where ties stay as they were is as good an answer
_STABLE = """import pandas as _pandas_

def _stable_(kind, name):
    plain = getattr(kind, name)

    def sort(self, *given, **named):
        if named.get("kind") in (None, "quicksort"):
            named["kind"] = "stable"
        return plain(self, *given, **named)

    setattr(kind, name, sort)

for _kind_ in (_pandas_.DataFrame, _pandas_.Series):
    for _name_ in ("sort_values", "sort_index"):
        _stable_(_kind_, _name_)
"""


def other_answers(program: str) -> Sequence[str]:
    """Return programs that mean the same to pandas: one whose sorts leave equal rows in the order that they had."""
    if not any(name in program for name in _SORTS):
        return []
    try:
        body = ast.parse(program).body
    except SyntaxError:
        return []
    head = [one for one in body[:5] if isinstance(one, ast.ImportFrom) and one.module == "__future__"]
    lines = program.splitlines(keepends=True)
    at = head[-1].end_lineno or 0 if head else 0
    return ["".join(lines[:at]) + _STABLE + "".join(lines[at:])]
