"""A suite of seven small tasks, each with another outcome."""

import shutil
from pathlib import Path

import pytest

from prepsql.evaluate.suites import open_suite

SUITE = Path(__file__).resolve().parent.parent / "fixtures" / "evaluate" / "suite"


@pytest.fixture
def suite():
    return open_suite(SUITE)


@pytest.fixture
def suite_copy(tmp_path):
    """A copy of the suite that a test may change."""
    return Path(shutil.copytree(SUITE, tmp_path / "suite"))
