"""Documentation names only what exists, and names all of it."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from prepsql.cli.main import COMMANDS, cli
from prepsql.macros import library
from prepsql.macros.library import INNER

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "bench" / "README.md"])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_flow_page_is_short_and_names_files_and_functions_that_exist():
    text = (ROOT / "docs" / "flow.md").read_text()
    assert len(text.splitlines()) <= 170
    hops = re.findall(r"`(prepsql/[\w/]+\.py)(?:::(\w+))?`", text)
    assert len(hops) > 15
    for path, name in hops:
        code = (ROOT / path).read_text()
        assert not name or re.search(rf"^(?:def|class) {name}\b|^{name}\b", code, re.MULTILINE), (path, name)
    for path in re.findall(r"`((?:macros|tasks|docs|tests|bench)/[\w./-]*)`", text):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_stands_in_the_readme(name):
    done = CliRunner().invoke(cli, [name, "--help"])
    assert done.exit_code == 0
    assert "Exit code" in done.output or name in ("tasks", "sandbox")
    assert f"prepsql {name}" in (ROOT / "README.md").read_text() + (ROOT / "docs" / "sandbox.md").read_text()


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_80_columns_and_cuts_nothing(name):
    lines = CliRunner().invoke(cli, [*name.split(), "--help"], terminal_width=80).output.splitlines()[1:]
    assert [line for line in lines if len(line) > 80 or line.endswith("...") or line.count("`") % 2] == []


def test_every_macro_stands_in_its_page():
    text = (ROOT / "docs" / "macros.md").read_text()
    wanted = [f"| `{m.signature}` | {m.purpose} |" for m in library().values() if m.topic not in INNER]
    assert [line for line in wanted if line not in text] == []
    assert len(re.findall(r"^\| `", text, re.MULTILINE)) == len(wanted)


def test_nothing_names_a_machine_or_a_registry():
    bad = re.compile("/" + "(work|farm|root)/|" + "files.python" + "hosted|index" + "-url")
    tracked = [p for p in ROOT.rglob("*") if p.suffix in {".md", ".py", ".toml", ".sql", ".json"}]
    own = [p for p in tracked if not set(p.relative_to(ROOT).parts) & {".venv", "runs", "dist", "build"}]
    assert [str(p) for p in own if bad.search(p.read_text(errors="replace"))] == []
