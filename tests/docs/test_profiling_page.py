"""The page on profiling tells every kind of finding, and its commands have those options."""

import re
from pathlib import Path

from prepsql.cli.profile_command import command
from prepsql.profile import KINDS, PATTERNS
from prepsql.profile.kinds import UNMENDED

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "profiling.md").read_text(encoding="utf-8")


def test_each_kind_stands_once_under_its_pattern():
    told = []
    for pattern, name in PATTERNS.items():
        section = re.search(rf"^### {name} \({pattern}\)\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL | re.IGNORECASE)
        assert section, pattern
        told += [
            (pattern, *cells)
            for cells in re.findall(r"^\| (.+) \| (\d) \| (\w+) \| (.+) \|$", section[1], re.MULTILINE)
        ]
    assert told == [
        (pattern, kind, str(facts.severity), facts.unit, facts.meaning)
        for pattern in PATTERNS for kind, facts in KINDS.items() if facts.pattern == pattern
    ]  # fmt: skip


def test_what_has_no_mend_stands_with_its_reason():
    section = re.search(r"^### Without a mend\n(.*?)^## ", PAGE, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| (.+) \| (.+) \|$", section[1], re.MULTILINE)
    assert dict(rows[1:]) == UNMENDED


def test_its_options_are_those_of_the_command():
    options = {name for option in command.params for name in option.opts if name.startswith("--")}
    assert set(re.findall(r"--[a-z][a-z-]+", PAGE)) - {"--create"} == options
