"""Write the logger readings, stations and service log of this task: python make_inputs.py [FOLDER]."""

import csv
import random
import sys
from datetime import date, timedelta
from math import pi, sin
from pathlib import Path

HEADER = ["Station", "Time", "PM10", "Battery"]
UNITS = ["", "", "µg/m³", "V"]
STATIONS = [
    ("AQ01", "Mill Road", "Centre", "traffic", 41, ["Mill Rd", "MILL ROAD", "Mill road"]),
    ("AQ02", "Harbour", "Port", "industry", 36, ["Harbor", "HARBOUR", "Harbour "]),
    ("AQ03", "North Park", "Outskirts", "background", 7, ["Northpark", "north park", "Nth Park"]),
    ("AQ04", "Station Square", "Centre", "traffic", 32, ["Station Sq.", "Station square", "STATION SQUARE"]),
    ("AQ05", "Old Quarry", "Outskirts", "industry", 28, ["Old Quary", "old quarry", "Old Quarry "]),
]
SERVICE = [
    ("AQ01", "2024-02-19", "2024-02-21", "pump replaced"),
    ("AQ02", "2024-03-11", "2024-03-12", "inlet cleaned"),
    ("AQ04", "2024-02-06", "2024-02-06", "calibration"),
    ("AQ05", "2024-03-25", "2024-03-28", "power cut on site"),
    ("AQ02", "2024-04-17", "2024-04-17", "calibration"),
    ("AQ04", "2024-04-26", "open", "waiting for a spare part"),
]
FIRST_DAY, LAST_DAY = date(2024, 2, 1), date(2024, 4, 30)
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May"]


def stamp(code: str, day: date, hour: int) -> str:
    """The end of an hour (1 to 24) as this station's logger prints it."""
    if code in ("AQ02", "AQ03"):
        return f"{day:%d/%m/%Y} {hour:02d}:00" if code == "AQ02" else f"{day:%Y%m%d} {hour:02d}00"
    if hour == 24:
        day, hour = day + timedelta(days=1), 0
    if code == "AQ04":
        return f"{day.day} {MONTHS[day.month - 1]} {day.year} {hour:02d}:00"
    return f"{day.isoformat()}{'T' if code == 'AQ05' else ' '}{hour:02d}:00"


def value_text(value: float, code: str) -> str:
    """A concentration; below 2 the loggers only say so, and one of them has a decimal comma."""
    if value < 2:
        return "<2"
    return f"{value:.1f}".replace(".", ",") if code == "AQ04" else f"{value:.1f}"


def gaps(rng: random.Random, late: bool) -> set[int]:
    """The hours of a day for which there is no reading: none, single ones, a shift of six, or most of the day."""
    chance = rng.random() if late else 0
    if chance < 0.62:
        return set()
    if chance < 0.82:
        hours = {rng.randint(3, 10), rng.randint(14, 21)}
        return hours | ({max(hours) + 1} if rng.random() < 0.3 else set())
    if chance < 0.92:
        start = rng.randint(4, 15)
        return set(range(start, start + 6))
    start = rng.randint(8, 11)
    return set(range(1, 25)) - set(range(start, start + rng.randint(8, 13)))


def out_of_service(code: str, day: date) -> bool:
    return any(c == code and f <= day.isoformat() <= ("9" if t == "open" else t) for c, f, t, _ in SERVICE)


def block(station: tuple, day: date, weather: float, rng: random.Random) -> list[list[str]]:
    """One logger's day; only the first record names the station."""
    code, name, _, kind, level, spellings = station
    late = (day - FIRST_DAY).days > 1
    missing = gaps(rng, late)
    burst = 2.1 if len(missing) > 10 else 1.0
    silent = rng.random() < 0.5
    rows, again = [], []
    for hour in range(1, 25):
        if hour in missing and silent:
            continue
        rush = 1 + 0.35 * sin((hour - 5) * pi / 6) * (kind == "traffic")
        value = level * weather * rush * burst * rng.uniform(0.75, 1.3)
        if kind == "background":
            value *= rng.choice([0.2, 1, 1, 1.2])
        if out_of_service(code, day):
            value = rng.uniform(90, 240)
        cell = value_text(value, code)
        if hour in missing:
            cell = rng.choice(["", "-999", "---", "err", "n/a"])
        elif late and rng.random() < 0.02:
            again.append(["", stamp(code, day, hour), cell, f"{rng.uniform(12.1, 12.9):.1f}"])
            cell = value_text(value * rng.choice([1.9, 3.2, 4.5]), code)
        rows.append(["", stamp(code, day, hour), cell, f"{rng.uniform(12.1, 12.9):.1f}"])
    rows += again
    rows[0][0] = rng.choice(spellings) if late and rng.random() < 0.3 else name
    return rows


def readings(rng: random.Random) -> list[list[str]]:
    """All blocks by day, then station; a new month starts with a new header and units."""
    rows = [HEADER, UNITS]
    weather, day = 1.0, FIRST_DAY
    while day <= LAST_DAY:
        if day.day == 1 and day > FIRST_DAY:
            rows += [HEADER, UNITS]
        weather = min(2.0, max(0.6, weather + rng.gauss(0, 0.2) + 0.2 * (1.05 - weather)))
        for station in STATIONS:
            rows += block(station, day, weather, rng)
            if rng.random() < 0.15:
                rows.append([""] * 4)
        day += timedelta(days=1)
    return rows


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    stations = [["code", "station", "zone", "kind"], *([*s[:4]] for s in STATIONS)]
    service = [["station code", "from", "to", "reason"], *SERVICE]
    files = {"input_01.csv": readings(random.Random(1010)), "input_02.csv": stations, "input_03.csv": service}
    for name, rows in files.items():
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
