"""A pandas program becomes a draft: it runs in the sandbox, instrumented, on its inputs."""

from __future__ import annotations

import csv
import json
import re
import tempfile
from pathlib import Path
from string import Template

from prepsql.errors import InputError, NotTranslatable
from prepsql.sandbox import run_code
from prepsql.sandbox.child.program import takes_folder
from prepsql.translate.draft import Draft

# the program that runs in the sandbox; what solve is given decides what its own is given
_TRACED = Template("""from pathlib import Path
from prepsql.translate.pandas.tracing import traced

def solve($given):
    return traced($program, $name, $avoid)
""")
_GIVEN = re.compile(r"^def solve\(\s*(\w+)\s*(?::\s*([\w.]+))?", re.MULTILINE)


def translate_pandas(program: str, inputs: Path, avoid: frozenset[str] = frozenset()) -> Draft:
    """Return the workflow that a program stands for on these inputs, not yet proven.

    What stands in `avoid` becomes scripts. Raises NotTranslatable where not even scripts say it, InputError where the
    program itself fails.
    """
    found = _GIVEN.search(program)
    if not found:
        raise InputError("the program defines no solve(tables) and no solve(inputs_dir: Path)")
    name = found[1]
    folder = takes_folder(name, found[2] or "")
    given = f"{name}: Path" if folder else "tables"
    text = _TRACED.substitute(
        given=given, name=name if folder else "tables", program=repr(program), avoid=repr(sorted(avoid))
    )
    with tempfile.TemporaryDirectory(prefix="prepsql-translate-") as out:
        outcome = run_code(text, inputs, out, "pandas")
        if outcome.status != "ok":
            raise InputError(f"the program: {outcome.message}")
        with (Path(out) / "output_01.csv").open(encoding="utf-8", newline="") as file:
            csv.field_size_limit(1 << 30)
            fields = json.loads(list(csv.reader(file))[1][0])
    if "refused" in fields:
        raise NotTranslatable(fields["refused"])
    return Draft(**fields)
