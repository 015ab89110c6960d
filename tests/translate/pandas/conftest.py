"""Programs as text, traced in this process, and run both ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import pandas as pd
import pytest

from prepsql import Workflow
from prepsql.translate.draft import Draft
from prepsql.translate.pandas.tracing import trace

Translated = tuple[Draft, dict[str, str], dict[str, str]]


@pytest.fixture
def translated(tmp_path: Path) -> Callable[..., Translated]:
    """Translate a program; return the draft, the workflow's outputs and the program's own, as the texts of files.

    The inputs are texts of CSV files by name (`input_01`); `solve(inputs_dir)` gets their folder.
    """

    def run(program: str, **inputs: str) -> Translated:
        text, given = dedent(program), tmp_path / "inputs"
        given.mkdir(exist_ok=True)
        for name, rows in inputs.items():
            (given / f"{name}.csv").write_text(dedent(rows).lstrip(), encoding="utf-8")
        names: dict[str, Any] = {}
        with pd.option_context("mode.copy_on_write", True):
            exec(compile(text, "<plain>", "exec"), names)
            outputs = written(names["solve"](given))
            fields = trace(text, given)
        fields.pop("why", None)
        draft = Draft(**fields)
        return draft, run_workflow(draft, given, tmp_path / "out"), outputs

    return run


def written(frames: Mapping[str, pd.DataFrame]) -> dict[str, str]:
    """Return frames as the texts of files."""
    return {name.removesuffix(".csv"): frame.to_csv(index=False) for name, frame in frames.items()}


def run_workflow(draft: Draft, given: Path, out: Path) -> dict[str, str]:
    """Return the outputs of a draft's workflow as the texts of files."""
    workflow = Workflow(dict(draft.document))
    problems = workflow.check(given)
    assert not problems, problems
    workflow.run(given, out)
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(out.glob("*.csv"))}
