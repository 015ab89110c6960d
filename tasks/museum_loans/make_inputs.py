"""Make the raw tables of this task; the same bytes at every run."""

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

TODAY = date(2024, 6, 30)
EXHIBITIONS = [
    "Glass of the North", "Weavers' Winter", "The Silver Route", "House and Harbour", "Clay, Ash, Fire",
    "Maps for Nobody", "Sunday Clothes", "A Table for Twelve", "Small Gods", "The Long Shelf", "Paper Cities",
    "Oak and Iron", "Salt Road", "Night Kitchen",
]  # fmt: skip
BORROWERS = {
    "Kunsthalle Rheinufer": ["KUNSTHALLE RHEINUFER", "Kunsthalle  Rheinufer", "Kunsthalle-Rheinufer"],
    "Musée de la Côte": ["Musee de la Cote", "musée de la côte", "Musée de la Cote"],
    "Eastmoor Town Museum": ["Eastmoor town museum", "Eastmoor Town Museum.", "EASTMOOR TOWN MUSEUM"],
    "Museo del Telaio": ["Museo Del Telaio", "museo del telaio "],
    "Galleri Fjordvik": ["galleri fjordvik", "Galleri Fjord-vik"],
    "St Brannoc's House": ["St. Brannoc's House", "St Brannocs House"],
    "Lyseborg Samling": ["LYSEBORG SAMLING", "Lyseborg  Samling"],
}
MATERIALS = ["glass", "ceramic", "textile", "wood", "silver", "paper"]
THINGS = {
    "glass": ["Beaker", "Flask", "Goblet", "Window pane"],
    "ceramic": ["Jug", "Tile", "Bowl", "Stove plate"],
    "textile": ["Shawl", "Sampler", "Altar cloth", "Coat"],
    "wood": ["Chest", "Spoon", "Saint's figure", "Chair"],
    "silver": ["Salt cellar", "Buckle", "Tankard", "Thimble"],
    "paper": ["Harbour plan", "Playing cards", "Broadside", "Account book"],
}
DETAILS = ["with two handles", "with a ship", "signed", "blue", "unfinished", "with initials", "gilt", "child's size"]


def catalogue(rng):
    """The collection, renumbered: within a year the new numbers are the old ones in another order."""
    out = []
    for year in range(1961, 1990, 2):
        old = list(range(1, 19))
        new = old[:]
        while any(a == b for a, b in zip(old, new, strict=True)):
            rng.shuffle(new)
        for former, number in zip(old, new, strict=True):
            material = rng.choice(MATERIALS)
            title = f"{rng.choice(THINGS[material])}, {rng.choice(DETAILS)}"
            written = material if rng.random() < 0.9 else rng.choice([material.title(), f"{material} "])
            out.append([f"{year}.{number:02d}", f"{year}.{former:02d}", title, written])
    return sorted(out)


def date_text(rng, day, line):
    style = "iso" if line < 14 else rng.choice(["iso", "iso", "iso", "dots", "words"])
    if style == "dots":
        return day.strftime("%d.%m.%Y")
    return f"{day.day} {day.strftime('%b')} {day.year}" if style == "words" else day.isoformat()


def money_text(rng, amount, line):
    """Pounds, plain at first; later euros, thousands and millions."""
    if line < 13:
        return f"£{amount:,}"
    style = rng.choice(["plain", "pound", "pound", "euro", "euro", "short"])
    if style == "short" and amount % 1000 == 0:
        return f"£{amount / 1e6:.2f}m" if amount >= 500_000 else f"£{amount // 1000}k"
    return {"plain": str(amount), "euro": f"€{amount:,}"}.get(style, f"£{amount:,}")


def register(rng, numbers):
    line, loan, out = 0, 230, []
    objects = rng.sample(numbers, 170)
    for exhibition in EXHIBITIONS:
        out.append([exhibition] + [""] * 8)
        for _ in range(rng.choice([2, 3, 3])):
            borrower = rng.choice(list(BORROWERS))
            start = TODAY - timedelta(days=rng.randint(150, 700))
            due = start + timedelta(days=rng.choice([120, 180, 270, 365]))
            for place in range(rng.choice([2, 3, 4, 5])):
                loan += rng.randint(1, 3)
                name = borrower if line < 11 or rng.random() < 0.75 else rng.choice(BORROWERS[borrower])
                if place and rng.random() < 0.6:
                    name = rng.choice(["ditto", '"'])
                insured = rng.choice(
                    [400, 1200, 2600, 8000, 14000, 37000, 64000, 88000, 126000, 240000, 410000, 1200000]
                )
                estimate = int(insured * rng.choice([0.4, 0.6, 1.3, 1.8])) // 20 * 20
                shown_due = date_text(rng, due, line)
                if line > 20 and rng.random() < 0.06:
                    shown_due = rng.choice(["open", "", "tbc"])
                back = due + timedelta(days=rng.randint(-20, 25))
                returned = date_text(rng, back, line) if back < TODAY and rng.random() < 0.35 else ""
                if not returned and line > 10:
                    returned = rng.choice(["", "", "-", "n/a", "not yet"])
                insured_text = money_text(rng, insured, line)
                if line > 11 and rng.random() < 0.14:
                    insured_text = rng.choice(["", "TBC", "-"])
                out.append([
                    f"L-{loan:04d}", objects[line], name, date_text(rng, start, line), shown_due, returned,
                    insured_text, money_text(rng, estimate, line), "",
                ])  # fmt: skip
                line += 1
                if line in (27, 71, 104):
                    note = {27: "crates 3 and 4 shared", 71: "see letter of 2 May", 104: "frames stay with us"}[line]
                    out.append([""] * 8 + [note])
    out.append([""] * 8 + ["printed 30 June 2024"])
    return out


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(505)
    collection = catalogue(rng)
    tables = {
        "input_01.csv": (
            ["loan", "number", "borrower", "date", "date", "", "insured for", "estimate", "note"],
            register(rng, [row[1] for row in collection]),
        ),
        "input_02.csv": (["number", "former number", "title", "material"], collection),
    }
    for name, (header, rows) in tables.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)


if __name__ == "__main__":
    main()
