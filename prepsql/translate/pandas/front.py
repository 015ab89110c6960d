"""A pandas program becomes a draft: it runs in the sandbox, instrumented, on its inputs."""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from prepsql.errors import InputError, NotTranslatable
from prepsql.sandbox import Status, run_code
from prepsql.sandbox.child.program import takes_folder
from prepsql.translate.draft import Draft
from prepsql.translate.terms import DEFAULT_TERMS, Terms

# the program that runs in the sandbox; what solve is given decides what its own is given
_TRACED = Template("""from pathlib import Path
from prepsql.translate.pandas.tracing import traced

def solve($given):
    return traced($program, $name, $avoid)
""")
_WATCHED = Template("""from pathlib import Path
from prepsql.translate.pandas.tracing import watched

def solve($given):
    return watched($program, $name, $places)
""")
_GIVEN = re.compile(r"^def solve\(\s*(\w+)\s*(?::\s*([\w.]+))?", re.MULTILINE)


def translate_pandas(
    program: str, inputs: Path, avoid: frozenset[str] = frozenset(), terms: Terms = DEFAULT_TERMS
) -> Draft:
    """Return the workflow that a program stands for on these inputs, not yet proven.

    What stands in `avoid` becomes scripts. Raises NotTranslatable where not even scripts say it, InputError where the
    program itself fails.
    """
    text = _TRACED.substitute(**_given(program), program=repr(program), avoid=repr(sorted(avoid)))
    with tempfile.TemporaryDirectory(prefix="prepsql-translate-") as out:
        outcome = run_code(text, inputs, out, "pandas", **terms.options, extra=True)
        if outcome.status != "ok":
            raise InputError(f"the program: {outcome.message}")
        with (Path(out) / "output_01.csv").open(encoding="utf-8", newline="") as file:
            csv.field_size_limit(1 << 30)
            fields = json.loads(list(csv.reader(file))[1][0])
    if "refused" in fields:
        raise NotTranslatable(fields["refused"])
    return Draft(**fields)


def tables_of_program(code: str, inputs: Path, origins: Sequence[str], out: Path, terms: Terms) -> Mapping[str, Path]:
    """Return the program's own tables at these places of its course as CSV files in `out`.

    A place that it doesn't come by on these inputs is left out, and none is returned where it fails.
    """
    text = _WATCHED.substitute(**_given(code), program=repr(code), places=repr(list(origins)))
    if run_code(text, inputs, out, "pandas", **terms.options, extra=True).status is not Status.OK:
        return {}
    files = {origin: out / f"output_{at:04}.csv" for at, origin in enumerate(origins, 1)}
    return {origin: path for origin, path in files.items() if path.is_file()}


def _given(program: str) -> dict[str, str]:
    """Return how solve is given what it reads: its parameter, and the name of that."""
    found = _GIVEN.search(program)
    if not found:
        raise InputError("the program defines no solve(tables) and no solve(inputs_dir: Path)")
    if takes_folder(found[1], found[2] or ""):
        return {"given": f"{found[1]}: Path", "name": found[1]}
    return {"given": "tables", "name": "tables"}
