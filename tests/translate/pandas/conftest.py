"""Programs as text, traced in this process, and run both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import pandas as pd
import pytest

from prepsql import Workflow
from prepsql.sandbox import Server, job_server
from prepsql.translate.draft import Draft
from prepsql.translate.pandas.tracing import trace
from prepsql.translate.run import EXTRA

Translated = tuple[Draft, dict[str, str], dict[str, str]]


@pytest.fixture(scope="session")
def served() -> Iterator[Server | None]:
    """Return a server for scripts and traces, None where none can be had: then each has a process of its own."""
    with job_server("pandas", EXTRA["pandas"]) as server:
        yield server


@pytest.fixture
def translated(tmp_path: Path, served: Server | None) -> Callable[..., Translated]:
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
        return draft, run_workflow(draft, given, tmp_path / "out", served), outputs

    return run


def written(frames: Mapping[str, pd.DataFrame]) -> dict[str, str]:
    """Return frames as the texts of files."""
    return {name.removesuffix(".csv"): frame.to_csv(index=False) for name, frame in frames.items()}


def run_workflow(draft: Draft, given: Path, out: Path, server: Server | None) -> dict[str, str]:
    """Return the outputs of a draft's workflow, which a run refuses for what a check finds, as the texts of files."""
    Workflow(dict(draft.document)).run(given, out, server=server)
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(out.glob("*.csv"))}
