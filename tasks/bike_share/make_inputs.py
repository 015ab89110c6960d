"""Make the raw tables of this task; the same bytes at every run."""

import csv
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path

HEADER = ["trip", "bike", "started", "duration", "from terminal", "from station", "to terminal", "to station", "rider"]
STATIONS = {
    "Harbour": ["Harbour Square", "Fish Market", "Customs House", "Ferry Pier", "Rope Walk", "Lighthouse Road"],
    "Centre": ["Central Station", "Old Mint", "City Theatre", "Corn Exchange", "Law Courts", "Bell Tower"],
    "University": ["Botanic Garden", "Physics Lab", "Student Union", "Main Library", "Observatory Hill"],
    "Riverside": ["Weir Bridge", "Boat Club", "Paper Mill", "Willow Bank", "Tannery Yard"],
    "Northfield": ["Tram Depot", "Northfield Church", "Sports Ground", "Allotment Lane", "Brickworks"],
    "Hillside": ["Vineyard Steps", "Hospital Gate", "Quarry Park", "Upper Cemetery", "Radio Mast"],
    "East End": ["Gasworks", "Goods Yard", "Ship Canal", "Market Hall East"],
}
CHANGE = datetime(2024, 6, 10)  # new software: another notation of times, and terminals changed places
RIDERS = {
    "member": ["Member", "MEMBER", "member ", "subscriber", "Subscriber"],
    "casual": ["Casual", "CASUAL", "casual "],
}
NOTES = {
    700: "maintenance 9 May, 02:00 to 04:00",
    1900: "terminal of Gasworks without power until 19 May",
    3500: "app release 4.2",
}


def stations(rng):
    """Name, district, docks and today's terminal; and the terminals before the change, twelve of them swapped."""
    names = [(name, district) for district, group in STATIONS.items() for name in group]
    terminals = rng.sample(range(110, 990), len(names))
    today = {name: terminal for (name, _), terminal in zip(names, terminals, strict=True)}
    before = dict(today)
    moved = rng.sample([name for name, _ in names], 12)
    for name, other in zip(moved, moved[1:] + moved[:1], strict=True):
        before[name] = today[other]
    rows = [[today[name], name, district, rng.choice([12, 16, 20, 24, 30])] for name, district in names]
    return sorted(rows), before, today


def typo(rng, name):
    style = rng.choice(["case", "case", "pad", "drop", "swap"])
    if style == "case":
        return rng.choice([name.lower(), name.upper()])
    if style == "pad":
        return rng.choice([f"{name} ", f" {name}"])
    place = rng.randint(2, len(name) - 3)
    if style == "drop":
        return name[:place] + name[place + 1 :]
    return name[:place] + name[place + 1] + name[place] + name[place + 2 :]


def duration_text(rng, seconds, line):
    style = "seconds" if line < 20 else rng.choice(["seconds", "seconds", "clock", "words"])
    if style == "clock":
        return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return f"{seconds // 60} min {seconds % 60:02d} s" if style == "words" else str(seconds)


def trips(rng, before, today):
    """The trips of May and June in the order of their start, each as a row of the export."""
    names = list(today)
    pull = {name: rng.choice([1, 2, 3, 5, 8]) for name in names}
    starts = sorted(
        datetime(2024, 5, 1) + timedelta(days=rng.randint(0, 60), minutes=int(rng.triangular(300, 1430, 1000)))
        for _ in range(4600)
    )
    number, out = 700100, []
    for line, start in enumerate(starts):
        number += rng.randint(1, 3)
        kind = "member" if rng.random() < 0.62 else "casual"
        origin, goal = rng.choices(names, weights=[pull[n] for n in names], k=2)
        seconds = int(rng.triangular(200, 1900, 700) if kind == "member" else rng.triangular(300, 4800, 900))
        fate = rng.random()
        if fate < 0.1 and line > 8:  # unlocked, and put back at once
            goal, seconds = origin, rng.choice([14, 22, 35, 48, 57, 66, 71, 83, 95, 104, 112, 118, 131, 150])
        elif fate < 0.17 and line > 12:
            goal = None
        terminal = before if start < CHANGE else today
        bike = f"E-{rng.randint(2001, 2140)}" if rng.random() < 0.35 else f"B-{rng.randint(1001, 1420)}"
        time = start.strftime("%Y-%m-%d %H:%M" if start < CHANGE else "%d/%m/%Y %H:%M")
        ends = [name if line < 15 or rng.random() < 0.93 else typo(rng, name) for name in (origin, goal) if name]
        to = [terminal[goal], ends[1]] if goal else ["", rng.choice(["", "NULL", "-", "unknown"])]
        rider = kind if line < 15 or rng.random() < 0.85 else rng.choice(RIDERS[kind])
        out.append([f"T{number}", bike, time, duration_text(rng, seconds, line), terminal[origin], ends[0], *to, rider])
    return out


def export(rng, rows):
    """The rows with what the export adds: trips sent twice, headings of its parts, notes of the operator."""
    out = []
    for line, row in enumerate(rows):
        if line in (1500, 3000):
            out.append(HEADER)
        if line in NOTES:
            out.append([NOTES[line]] + [""] * 8)
        out.append(row)
        if line > 100 and rng.random() < 0.035:
            out.append(row)
    return out


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(700100)
    table, before, today = stations(rng)
    tables = {
        "input_01.csv": (HEADER, export(rng, trips(rng, before, today))),
        "input_02.csv": (["terminal", "station", "district", "docks"], table),
    }
    for name, (header, rows) in tables.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)


if __name__ == "__main__":
    main()
