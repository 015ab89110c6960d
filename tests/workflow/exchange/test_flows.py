"""Each flow of the fixtures: the workflow passes its check and its run gives what the flow's pandas gives."""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from prepsql.workflow import Workflow
from prepsql.workflow.exchange import import_flow

FLOWS = sorted((Path(__file__).resolve().parents[2] / "fixtures" / "exchange" / "flows").glob("*.json"))


@pytest.mark.parametrize("path", FLOWS, ids=lambda path: path.stem)
def test_a_flow_runs_as_its_pandas(path: Path, tmp_path: Path):
    fixture = json.loads(path.read_text(encoding="utf-8"))
    for name, text in fixture["inputs"].items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    imported = import_flow(fixture["flow"], tmp_path)
    workflow = Workflow(imported.workflow, tmp_path)
    assert [problem.to_dict() for problem in workflow.check()] == []
    assert [entry.what for entry in imported.report].count("script") == fixture["scripts"]
    assert not [entry for entry in imported.report if entry.what == "left out"]
    workflow.run(out=tmp_path / "made")
    given = midnights_as_dates(pd.read_csv(tmp_path / "made" / "out.csv"))
    wanted = expected(fixture, tmp_path)
    pd.testing.assert_frame_equal(given, wanted[list(given.columns)], check_dtype=False)
    assert set(wanted.columns) == set(given.columns)


def midnights_as_dates(df: pd.DataFrame) -> pd.DataFrame:
    """pandas writes a column of midnights as dates; a workflow writes timestamps as such."""
    return df.replace(r"^(\d{4}-\d\d-\d\d) 00:00:00$", r"\1", regex=True)


def expected(fixture: dict, folder: Path) -> pd.DataFrame:
    """What the pandas of a fixture gives, written and read as the workflow's output is."""
    names = {"pd": pd, "np": np} | {Path(n).stem: pd.read_csv(folder / n) for n in fixture["inputs"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        exec("\n".join(fixture["pandas"]), names)
    names["out"].to_csv(folder / "wanted.csv", index=False)
    return pd.read_csv(folder / "wanted.csv")
