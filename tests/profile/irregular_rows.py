"""The kinds of findings about rows that are no records, or whose cells say what others' are for."""

from collections.abc import Callable, Sequence
from random import Random

from tests.profile.irregular import Put, text
from tests.profile.irregular_headers import NAMES, trees


def scattered(random: Random, records: Sequence[list[str]], put: Sequence[list[str]]) -> list[list[str]]:
    """Return records with rows put between them: not first, where units stand, nor last, where any text is a note."""
    rows = [*records]
    for row in put:
        rows.insert(random.randint(1, len(rows) - 1), row)
    return rows


def lines_of(rows: Sequence[Sequence[str]], put: Callable[[Sequence[str]], bool]) -> list[int]:
    """Return the lines of a file of some rows, below names."""
    return [line for line, row in enumerate(rows, 2) if put(row)]


def _taken_out(random: Random, put: list[list[str]], names: Sequence[str] = NAMES) -> Put:
    rows = scattered(random, trees(random), put)
    lines = lines_of(rows, lambda row: row in put)
    kept = [row for row in rows if row not in put]
    return Put({"trees": text([names, *rows])}, None, len(lines), lines[:5], [names, *kept])


def repeated_names(random: Random) -> Put:
    return _taken_out(random, [NAMES] * random.randint(1, 6))


def blank(random: Random) -> Put:
    """Rows of empty cells, and lines of nothing, which the reader leaves out."""
    return _taken_out(random, [random.choice([["", " ", "", ""], [""] * 4, []]) for _ in range(random.randint(1, 8))])


def totals(random: Random) -> Put:
    words = ["Total", "Subtotal", "Total for North", "Grand total"]
    return _taken_out(random, [[random.choice(words), "", "1000", "99.5"] for _ in range(random.randint(1, 3))])


def odd(random: Random) -> Put:
    """Rows of words where numbers are, such as units."""
    return _taken_out(random, [["", "", "pieces", "metres"]] * 1)


def notes(random: Random, names: Sequence[str] = NAMES) -> Put:
    """Notes between records, and any text below them."""
    put = [["Source: the park's own count", "", "", ""]] * random.randint(0, 3)
    rows = [*scattered(random, trees(random), put), *[["Counted by hand", "", "", ""]] * random.randint(1, 2)]
    lines = lines_of(rows, lambda row: not row[1])
    kept = [row for row in rows if row[1]]
    return Put({"trees": text([names, *rows])}, None, len(lines), lines[:5], [names, *kept])


def notes_beside_rowid(random: Random) -> Put:
    return notes(random, ["rowid", *NAMES[1:]])


def sections(random: Random, names: Sequence[str] = NAMES) -> Put:
    put = [[side, "", "", ""] for side in ("North side", "South side", "Shore")[: random.randint(1, 3)]]
    rows = scattered(random, trees(random), put)
    lines = lines_of(rows, lambda row: row in put)
    mended, section = [["section", *names]], ""
    for row in rows:
        if row in put:
            section = row[0]
        else:
            mended.append([section, *row])
    return Put({"trees": text([names, *rows])}, None, len(lines), lines, mended)


def sections_beside_rowid(random: Random) -> Put:
    return sections(random, [*NAMES[:3], "RowID"])


def again(random: Random) -> Put:
    records = trees(random)
    rows = [*records, *random.choices(records, k=random.randint(1, 8))]
    lasts = {tuple(row): line for line, row in enumerate(rows, 2)}
    lines = sorted(line for line in lasts.values() if line > len(records) + 1)
    return Put({"trees": text([NAMES, *rows])}, None, len(rows) - len(records), lines[:5], [NAMES, *records])


def other_width(random: Random) -> Put:
    """Rows that lack a cell, and rows with one or two more."""
    rows = trees(random)
    widths = dict(zip(random.sample(range(len(rows)), 7), [-1, -1, -1, 1, 1, 2, 2], strict=True))
    put = [[*row, "x", "y"][: 4 + widths.get(at, 0)] for at, row in enumerate(rows)]
    filled = [[*row, "", "", ""][:6] for row in put]
    lines = lines_of(put, lambda row: len(row) != 4)
    return Put({"trees": text([NAMES, *put])}, None, 7, lines[:5], [[*NAMES, "extra_1", "extra_2"], *filled])


def fixed_width(random: Random) -> Put:
    rows = [NAMES, *trees(random)]
    lines = ["".join(cell.ljust(12) for cell in row).rstrip() for row in rows]
    return Put({"trees": "\n".join(lines)}, lines[0], len(rows) - 1, range(2, 7), rows)


def of_lines(random: Random) -> Put:
    rows = trees(random)
    file = text([["record"], *(["\n".join(row)] for row in rows)])
    fields = [f"field_{at}" for at in range(1, 5)]
    return Put({"trees": file}, "record", len(rows), range(2, 22, 4), [fields, *rows])


def above(random: Random, names: Sequence[str] = ("station", "sensor", "value", "unit"), place: int = 0) -> Put:
    """Values that stand once, above the empty cells that they are meant for: of a group, and of parts of it."""
    size, groups = random.randint(4, 9), random.randint(4, 9)
    rows = [
        [f"Station {at // size}", f"S{at // size}-{at % size > 1}", f"{at}.5", f"{at % 3}"]
        for at in range(size * groups)
    ]
    firsts = [[*(at % size in some for some in ([0], [0, 2])), True, True] for at in range(len(rows))]
    put, mended = (
        [
            [cell if first or at in full else "" for at, (cell, first) in enumerate(zip(*pair, strict=True))]
            for pair in zip(rows, firsts, strict=True)
        ]
        for full in ((), (place,))
    )
    return Put({"stations": text([names, *put])}, names[place], len(rows) - groups * (place + 1), [2], [names, *mended])


def above_of_parts(random: Random) -> Put:
    return above(random, place=1)


def above_beside_rowid(random: Random) -> Put:
    return above(random, ("rowid", "sensor", "value", "unit"))


def one_or_the_other(random: Random) -> Put:
    """Columns of which nearly always one alone is filled."""
    which = [*"aabbccc", *random.choices("abc", k=70)]
    random.shuffle(which)
    rows = [
        [f"r {at}", f"m{at}" if one in "ac" else "", f"l{at}" if one in "bc" else ""] for at, one in enumerate(which)
    ]
    names = ["row", "mobile", "landline"]
    mended = [[row[0], row[1] or row[2], row[2]] for row in rows]
    first = which.index("b") + 2
    return Put({"people": text([names, *rows])}, "mobile", which.count("b"), [first], [names, *mended])


ROWS = (
    ("repeated header", repeated_names),
    ("repeated rows", again),
    ("blank rows", blank),
    ("section rows", sections),
    ("section rows", sections_beside_rowid),
    ("total rows", totals),
    ("note rows", notes),
    ("note rows", notes_beside_rowid),
    ("odd rows", odd),
    ("rows of another width", other_width),
    ("fixed-width records", fixed_width),
    ("multi-line records", of_lines),
    ("fill down", above),
    ("fill down", above_beside_rowid),
    ("fill down", above_of_parts),
    ("complementary columns", one_or_the_other),
)
