"""Table -> CSV file: the same table gives the same bytes, and the file is there whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

import duckdb

from prepsql.errors import WriteError
from prepsql.sqltext import fill
from prepsql.tables.cells import as_text
from prepsql.tables.layout import DIRECTIVE

_ROWS_PER_BATCH = 20_000
ADVICE = "make space, or name a folder that is there and writable"
"""What to do about a file that can't be written."""

# beyond what the format asks for: other delimiters and a byte-order mark, lest a reader takes them for its own
_SPECIAL = re.compile('[",;|\t\r\n\ufeff]')
_QUOTED = """concat('"', replace(coalesce(cell, ''), '"', '""'), '"')"""
_CELL = f"""CASE WHEN regexp_matches(cell, '{_SPECIAL.pattern}') THEN concat('"', replace(cell, '"', '""'), '"')
  ELSE coalesce(cell, '') END"""


def write_csv(relation: duckdb.DuckDBPyRelation, path: str | Path) -> int:
    r"""Write the rows of `relation`, in its order, to the CSV file `path`; return how many they were.

    UTF-8, \n, a header, quotes only where they are needed; values as `as_text` says. Null and empty text are both an
    empty cell, which in a table of one column is written `""`, since a blank line is no row. A table whose only column
    is called `sep=;` or alike has all cells in quotes, since else it would begin with a directive. The file is written
    beside its place, synced and renamed, so that an older one stays until then and nothing half-written is left.
    Raises WriteError where there is no space, no right or no folder, and whatever error the query has.
    """
    count = 0
    with whole_file(path) as file:
        for lines in _lines(relation):
            file.write("".join(f"{line}\n" for line in lines).encode())
            count += len(lines)
    return count - 1


@contextmanager
def whole_file(path: str | Path, advice: str = ADVICE) -> Iterator[BinaryIO]:
    """Yield a file to write into, which takes the place of `path` at the end, or goes away if there is an error.

    Raises WriteError where there is no space, no right or no folder; `advice` is what its message says to do then.
    """
    path = Path(path)
    part = path.with_name(f".{uuid4().hex}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as bad:
        raise WriteError(f"{path}: can't be written ({bad.strerror or bad}); {advice}") from bad
    finally:
        with suppress(OSError):
            part.unlink()


def _lines(relation: duckdb.DuckDBPyRelation) -> Iterator[list[str]]:
    """Yield the lines of the file in batches, the header alone first."""
    names = [name.replace('"', '""') for name in relation.columns]
    header = ",".join(f'"{name}"' if _SPECIAL.search(name) or not name else name for name in names)
    alike = len(names) == 1 and DIRECTIVE.fullmatch(header) is not None
    yield [f'"{names[0]}"' if alike else header]
    # by position: DuckDB doesn't tell apart names that differ only in case
    texts = (f"{as_text(f'#{i}', kind)} AS c{i}" for i, kind in enumerate(relation.types, start=1))
    quoted = (fill(_QUOTED if alike else _CELL, cell=f"c{i}") for i in range(1, len(names) + 1))
    line = f"concat_ws(',', {', '.join(quoted)})"
    if len(names) == 1:
        line = f"""coalesce(nullif({line}, ''), '""')"""
    try:
        for batch in relation.project(", ".join(texts)).project(line).to_arrow_reader(_ROWS_PER_BATCH):
            yield batch.column(0).to_pylist()
    except OSError as bad:
        # Arrow's reader hands on what fails in the query as an OSError
        raise duckdb.Error(str(bad)) from bad
