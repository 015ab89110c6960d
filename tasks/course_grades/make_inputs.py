"""Write the mark sheet and the student list of this task: python make_inputs.py [FOLDER]."""

import csv
import random
import sys
from pathlib import Path

SUBJECTS = ["Maths", "Physics", "Chemistry", "History"]
# The second physics test was entered under the first one's name.
HEADER = ["No.", "Maths T1", "Maths T2", "Maths Exam", "Physics T1", "Physics T1", "Physics Exam",
          "Chemistry T1", "Chemistry T2", "Chemistry Exam", "History T1", "History T2", "History Exam"]  # fmt: skip
PROGRAMMES = {
    "Natural Sciences": ["natural sciences", "Natural Science", "Nat. Sciences"],
    "Engineering": ["ENGINEERING", "Enginering", "Engineering "],
    "Humanities": ["humanities", "Humanites"],
}
STATUSES = ["enrolled"] * 12 + ["repeating"] * 3 + ["on leave"] * 2 + ["withdrawn"] * 2
FIRST = [
    "Ada", "Bruno", "Carla", "Dion", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaya", "Luca", "Mira",
    "Nils", "Oona", "Pavel", "Rosa", "Sami", "Tess", "Umut", "Vera", "Wim", "Yara", "Zoe",
]  # fmt: skip
LAST = [
    "Abel", "Brook", "Castel", "Dorn", "Ember", "Falk", "Grove", "Holm", "Ivers", "Jensen", "Kern", "Linden",
    "Marsh", "Nowak", "Orchard", "Pine", "Quill", "Reed", "Stone", "Thorn", "Vale", "Winter",
]  # fmt: skip
STUDENTS = 168


def students(rng: random.Random) -> list[dict]:
    """The list of students; both kinds of number run over the same range."""
    numbers = list(range(2001, 2001 + STUDENTS))
    candidates = numbers.copy()
    rng.shuffle(candidates)
    people = []
    for i, (number, candidate) in enumerate(zip(numbers, candidates, strict=True)):
        programme = rng.choices(list(PROGRAMMES), [5, 4, 3])[0]
        written = rng.choice(PROGRAMMES[programme]) if i > 14 and rng.random() < 0.15 else programme
        people.append({"number": number, "candidate": candidate, "programme": programme, "written": written,
                       "name": f"{rng.choice(FIRST)} {rng.choice(LAST)}", "status": rng.choice(STATUSES),
                       "start": f"{rng.choice([2022, 2023, 2023])}-09-0{rng.randint(1, 4)}"})  # fmt: skip
    return people


def shown(mark: float, rng: random.Random, late: bool) -> str:
    """One mark as one of the teachers would write it."""
    if not late or rng.random() < 0.75:
        return f"{mark:g}"
    style = rng.random()
    if style < 0.4:
        return f"{min(100, mark + rng.choice([0, 0.5])):.1f}".replace(".", ",")
    if style < 0.7:
        return f"{mark:g} %"
    return f"{mark / 2:g}/50"


def marks(person: dict, subject: str, rng: random.Random, late: bool) -> list[str]:
    """The three entries of one student in one subject."""
    level = {"Natural Sciences": 64, "Engineering": 60, "Humanities": 54}[person["programme"]]
    level += {"Maths": -4, "Physics": 0, "Chemistry": -8, "History": 6}[subject]
    if person["status"] in ("on leave", "withdrawn"):
        level -= 16
    if person["programme"] == "Humanities" and subject in ("Physics", "Chemistry") and rng.random() < 0.6:
        return [rng.choice(["", "", "-", "n/a"]) if late else ""] * 3
    if rng.random() < 0.08:
        gap = rng.choice([0, 4, 8, 12])
        return [f"{50 - gap}", f"{50 + gap}", "50"]
    entries = []
    for _ in range(3):
        mark = min(100, max(8, round(rng.gauss(level, 15))))
        chance = rng.random()
        if late and chance < 0.07:
            entries.append(rng.choice(["abs", "abs", "ABS"]))
        elif late and chance < 0.13:
            entries.append(rng.choice(["ex", "-", "n/a", ""]))
        else:
            entries.append(shown(mark, rng, late))
    return entries


def sheet(people: list[dict], rng: random.Random) -> list[list[str]]:
    """The mark sheet by candidate number, printed in pages that end with a line of averages."""
    rows, page = [], 0
    for i, person in enumerate(sorted(people, key=lambda p: p["candidate"])):
        if rng.random() < 0.04:
            continue
        row = [str(person["candidate"])]
        for subject in SUBJECTS:
            row += marks(person, subject, rng, late=i >= 12)
        rows.append(row)
        page += 1
        if page == 36:
            rows.append(["Average", *(f"{rng.uniform(48, 66):.1f}" for _ in HEADER[1:])])
            rows.append(HEADER)
            page = 0
    rows.append(["Average", *(f"{rng.uniform(48, 66):.1f}" for _ in HEADER[1:])])
    return rows


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(41)
    people = students(rng)
    columns = ["student no", "candidate no", "name", "programme", "status", "start"]
    roster = [[p["number"], p["candidate"], p["name"], p["written"], p["status"], p["start"]] for p in people]
    for name, rows in [("input_01.csv", [HEADER, *sheet(people, rng)]), ("input_02.csv", [columns, *roster])]:
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
