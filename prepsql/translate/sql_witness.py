"""The tables that a SQL script makes on its way, as it leaves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from prepsql.sandbox import Status, run_code
from prepsql.sqltext import quote
from prepsql.translate.terms import Terms

_COPY = Template("CREATE TABLE $copy AS SELECT * FROM $table;\n")
_NAME = "output_of_origin_{:04}"


def tables_of_script(code: str, inputs: Path, origins: Sequence[str], out: Path, terms: Terms) -> Mapping[str, Path]:
    """Return the tables of these names as CSV files in `out`, as they are at the script's end.

    A name that stands for no table then takes the others with it: none is returned.
    """
    copies = {origin: _NAME.format(number) for number, origin in enumerate(origins)}
    added = [_COPY.substitute(copy=quote(copy), table=quote(origin)) for origin, copy in copies.items()]
    script = code.rstrip().rstrip(";") + "\n;\n" + "".join(added)
    done = run_code(script, inputs, out, "sql", **terms.options)
    if done.status is not Status.OK:
        return {}
    return {origin: out / f"{copy}.csv" for origin, copy in copies.items()}
