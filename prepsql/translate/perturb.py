"""Perturbed inputs: the given files with fewer, more, shuffled or emptier rows, the same each time."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from prepsql.translate.records import Records, read_records

Rows = list[list[str]]
_EMPTIED = 0.03
_LARGE = 32 << 20
_MOST_ROWS = 2_000


@dataclass(frozen=True)
class Perturbation:
    """One way to change the rows of a file: `change` gives new rows, the old ones untouched.

    `edge`: it leaves hardly a table. `small`: it is worth its time for large inputs too.
    """

    name: str
    change: Callable[[Rows, random.Random], Rows]
    edge: bool = False
    small: bool = False


def _sampled(share: float, least: int, most: int | None = None) -> Callable[[Rows, random.Random], Rows]:
    def change(rows: Rows, chance: random.Random) -> Rows:
        count = min(len(rows), max(least, round(len(rows) * share)))
        count = count if most is None else min(count, most)
        return [rows[i] for i in sorted(chance.sample(range(len(rows)), count))]

    return change


def _shuffled(rows: Rows, chance: random.Random) -> Rows:
    return chance.sample(rows, len(rows))


def _doubled(rows: Rows, chance: random.Random) -> Rows:
    return [*rows, *rows]


def _pierced(rows: Rows, chance: random.Random) -> Rows:
    """Empty a few cells, at least one of a table; a row keeps something to be read by."""
    pierced = [list(row) for row in rows]
    places = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell and len(row) > 1]
    for i, j in chance.sample(places, min(len(places), max(1, round(len(places) * _EMPTIED)))):
        if any(cell for place, cell in enumerate(pierced[i]) if place != j):
            pierced[i][j] = ""
    return pierced


def _emptier(rows: Rows, chance: random.Random) -> Rows:
    """Empty a few cells of columns in which some are empty already."""
    width = min(map(len, rows))
    loose = {j for j in range(width) for row in rows if not row[j].strip()}
    emptier = [list(row) for row in rows]
    places = [(i, j) for i, row in enumerate(rows) for j in sorted(loose) if row[j]]
    for i, j in chance.sample(places, min(len(places), max(1, round(len(places) * _EMPTIED)))):
        emptier[i][j] = ""
    return emptier if width > 1 else rows


PERTURBATIONS: Sequence[Perturbation] = (
    Perturbation("half of the rows", _sampled(0.5, 2)),
    Perturbation("a tenth of the rows", _sampled(0.1, 2), small=True),
    Perturbation("rows shuffled", _shuffled),
    Perturbation("rows doubled", _doubled),
    Perturbation("more of the empty cells", _emptier),
    Perturbation("any cells emptied", _pierced),
    Perturbation("one row", lambda rows, chance: rows[:1], edge=True, small=True),
    Perturbation("no rows", lambda rows, chance: [], edge=True, small=True),
)


@dataclass(frozen=True)
class Perturbed:
    """A folder of inputs under the names of the given ones, and how they were changed."""

    perturbation: Perturbation
    folder: Path


def perturb(inputs: Sequence[Path], into: Path, *, small: bool = False, edges: bool = True) -> Iterator[Perturbed]:
    """Make a folder in `into` for each perturbation that changes one of the files at least.

    Header and lines above it, delimiter, encoding and line ends stay. What isn't delimited text is copied as it is.
    Of a file with more than 2,000 rows so many are drawn before they are changed. Of more than 32 MB, or where they are
    to be `small`, only small samples are made. Without `edges` none is made that leaves hardly a table.
    """
    small = small or sum(file.stat().st_size for file in inputs) > _LARGE
    read = {file: read_records(file) for file in inputs}
    for number, perturbation in enumerate(PERTURBATIONS):
        if (small and not perturbation.small) or (perturbation.edge and not edges):
            continue
        folder = into / f"{number:02}"
        folder.mkdir(parents=True)
        changed = [_write(file, records, perturbation, folder / file.name) for file, records in read.items()]
        if any(changed):
            yield Perturbed(perturbation, folder)


def _write(file: Path, records: Records | None, perturbation: Perturbation, target: Path) -> bool:
    """Write a file's changed rows; return whether it is another file than before."""
    if records is not None:
        chance = random.Random(f"{perturbation.name} of {file.name}")
        given = records.rows if perturbation.edge else _sampled(1, 0, _MOST_ROWS)(records.rows, chance)
        rows = perturbation.change(given, chance)
        if rows != records.rows:
            target.write_bytes(records.with_rows(rows))
            return True
    shutil.copyfile(file, target)
    return False
