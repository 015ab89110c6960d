"""The figures of a report as CSV files."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from prepsql.errors import WriteError
from prepsql.evaluate.reports.report import Report
from prepsql.tables.write import whole_file


def write_figures(report: Report, folder: Path) -> list[Path]:
    """Write each figure that has rows as `<name>.csv`, unknown values empty; return the files.

    Raises WriteError where the folder can't be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise WriteError(f"cannot make the folder {folder}: {wrong.strerror}") from wrong
    written = []
    for name, rows in report.figures.items():
        if rows:
            text = io.StringIO()
            writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            with whole_file(folder / f"{name}.csv") as file:
                file.write(text.getvalue().encode())
            written.append(folder / f"{name}.csv")
    return written
