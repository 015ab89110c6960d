"""Make the raw table of this task; the same bytes at every run."""

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

HEADER = ["day", "block", "variety", "bins", "weighed in", "graded out", "remark"]
BLOCKS = {"Elstar": ["A1", "A2", "B4"], "Braeburn": ["B1", "B4"], "Topaz": ["A2", "C1"], "Santana": ["C1", "C3"]}
# first and last picking day of each variety; all of them run past the frost of 4 October
SEASONS = {
    "Elstar": (date(2024, 9, 2), date(2024, 10, 5)),
    "Santana": (date(2024, 9, 5), date(2024, 10, 7)),
    "Topaz": (date(2024, 9, 16), date(2024, 10, 11)),
    "Braeburn": (date(2024, 9, 20), date(2024, 10, 12)),
}
MISSPELT = {
    "Elstar": ["elstar", "Elster", "ELSTAR ", "Elstarr"],
    "Braeburn": ["Breaburn", "braeburn", "Braebum", " Braeburn"],
    "Topaz": ["topaz", "Topas", "Toppaz"],
    "Santana": ["Santanna", "santana", "SANTANA"],
}
REMARKS = ["", "", "", "", "", "long ladders", "second pass", "wet until ten", "tractor borrowed", "bins short"]
FROST = date(2024, 10, 4)


def weight_text(rng, kilos, line):
    """The first page is written plainly; later writers add units and commas, or use tonnes."""
    if line < 14 or rng.random() < 0.55:
        return str(kilos)
    style = rng.choice(["kg", "comma", "tonne"])
    if style == "kg":
        return f"{kilos} kg"
    if style == "comma":
        return f"{kilos:,}"
    return f"{kilos / 1000:.2f} t"


def picks_of(rng, day):
    """Variety, block and bins of a day's picks. On the frost day every block was picked, and much."""
    open_now = [v for v, (first, last) in SEASONS.items() if first <= day <= last]
    places = [(v, b) for v in open_now for b in BLOCKS[v]]
    if day == FROST:
        return [(v, b, rng.randint(7, 12)) for v, b in places]
    chosen = rng.sample(places, min(len(places), rng.choice([2, 3, 3, 4])))
    return [(v, b, rng.choice([1, 1, 2, 2, 3, 5, 8, 11, 14])) for v, b in sorted(chosen)]


def rows():
    rng = random.Random(20240902)
    line, week_kilos, out = 0, 0, []
    day = date(2024, 9, 2)
    while day <= date(2024, 10, 12):
        if day.weekday() == 6:
            out.append(["", "", f"Week {day.isocalendar().week} total", "", f"{week_kilos:,}", "", ""])
            week_kilos = 0
        elif day in (date(2024, 9, 12), date(2024, 9, 26)):
            out.append([day.isoformat(), "", "", "", "", "", "rain, no picking"])
        else:
            for variety, block, bins in picks_of(rng, day):
                # a part-filled bin weighs far less, and small picks are mostly part-filled bins
                per_bin = rng.randint(290, 325) if bins >= 5 else rng.randint(150, 240)
                weighed = bins * per_bin // 10 * 10
                graded = int(weighed * rng.uniform(0.78, 0.94)) // 10 * 10
                week_kilos += weighed
                name = variety if line < 11 or rng.random() < 0.72 else rng.choice(MISSPELT[variety])
                shown = [weight_text(rng, weighed, line), weight_text(rng, graded, line)]
                if line > 9 and rng.random() < 0.09 and day != FROST:
                    shown[1] = rng.choice(["-", "n/a", "", "not weighed"])
                out.append([day.isoformat(), block, name, bins, *shown, rng.choice(REMARKS)])
                line += 1
                if line in (30, 60, 90):  # a new sheet of the diary
                    out.append(HEADER)
        day += timedelta(days=1)
    return out


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "input_01.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(rows())


if __name__ == "__main__":
    main()
