"""The kinds of findings about names, each put into a small table; `trees` are its records."""

from csv import QUOTE_ALL
from random import Random

from tests.profile.irregular import Put, text

TREES = ["ash", "beech", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine"]
NAMES = ["plot", "tree", "count", "height"]


def trees(random: Random) -> list[list[str]]:
    """Return some records, of which no two are equal."""
    plots = range(random.randint(20, 40))
    return [
        [f"plot {at + 1}", random.choice(TREES), f"{random.randint(1, 999)}", f"{random.randint(1, 99)}.5"]
        for at in plots
    ]


def unnamed_with_data(random: Random) -> Put:
    rows, names = trees(random), [*NAMES]
    places = sorted(random.sample(range(1, 4), random.randint(1, 3)))
    for place in places:
        names[place] = ""
    renamed = [name or f"column_{at}_values" for at, name in enumerate(names, 1)]
    column = f"column_{places[0] + 1}" if len(places) == 1 else None
    # the first of the most frequent notation
    first = [_first_usual([row[place] for row in rows]) for place in places]
    return Put({"trees": text([names, *rows])}, column, len(places), first, [renamed, *rows])


def _first_usual(cells: list[str]) -> int:
    masks = ["".join("9" if letter.isdigit() else letter for letter in cell) for cell in cells]
    masks = [mask if not mask.isalpha() else "aaa" for mask in masks]
    return masks.index(max(masks, key=masks.count)) + 2


def unnamed_and_empty(random: Random) -> Put:
    """Columns between others, and at the end, where the reader makes none for them."""
    rows, inner, ends = trees(random), random.randint(0, 3), random.randint(0, 2)
    ends = ends or (not inner)
    wide = [[*row[:2], *[""] * inner, *row[2:], *[""] * ends] for row in [NAMES, *rows]]
    column = "column_3" if (inner, ends) == (1, 0) else "column_5" if (inner, ends) == (0, 1) else None
    return Put({"trees": text(wide)}, column, inner + ends, [1] * (inner + ends), [NAMES, *rows])


def duplicate_names(random: Random) -> Put:
    rows, again = trees(random), random.randint(1, 3)
    wide = [[*row, *[row[2]] * again] for row in [NAMES, *rows]]
    names = [*NAMES, *(f"count_{at}" for at in range(2, again + 2))]
    return Put({"trees": text(wide)}, None, again, [1] * again, [names, *wide[1:]])


def folded_names(random: Random) -> Put:
    rows = trees(random)
    names, name = [*NAMES, " Count"], " Count"
    wide = [[*row, str(at % 3)] for at, row in enumerate(rows)]
    return Put({"trees": text([names, *wide])}, name, 1, [1], [[*NAMES, "Count_2"], *wide])


def composite_name(random: Random) -> Put:
    rows, mark = trees(random), random.choice([", ", "; ", " / ", " | "])
    wide = [[row[0], mark.join(row[1:])] for row in [NAMES, *rows]]
    return Put({"trees": text(wide, QUOTE_ALL)}, wide[0][1], 1, [1, 2], [NAMES, *rows])


def series_of_names(random: Random) -> Put:
    rows, first = trees(random), random.randint(1990, 2015)
    years = [f"{year}" for year in range(first, first + random.randint(3, 8))]
    cells = [[f"{random.randint(1, 99)}" for _ in years] for _ in rows]
    wide = [[*row[:2], *more] for row, more in zip(rows, cells, strict=True)]
    long = [[*row[:2], year, cell] for row in wide for year, cell in zip(years, row[2:], strict=True)]
    names = [*NAMES[:2], *years]
    mended = [[*NAMES[:2], "header", "value"], *long]
    return Put({"trees": text([names, *wide])}, None, len(years), [1] * min(len(years), 5), mended)


def record_for_names(random: Random) -> Put:
    rows = trees(random)
    names = [f"field_{at}" for at in range(1, 5)]
    return Put({"trees": text(rows)}, None, 4, [1] * 4, [names, *rows])


def misplaced(random: Random) -> Put:
    rows, names = trees(random), ["age", "girth", "height", "owner"][: random.randint(2, 4)]
    cells = [[f"{random.randint(1, 99)}" for _ in names] for _ in rows]
    entries = [", ".join(f"{name.title()}: {cell}" for name, cell in zip(names, row, strict=True)) for row in cells]
    raw = [["entry", *names], *([entry, *[""] * len(names)] for entry in entries)]
    mended = [raw[0], *([entry, *row] for entry, row in zip(entries, cells, strict=True))]
    return Put({"trees": text(raw)}, "entry", len(names), [2, *[1] * min(len(names), 3)], mended)


def names_further_down(random: Random) -> Put:
    rows, above = trees(random), random.randint(1, 6)
    raw = [*[[""] * 4] * above, NAMES, *rows]
    return Put({"trees": text(raw)}, None, 1, [above + 1], [NAMES, *rows])


def titles_in_a_cell(random: Random) -> Put:
    """Rows of one cell, and some without, above the names."""
    rows = trees(random)
    above = [random.choice(["Trees", "of the park", ""]) for _ in range(random.randint(0, 5))]
    above.insert(random.randint(0, len(above)), "The city's count")
    lines = [line for line, title in enumerate(above, 1) if title]
    raw = [*([title, "", "", ""] for title in above), NAMES, *rows]
    return Put({"trees": text(raw)}, None, len(lines), lines[:5], [NAMES, *rows])


def titles_of_another_width(random: Random) -> Put:
    rows, count = trees(random), random.randint(1, 3)
    above = [["Trees"], ["Park of the city"], ["All plots"]][:count]
    return Put({"trees": text([*above, NAMES, *rows])}, None, count, range(1, count + 1), [NAMES, *rows])


def names_on_two_rows(random: Random) -> Put:
    rows, groups = trees(random), ["North", "South", "East"][: random.randint(2, 3)]
    upper = ["", "", *(cell for group in groups for cell in (group, ""))]
    lower = [*NAMES[:2], *NAMES[2:] * len(groups)]
    wide = [[*row, *row[2:] * (len(groups) - 1)] for row in rows]
    names = [*NAMES[:2], *(f"{group} {name}" for group in groups for name in NAMES[2:])]
    return Put({"trees": text([upper, lower, *wide])}, None, 1, [1], [names, *wide])


def padded_names(random: Random) -> Put:
    rows, names = trees(random), [*NAMES]
    places = random.sample(range(4), random.randint(1, 4))
    for place in places:
        names[place] = random.choice([" {}", "{} ", "  {} "]).format(names[place])
    return Put({"trees": text([names, *rows])}, None, len(places), [1] * len(places), [NAMES, *rows])


HEADERS = (
    ("unnamed column with data", unnamed_with_data),
    ("unnamed empty column", unnamed_and_empty),
    ("duplicate header", duplicate_names),
    ("duplicate header", folded_names),
    ("composite header", composite_name),
    ("data as header", series_of_names),
    ("header is a record", record_for_names),
    ("misplaced data", misplaced),
    ("header on a later row", names_further_down),
    ("preamble", titles_in_a_cell),
    ("preamble", titles_of_another_width),
    ("two-row header", names_on_two_rows),
    ("padded headers", padded_names),
)
