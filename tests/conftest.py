"""What every test may use."""

import compileall
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import prepsql
from prepsql.cli.main import main

# the same examples at every run; `make fuzz` looks for new ones
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=1000)
settings.load_profile("same")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def prepbench() -> Path:
    """The checkout of PrepBench's public release that PREPSQL_PREPBENCH names, else one beside this repository."""
    folder = Path(os.environ.get("PREPSQL_PREPBENCH") or ROOT.parent / "shared" / "prepbench")
    if not (folder / "data").is_dir():
        pytest.skip("no PrepBench release here: set PREPSQL_PREPBENCH to a checkout of it")
    return folder


@pytest.fixture
def command_line(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command line on arguments; return its exit code, standard output and standard error."""

    def ran(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leave:
            main([*map(str, arguments)])
        return leave.value.code, *capsys.readouterr()

    return ran


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-sql", action="store_true", help="Write the kept SQL of the workflow fixtures anew.")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package: the sandbox's processes, hundreds of them, keep no bytecode themselves."""
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(prepsql.__file__).parent, quiet=2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what wants PrepBench's release: it runs apart."""
    for item in items:
        if "prepbench" in getattr(item, "fixturenames", ()):
            item.add_marker("release")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let each worker take tests that stand together, so that what a module's tests share is made once."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getvalue("dist") == "load" else None
