"""Write the grants ledger of this task: python make_inputs.py [FOLDER]."""

import csv
import random
import sys
from pathlib import Path

HEADER = ["Grant no.", "Purpose", "", "Adopted", "Revised", "Spent to date"]
DEPARTMENTS = [
    ("PR", "Parks & Recreation", 12, 0.7436),
    ("LB", "Public Libraries", 10, 0.9682),
    ("YS", "Youth Services", 13, 0.8117),
    ("HS", "Housing Support", 9, 0.6594),
    ("RS", "Road Safety", 11, 0.90),
    ("CE", "Culture & Events", 12, 0.9278),
    ("PH", "Public Health", 10, 0.8531),
    ("WF", "Waterfront", 8, 0.5763),
]
PURPOSES = [
    "Summer programme", "Volunteer training", "Equipment renewal", "Neighbourhood fund", "Access ramps",
    "Evening opening", "Outreach van", "School visits", "Signage", "Survey and design", "Small grants round",
    "Energy savings", "Community days", "Website and leaflets", "Weekend staff", "Translation service",
]  # fmt: skip
FUNDERS = ["City", "City", "City", "State", "Federal", "Foundation"]
CITY_LATER = ["City", "City", "CITY", "City ", "city", "City"]
NOTES = {
    "YS": "Note: two lines above are under audit, figures may still move",
    "CE": "* Community days: ticket income is booked elsewhere",
}


def money(cents: int, rng: random.Random, late: bool) -> str:
    """An amount as the ledger prints it; credits in one of two accountants' styles."""
    text = f"{abs(cents) / 100:,.2f}"
    if cents < 0:
        return f"({text})" if rng.random() < 0.6 else f"{text}-"
    return f"USD {text}" if late and rng.random() < 0.2 else text


def lines(code: str, count: int, use: float, late: bool, rng: random.Random) -> list[dict]:
    """The grant lines of one department, in cents; own money spends `use` of its budget exactly."""
    found = []
    for i in range(count):
        adopted = rng.randrange(40, 900) * 10_000
        revised = (
            None if rng.random() < 0.4 else round(adopted * rng.choice([0.6, 0.75, 1.2, 1.35, 1.5]) / 10_000) * 10_000
        )
        share = rng.uniform(0.15, 1.1)
        number = f"{code}-{101 + i}" + ("/2" if i in (5, 8) else "")
        funder = "City" if i in (0, 2, count - 1) else rng.choice(FUNDERS)
        found.append({"no": number, "funder": funder, "adopted": adopted, "revised": revised,
                      "spent": round((revised or adopted) * share / 1_000) * 1_000})  # fmt: skip
    own = [row for row in found if row["funder"] == "City"]
    for row in rng.sample(own[1:-1], min(2, len(own) - 2)):
        row["spent"] = -rng.randrange(100, 900) * 1_000 if rng.random() < 0.7 else 0
    budget = sum(row["revised"] or row["adopted"] for row in own)
    aim = round(budget * use) - sum(row["spent"] for row in own if row["spent"] < 0)
    spending = [row for row in own if row["spent"] > 0]
    scale = aim / sum(row["spent"] for row in spending)
    for row in spending:
        row["spent"] = round(row["spent"] * scale / 100) * 100
    spending[-1]["spent"] += aim - sum(row["spent"] for row in spending)
    if late:
        for row in own:
            row["funder"] = rng.choice(CITY_LATER)
    return found


def ledger(rng: random.Random) -> list[list[str]]:
    """All records in print order: headings, lines, subtotals, page breaks and notes."""
    rows, on_page, totals = [], 0, [0, 0, 0]
    for place, (code, name, count, use) in enumerate(DEPARTMENTS):
        late = place > 0
        rows.append([name, "", "", "", "", ""])
        sums = [0, 0, 0]
        purposes = rng.sample(PURPOSES, count)
        for i, row in enumerate(lines(code, count, use, late, rng)):
            if on_page == 27:
                rows += [["", "", "", "", "", ""], HEADER, [f"{name} (continued)", "", "", "", "", ""]]
                on_page = 0
            nothing = rng.choice(["-", "n/c", "", "n/c"]) if late else ""
            revised = nothing if row["revised"] is None else money(row["revised"], rng, late)
            spent = money(row["spent"], rng, late) if row["spent"] else "-"
            rows.append([row["no"], purposes[i], row["funder"], money(row["adopted"], rng, late), revised, spent])
            for k, value in enumerate([row["adopted"], row["revised"] or row["adopted"], row["spent"]]):
                sums[k] += value
            on_page += 1
            if i == 6 and code in NOTES:
                rows.append([NOTES[code], "", "", "", "", ""])
        rows.append(["", f"Subtotal {name}", "", *(f"{value / 100:,.2f}" for value in sums)])
        rows.append(["", "", "", "", "", ""])
        totals = [a + b for a, b in zip(totals, sums, strict=True)]
    rows.append(["", "TOTAL ALL DEPARTMENTS", "", *(f"{value / 100:,.2f}" for value in totals)])
    rows.append(["* Revised = council decision of 18 June; n/c = no change", "", "", "", "", ""])
    return rows


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "input_01.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *ledger(random.Random(2107))])


if __name__ == "__main__":
    main()
