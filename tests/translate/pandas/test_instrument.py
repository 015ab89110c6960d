"""What the instrumented program is: hooks where somebody looks, the program's own code where pandas calls it."""

from __future__ import annotations

from typing import Any

import pytest

from prepsql.translate.pandas.hooks import Hooks
from prepsql.translate.pandas.instrument import HOOKS, instrument
from prepsql.translate.pandas.slices import Program

PROGRAM = """
import pandas as pd

count = 0

def inner(x):
    def twice(y):
        return y * 2
    for part in [1, 2]:
        x += part
    return twice(x)

def numbered(x):
    global count
    count += 1
    return x + count

def every(xs):
    for x in xs:
        yield x + 1

def solve(tables):
    df = tables["input_01"]
    df["b"] = df["a"].apply(inner)
    df["c"] = df["a"].apply(lambda x: inner(x) if x > 1 else -x)
    df["d"] = df["a"].apply(numbered)
    df["e"] = list(every(df["a"]))
    df["f"] = df["a"].apply(lambda x: sum(every([x, x])))
    return {"output_01": df}
"""


def test_it_gives_what_the_program_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd

    frame = pd.DataFrame({"a": [1, 2, 3]})
    plain: dict[str, Any] = {}
    exec(PROGRAM, plain)
    hooks = Hooks(Program(PROGRAM))
    seen: list[int] = []
    method = Hooks.method

    def counted(self: Hooks, line: int, base: Any, name: str, /, *given: Any, **named: Any) -> Any:
        seen.append(line)
        return method(self, line, base, name, *given, **named)

    monkeypatch.setattr(Hooks, "method", counted)
    names: dict[str, Any] = {HOOKS: hooks, "__name__": "program"}
    exec(compile(instrument(PROGRAM), "program", "exec"), names)
    made = names["solve"]({"input_01": frame.copy()})["output_01"]
    assert made.equals(plain["solve"]({"input_01": frame.copy()})["output_01"])
    assert names["count"] == plain["count"] == 3
    assert len(seen) == 4  # the calls of apply, and nothing for each row


def test_functions_that_pandas_calls_run_as_they_are() -> None:
    hooks = Hooks(Program(PROGRAM))
    assert not hooks.unseen
    with hooks.silent():
        assert hooks.unseen
