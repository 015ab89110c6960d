"""Make the raw table of this task; the same bytes at every run."""

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

HEADER = ["appt", "patient", "clinic", "referred", "appointment", "outcome", "cancelled on"]
CLINICS = {
    "Physiotherapy": ["physiotherapy", "Physiotherpy", "PHYSIOTHERAPY", "Physio-therapy"],
    "Dermatology": ["Dermatolgy", "dermatology", "Dermatology "],
    "Cardiology": ["cardiology", "Cardiolgy", "CARDIOLOGY"],
    "Eye Clinic": ["eye clinic", "Eye clinic", "Eye-Clinic"],
    "Podiatry": ["podiatry", "Podiatary", " Podiatry"],
}
OUTCOMES = {
    "attended": ["attended"] * 6 + ["Attended", "ATTENDED"],
    "dna": ["DNA"] * 5 + ["did not attend", "dna", "Did not attend"],
    "cancelled": ["cancelled"] * 5 + ["Cancelled", "canceled"],
    "": ["", "", "-", "n/a", "unknown"],
}


def appointments(rng):
    """One tuple an appointment: number, patient, clinic, referral, appointment, outcome, day of cancelling."""
    number = 40210
    for _ in range(870):
        number += rng.randint(1, 4)
        clinic = rng.choice(list(CLINICS))
        day = date(2024, 1, 2) + timedelta(days=rng.randint(0, 179))
        while day.weekday() > 4:
            day += timedelta(days=1)
        if day > date(2024, 6, 28):
            day = date(2024, 6, 27)
        wait = rng.choice([3, 5, 7, 9, 11, 13, 14, 14, 14, 15, 16, 19, 21, 26, 33])
        outcome = rng.choices(list(OUTCOMES), weights=[62, 13, 17, 8])[0]
        notice = rng.choice([0, 0, 1, 1, 2, 3, 5, 8]) if outcome == "cancelled" else None
        cancelled = day - timedelta(days=min(notice, wait)) if notice is not None else None
        patient = f"P{rng.randint(1, 520):04d}"
        yield number, patient, clinic, day - timedelta(days=wait), day, outcome, cancelled


def date_text(day, style):
    if day is None:
        return ""
    if style == "slash":
        return day.strftime("%d/%m/%Y")
    return f"{day.day} {day.strftime('%b')} {day.year}" if style == "words" else day.isoformat()


def row(rng, record, site, line):
    """The north site's system writes ISO dates, the south site's day first; a few are typed by hand."""
    number, patient, clinic, referred, day, outcome, cancelled = record
    style = "slash" if site == "south" else "iso"
    if line > 40 and rng.random() < 0.05:
        style = "words"
    tidy = line < 15 or rng.random() < 0.85
    name = clinic if tidy else rng.choice(CLINICS[clinic])
    word = OUTCOMES[outcome][0] if line < 15 and outcome else rng.choice(OUTCOMES[outcome])
    dates = [date_text(d, style) for d in (referred, day, cancelled)]
    return [number, patient, name, dates[0], dates[1], word, dates[2]]


def rows():
    rng = random.Random(40210)
    records = sorted(appointments(rng), key=lambda r: (r[4], r[0]))
    north = [r for r in records if r[0] % 5 < 3]
    south = [r for r in records if r[0] % 5 >= 3]
    # patients who moved between the sites: in both exports, with the same content
    both = rng.sample([r for r in north if r[5] != ""], 74)
    south = sorted(south + both, key=lambda r: (r[4], r[0]))
    out = [row(rng, record, "north", line) for line, record in enumerate(north)]
    out.append(HEADER)
    out.extend(row(rng, record, "south", line + 100) for line, record in enumerate(south))
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
