"""Make the raw tables of this task; the same bytes at every run."""

import csv
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path

HEADER = ["meter", "time", "reading", "flag"]
START = datetime(2024, 11, 1)
HOURS = 30 * 24
# site, shape of its day, level in kWh an hour
SITES = {
    "Mill Lane": ("works", 30),
    "Canal Depot": ("works", 18),
    "Town Hall": ("office", 14),
    "North School": ("office", 9),
    "Swimming Bath": ("even", 40),
    "Library": ("office", 6),
    "Water Works": ("even", 55),
    "Fire Station": ("even", 5),
    "Old Brewery": ("works", 11),
}
MISSPELT = {
    "Mill Lane": ["Mil Lane", "Mill lane"],
    "Canal Depot": ["Canal depot", "Canal Depo"],
    "Swimming Bath": ["Swiming Bath"],
    "Water Works": ["Waterworks", "water works"],
    "North School": ["North Shool"],
    "Old Brewery": ["Old Brewry"],
}
SHAPES = {
    "works": [0.25] * 5 + [0.5, 1.1] + [1.7] * 9 + [1.2, 0.8] + [0.4] * 6,
    "office": [0.2] * 6 + [0.7, 1.2] + [1.9] * 9 + [1.1, 0.7] + [0.3] * 5,
    "even": [0.8] * 6 + [1.3] * 4 + [1.0] * 8 + [1.2] * 4 + [0.8] * 2,
}


def meters(rng):
    """Number, gateway, its sites with the hour from which they hold, CT ratio."""
    numbers = sorted(rng.sample(range(101, 990), 28))
    names = list(SITES)
    moves = {3: 14, 9: 9, 14: 18, 20: 12, 25: 20}  # meter → the last day at its first site
    out = []
    for place, number in enumerate(numbers):
        site = names[place % len(names)]
        stays = [(site, 0)]
        if place in moves:
            stays.append((names[(place + 4) % len(names)], moves[place] * 24))
        gateway = 1 if place < 12 else 2 if place < 20 else 3
        ratio = rng.choice([1, 1, 20, 40]) if gateway != 3 else 1
        out.append((number, gateway, stays, ratio))
    return out


def master(rng, fleet):
    rows = []
    for number, gateway, stays, ratio in fleet:
        shown_ratio = ratio if ratio > 1 else rng.choice(["1", "", ""])
        for place, (site, first_hour) in enumerate(stays):
            first = (
                (START + timedelta(hours=first_hour)).date().isoformat() if place else f"20{rng.randint(16, 23)}-04-01"
            )
            last = ""
            if place + 1 < len(stays):
                last = (START + timedelta(hours=stays[place + 1][1] - 1)).date().isoformat()
            name = site
            if len(rows) > 9 and site in MISSPELT and rng.random() < 0.45:
                name = rng.choice(MISSPELT[site])
            rows.append([f"EM-{number:04d}", name, first, last, "Wh" if gateway == 3 else "kWh", shown_ratio])
    return rows


def load(rng, site, hour):
    """The kWh of one hour at a site's meter."""
    shape, level = SITES[site]
    quiet = (START + timedelta(hours=hour)).weekday() > 4 and shape != "even"
    return level * SHAPES[shape][hour % 24] * (0.5 if quiet else 1) * rng.uniform(0.55, 1.45)


def written(number, gateway, hour, reading, flag):
    """A line as the gateway of the meter writes it."""
    time = START + timedelta(hours=hour)
    if gateway == 1:
        shown = reading if isinstance(reading, str) else f"{reading:.3f}"
        return [f"EM-{number:04d}", time.strftime("%Y-%m-%d %H:%M"), shown, flag]
    if gateway == 2:
        shown = reading if isinstance(reading, str) else f"{reading:.3f}".replace(".", ",")
        return [f"em{number:04d}", time.strftime("%d.%m.%Y %H:%M"), shown, flag]
    shown = reading if isinstance(reading, str) else str(round(reading * 1000))
    return [f"EM-{number:04d}", time.strftime("%Y-%m-%dT%H:%M"), shown, flag]


def lines(rng, number, gateway, stays, ratio):
    """The hours of one meter; few early ones are odd, later come gaps, faults, estimates and hours sent again."""
    out = []
    outage = rng.sample(range(3, 29), 2)
    faulty_from = rng.randint(100, 640)
    estimated_from = rng.randint(60, 600)
    for hour in range(HOURS):
        site = [s for s, first in stays if first <= hour][-1]
        reading, flag = round(load(rng, site, hour) / ratio, 3), "A"
        day = hour // 24
        if day == outage[0] and hour % 24 > 6:
            if rng.random() < 0.5:
                continue  # no line at all
            reading = rng.choice(["", "---", "NaN", "n/a"])
        elif day == outage[1] and rng.random() < 0.3:
            reading = rng.choice(["", "---", "n/a"])
        elif faulty_from <= hour < faulty_from + 5:
            reading, flag = rng.choice([(0.0, "F"), (999.999, "F"), (-reading, "A")])
        elif estimated_from <= hour < estimated_from + 30:
            reading, flag = round(reading * 0.6, 3), "E"
        out.append(written(number, gateway, hour, reading, flag))
    for hour in rng.sample(range(48, HOURS), 3):  # sent again at the month's end, with another value
        site = [s for s, first in stays if first <= hour][-1]
        out.append(written(number, gateway, hour, round(load(rng, site, hour) / ratio * 1.5, 3), "A"))
    return out


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(20241101)
    fleet = meters(rng)
    with (folder / "input_02.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["meter", "site", "from", "to", "unit", "CT ratio"])
        writer.writerows(master(rng, fleet))
    with (folder / "input_01.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for gateway in (1, 2, 3):
            writer.writerow(HEADER)
            sent = [line for meter in fleet if meter[1] == gateway for line in lines(rng, *meter)]
            writer.writerows(sent)
            writer.writerow([f"end of export, {len(sent)} lines", "", "", ""])


if __name__ == "__main__":
    main()
