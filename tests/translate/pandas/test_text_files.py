"""Text files whose lines a program goes over: a row each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from tests.translate.pandas.shown import script_steps

TEXT = """INVOICE 1001
Customer: Ann Lee
  2 x Apple @ 1.50
  1 x Pear @ 0.75

# a note, and more
INVOICE 1002
Customer: Bob
  10 x Fig @ 0.20
"""
SNIPPETS = {
    "an open file": r"""
rows = []
with open(inputs_dir / 'text.txt') as file:
    for line in file:
        line = line.strip()
        if not line or line.startswith('#'):
            continue
        m = re.match(r'(\d+) x (\w+) @ ([\d.]+)$', line)
        if m:
            count, what, price = m.groups()
            rows.append({'what': what, 'count': int(count), 'price': float(price)})
out = pd.DataFrame(rows)
""",
    "the lines of a text": r"""
number = who = None
rows = []
for line in (inputs_dir / 'text.txt').read_text(encoding='utf-8').splitlines():
    if line.startswith('INVOICE'):
        number = int(line.split()[1])
    elif line.startswith('Customer:'):
        who = line.split(':', 1)[1].strip()
    elif m := re.match(r'\s*(\d+) x (\w+)', line):
        rows.append((number, who, m.group(2), int(m[1])))
out = pd.DataFrame(rows, columns=['number', 'who', 'what', 'count'])
""",
    "parts of lines": r"""
lines = Path(inputs_dir / 'text.txt').read_text().splitlines()
out = pd.DataFrame([line.split(' ', 2) for line in lines if line and line[0] != '#'], columns=['a', 'b', 'c'])
""",
}


@pytest.mark.parametrize("body", SNIPPETS.values(), ids=SNIPPETS)
def test_no_script_is_needed(translated: Callable[..., Any], body: str, tmp_path: Path) -> None:
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "text.txt").write_text(TEXT, encoding="utf-8")
    start = "import re\nfrom pathlib import Path\nimport pandas as pd\n\ndef solve(inputs_dir):\n"
    draft, given, wanted = translated(f"{start}{indent(body.strip(), '    ')}\n    return {{'output_01': out}}\n")
    assert given == wanted
    assert not script_steps(draft)
