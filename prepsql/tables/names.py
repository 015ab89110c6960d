"""Column names: those of the header, made unique the way DuckDB needs it and always the same way."""

from __future__ import annotations

from collections.abc import Sequence

from prepsql.tables.ledger import KEPT, Entry


def unique_names(header: Sequence[str]) -> tuple[list[str], list[Entry]]:
    """Return one name a header cell, in order, and entries for those that are not the cell itself.

    A name stays as it is the first time it comes up. A cell that is blank becomes `column_<position from 1>`. A
    name that is there already, also in another case (DuckDB folds it), takes the first of `name_2`, `name_3`, …
    that no cell of the header has. NUL characters go, DuckDB can't have them in a name.
    """
    cleaned = [cell.replace("\0", "") for cell in header]
    blank = [not cell.strip() for cell in cleaned]
    wanted = {cell.lower() for cell in cleaned}
    taken: set[str] = set()
    # the first number that may still be free: from 2 each time, many equal names would take quadratic time
    numbers: dict[str, int] = {}
    names: list[str] = []
    changes: dict[str, list[str]] = {"renamed header": [], "duplicate header": [], "empty header": []}
    for position, (cell, given) in enumerate(zip(cleaned, header, strict=True), start=1):
        name = f"column_{position}" if blank[position - 1] else cell
        if name.lower() in taken or (blank[position - 1] and name.lower() in wanted):
            number = numbers.get(name.lower(), 2)
            while (lowered := f"{name}_{number}".lower()) in wanted or lowered in taken:
                number += 1
            numbers[name.lower()] = number + 1
            name = f"{name}_{number}"
        taken.add(name.lower())
        names.append(name)
        if name != given:
            kind = "empty header" if blank[position - 1] else "duplicate header" if name != cell else "renamed header"
            changes[kind].append(
                f"column {position}: {given!r} is {name!r}" if given else f"column {position}: {name!r}"
            )
    return names, [
        Entry(
            kind, "; ".join(texts[:5]) + ("; …" if len(texts) > 5 else ""), texts=tuple(texts[:KEPT]), count=len(texts)
        )
        for kind, texts in changes.items()
        if texts
    ]
