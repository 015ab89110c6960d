"""Write the booking list of this task: python make_inputs.py [FOLDER]."""

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

HEADER = ["Ref", "Booked on", "Guest", "Channel", "Room", "Arrival", "Departure", "Status", "Rate"]
CHANNELS = {
    "Booking portal": ["booking portal", "Booking-Portal", "Bookings portal", "Booking portal "],
    "Direct": ["direct", "DIRECT", "Direct ", "Direkt"],
    "Travel agency": ["Travel Agency", "travel agncy", "Travel-agency"],
    "Corporate": ["corporate", "Corporat", "Corp."],
    "Walk-in": ["walk-in", "Walk in", "WALKIN"],
}
ROOMS = {"Single": 84, "Double": 118, "Family": 152, "Suite": 236}
INITIALS = "ABCDEFGHJKLMNPRSTVWZ"
LAST = [
    "Amsel", "Birk", "Carver", "Doyle", "Engel", "Fenner", "Garnet", "Hollis", "Irving", "Juniper", "Kessel",
    "Larch", "Moss", "Norden", "Oakes", "Perrin", "Quist", "Rowan", "Sandor", "Tiller", "Ulmer", "Voss",
    "Wexler", "Yarrow",
]  # fmt: skip
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"]
BOOKINGS = 1_350


def day_text(day: date, desk: int) -> str:
    """A date as the front desk system (0), the old system (1) or the night clerk (2) writes it."""
    if desk == 0:
        return day.isoformat()
    if desk == 1:
        return day.strftime("%d.%m.%Y")
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def rate_text(euros: float, rng: random.Random, late: bool) -> str:
    """A nightly rate in euros; the old system writes the sign, the agency a decimal comma."""
    style = rng.random() if late else 0
    if style < 0.55:
        return f"{euros:.2f}"
    if style < 0.8:
        return f"€ {euros:.2f}"
    return f"{euros:.2f} EUR".replace(".", ",")


def stay(channel: str, rng: random.Random) -> int:
    """Nights: mostly short, whole weeks quite often."""
    if channel in ("Corporate", "Walk-in"):
        return rng.choice([1, 1, 1, 2, 2, 3, 4, 7])
    return rng.choice([1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7, 7, 8, 10, 14])


def booking(number: int, rng: random.Random) -> list[str]:
    """One record; the first ones are clean, as those of the first days always are."""
    late = number > 14
    channel = rng.choices(list(CHANNELS), [40, 27, 14, 13, 6])[0]
    nights = stay(channel, rng)
    year_day = rng.randrange(366) if rng.random() < 0.55 else rng.randrange(140, 275)
    arrival = date(2024, 1, 1) + timedelta(days=year_day)
    booked = arrival if channel == "Walk-in" else arrival - timedelta(days=rng.randrange(2, 120))
    room = rng.choices(list(ROOMS), [22, 50, 18, 10])[0]
    season = 1.18 if arrival.month in (6, 7, 8, 9) else 0.94
    rate = round(ROOMS[room] * season * (0.84 if nights >= 7 else 1.06) * rng.uniform(0.92, 1.1) * 2) / 2
    status = rng.choices(["Checked out", "Cancelled", "No-show", "In house"], [78, 13, 8, 1])[0]
    if arrival + timedelta(days=nights) > date(2024, 12, 31):
        status = "In house"
    rate_cell = rate_text(rate, rng, late)
    if late and rng.random() < 0.05:
        rate_cell = rng.choice(["", "n/a", "TBC", "-", "--"])
    desk = rng.choices([0, 1, 2], [55, 30, 15])[0] if late else 0
    name = rng.choice(CHANNELS[channel]) if late and rng.random() < 0.2 else channel
    if late and rng.random() < 0.03:
        status = status.upper()
    return [f"B{24_000 + number}", day_text(booked, desk), f"{rng.choice(INITIALS)}. {rng.choice(LAST)}", name, room,
            day_text(arrival, desk), day_text(arrival + timedelta(days=nights), desk), status, rate_cell]  # fmt: skip


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(79)
    with (folder / "input_01.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *(booking(i, rng) for i in range(1, BOOKINGS + 1))])


if __name__ == "__main__":
    main()
