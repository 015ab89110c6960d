"""Write the ticket export and the account list of this task: python make_inputs.py [FOLDER]."""

import csv
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path

HEADER = ["Ticket", "Opened", "Account", "Team", "Priority", "Status", "First reply", "Elapsed", "Worked"]
TEAMS = {"Billing": 0.9, "Network": 1.3, "Devices": 1.0, "Accounts": 0.7, "Portal": 1.1, "Field service": 1.7}
PRIORITIES = {
    "Urgent": ["urgent", "URGENT", "Urgnet", "P1", "P1", "Urgent "],
    "Normal": ["normal", "P2", "NORMAL", "Normal "],
    "Low": ["low", "P3", "Low "],
}
MADE_UP = [
    "Alder",
    "Beacon",
    "Cobalt",
    "Delta",
    "Ember",
    "Fjord",
    "Granite",
    "Harbour",
    "Indigo",
    "Juniper",
    "Kestrel",
    "Lumen",
]
TRADES = [
    "Bakery",
    "Logistics",
    "Dental",
    "Media",
    "Foods",
    "Optics",
    "Garden",
    "Motors",
    "Studio",
    "Paper",
    "Tools",
    "Travel",
]
ACCOUNTS = 140
PER_MONTH = 400


def accounts(rng: random.Random) -> list[list]:
    """Customers with their contracts; both numbers run over the same range."""
    customers = list(range(30_001, 30_001 + ACCOUNTS))
    contracts = customers.copy()
    rng.shuffle(contracts)
    names = rng.sample([f"{a} {b}" for a in MADE_UP for b in TRADES], ACCOUNTS)
    return [[c, k, name, rng.choices(["Standard", "Plus", "Trial"], [50, 20, 30])[0],
             f"{rng.randint(2016, 2023)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"]
            for c, k, name in zip(customers, contracts, names, strict=True)]  # fmt: skip


def duration(minutes: int, rng: random.Random, late: bool) -> str:
    """Minutes as the ticket system (1h 20m), an agent (1:20, 80 min, 80) or a report (1.5 h) writes them."""
    hours, rest = divmod(minutes, 60)
    usual = f"{hours}h {rest}m" if hours and rest else f"{hours}h" if hours else f"{rest}m"
    if hours >= 24:
        days, hours = divmod(hours, 24)
        return f"{days}d" + (f" {hours}h" if hours else "") + (f" {rest}m" if rest else "")
    if not late:
        return usual
    style = rng.random()
    if style < 0.12:
        return f"{hours}:{rest:02d}"
    if style < 0.22:
        return f"{minutes} min"
    if style < 0.3:
        return str(minutes)
    if style < 0.4 and minutes % 30 == 0:
        return f"{minutes / 60:g} h"
    return usual


def reply_minutes(urgent: bool, pace: float, rng: random.Random) -> int:
    """First reply; teams often answer just at the limit."""
    chance = rng.random()
    if chance < 0.1:
        return 120
    if chance < 0.2:
        return 480
    if chance < 0.23:
        return 1440
    return max(3, round(rng.lognormvariate(4.2 if urgent else 5.4, 0.9) * pace))


def ticket(number: int, opened: datetime, rng: random.Random, late: bool, european: bool) -> list[str]:
    """One ticket as it stands at its last export."""
    team = rng.choice(list(TEAMS))
    priority = rng.choices(list(PRIORITIES), [30, 50, 20])[0]
    written = rng.choice(PRIORITIES[priority]) if late and rng.random() < 0.3 else priority
    reply = reply_minutes(priority == "Urgent", TEAMS[team], rng)
    worked = max(4, round(rng.lognormvariate(3.9, 0.8) * TEAMS[team] / 5) * 5)
    elapsed = reply + worked + round(rng.lognormvariate(5.6, 1.0))
    status = rng.choices(["Solved", "Closed", "Merged", "Open", "Spam"], [55, 28, 6, 7, 4])[0]
    reply_cell, worked_cell = duration(reply, rng, late), duration(worked, rng, late)
    if late and rng.random() < 0.04:
        reply_cell = rng.choice(["", "-", "none", "n/a"])
    if late and rng.random() < 0.04:
        worked_cell = rng.choice(["", "-", "?", "n/a"])
    stamp = opened.strftime("%d/%m/%Y %H:%M" if european else "%Y-%m-%d %H:%M")
    shown = rng.choice([team.lower(), team.upper(), f"{team} "]) if late and rng.random() < 0.08 else team
    return [f"T-{number}", stamp, str(rng.randint(30_001, 30_000 + ACCOUNTS)), shown, written, status,
            reply_cell, duration(elapsed, rng, late), worked_cell]  # fmt: skip


def export(rng: random.Random) -> list[list[str]]:
    """Six monthly exports pasted below each other; a ticket left open comes again with the next one."""
    rows: list[list[str]] = [HEADER]
    number, carried = 5_000, []
    for month in range(1, 7):
        if month > 1:
            rows.append(HEADER)
        mine, open_now = [], []
        minutes = sorted(rng.randrange(28 * 24 * 60) for _ in range(PER_MONTH))
        for i, minute in enumerate(minutes):
            number += rng.randint(1, 3)
            opened = datetime(2024, month, 1) + timedelta(minutes=minute)
            row = ticket(number, opened, rng, late=month > 1 or i > 15, european=month in (3, 4))
            mine.append(row)
            if i > 300 and row[5] in ("Solved", "Closed") and rng.random() < 0.3:
                early = row.copy()
                early[5] = rng.choice(["Open", "Solved"])
                early[8] = duration(rng.randrange(1, 5) * 5, rng, late=True)
                if rng.random() < 0.5:
                    early[6] = ""
                mine[-1] = early
                open_now.append(row)
        rows += carried + mine
        rows.append([f"Exported 2024-{month + 1:02d}-01: {len(carried) + len(mine)} tickets", *[""] * 8])
        carried = open_now
    rows[-1:-1] = carried
    return rows


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(314)
    people = [["customer no", "contract no", "name", "plan", "since"], *accounts(rng)]
    for name, rows in [("input_01.csv", export(rng)), ("input_02.csv", people)]:
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
