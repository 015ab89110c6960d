"""Make the raw tables of this task; the same bytes at every run."""

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

WAREHOUSES = {"Hull": ["HULL", "hull", "Hull "], "Leeds": ["LEEDS", "leeds"], "Gent": ["Ghent", "GENT", "Ghent"]}
KINDS = {
    "issue": ["Issue", "ISSUE", "issued"],
    "receipt": ["Receipt", "reciept", "RECEIPT"],
    "return": ["Return", "returned"],
    "transfer in": ["Transfer in", "transfer-in"],
    "transfer out": ["Transfer out", "transfer-out"],
}
INWARD = {"receipt", "return", "transfer in"}
WORDS = {
    "AB": ["hose clip", "ball valve", "pipe elbow", "hose tail"],
    "KT": ["cable gland", "junction box", "fuse holder", "cable tie"],
    "MX": ["hex bolt", "lock nut", "spring washer", "anchor rod"],
}
COUNTERS = ["team 1", "team 2", "team 3", "night shift"]


def items(rng):
    """The item master. Old and new codes are the same set, given to the items in another order."""
    out = []
    for prefix, words in WORDS.items():
        new = sorted(f"{prefix}-{n:04d}" for n in rng.sample(range(100, 900), 20))
        old = new[:]
        while any(a == b for a, b in zip(old, new, strict=True)):
            rng.shuffle(old)
        for code, former in zip(new, old, strict=True):
            pence = rng.choice([18, 35, 62, 85, 140, 275, 420, 1150, 2480])
            cost = f"£{pence / 100:.2f}" if len(out) < 9 else rng.choice([f"£{pence / 100:.2f}", f"{pence / 100:.2f}"])
            if pence < 100 and len(out) > 8:
                cost = f"{pence}p"
            blocked = "yes" if rng.random() < 0.15 else ""
            size = rng.choice(["8 mm", "12 mm", "20 mm", "32 mm", "1 in"])
            point = rng.choice([20, 40, 60, 100])
            out.append([code, former, f"{rng.choice(words)} {size}", cost, point, blocked])
    return out


def movements_of(rng, counted):
    """Day, kind and pieces of one item in one warehouse, September and October 2024."""
    out = []
    for _ in range(rng.choice([0, 0, 2, 4, 8, 14, 20])):  # issues of October; none for the dormant
        day = date(2024, 10, rng.randint(1, 31))
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            out.append((day, "issue", rng.choice([2, 4, 5, 6, 10, 12, 15, 20])))
    if out and rng.random() < 0.6:
        out.append((counted, "issue", rng.choice([10, 24, 36])))
    for _ in range(rng.choice([0, 1, 2, 4])):
        out.append((date(2024, 9, rng.randint(2, 30)), "issue", rng.choice([5, 10, 20])))
    for kind, most in (("receipt", 2), ("return", 1), ("transfer in", 1), ("transfer out", 1)):
        for _ in range(rng.randint(0, most)):
            day = counted if rng.random() < 0.2 else date(2024, 9, 15) + timedelta(days=rng.randint(0, 46))
            pieces = rng.choice([1000, 1200, 1440]) if rng.random() < 0.12 else rng.choice([12, 24, 48, 96, 150])
            out.append((day, kind, pieces if kind != "return" else rng.choice([1, 2, 4])))
    return out


def sloppy(rng, code, line):
    if line < 14 or rng.random() < 0.7:
        return code
    return rng.choice([code.lower(), code.replace("-", ""), code.replace("-", " "), f"{code.lower()} "])


def pieces_text(rng, pieces, line):
    if line > 12 and pieces % 24 == 0 and pieces and rng.random() < 0.6:
        return f"{pieces // 24} x 24"
    return f"{pieces:,}" if line > 12 and rng.random() < 0.8 else str(pieces)


def stock(rng, master):
    """The count sheets and the journal of movements that follow from a stock level chosen for each line."""
    counts, journal = [], []
    for code, former, _, _, point, _ in master:
        for warehouse in WAREHOUSES:
            if rng.random() < 0.2:
                continue
            counted = date(2024, 10, rng.randint(1, 8))
            moves = movements_of(rng, counted)
            journal.extend((day, code, warehouse, kind, pieces) for day, kind, pieces in moves)
            net = sum(p if k in INWARD else -p for d, k, p in moves if d > counted)
            wanted = rng.choice([0, point // 2, point, point, point + 24, 3 * point, 6 * point, 12 * point])
            pieces = max(wanted - net, rng.choice([0, 24, 48]))
            if rng.random() < 0.18:  # a first count, put right by the one above
                wrong = max(0, pieces + rng.choice([-60, -24, 24, 96, 240]))
                counts.append((counted - timedelta(days=rng.randint(1, 4)), former, warehouse, wrong))
            if rng.random() < 0.08:  # a team that came later and did not count
                counts.append((counted + timedelta(days=2), former, warehouse, None))
            counts.append((counted, former, warehouse, pieces))
    return counts, sorted(journal, key=lambda m: (m[0], m[1], m[2], m[3], m[4]))


def count_rows(rng, counts):
    """The sheets: by warehouse, and in the order of the racks, not of the days."""
    out, line, page = [], 0, 0
    rng.shuffle(counts)
    for warehouse in WAREHOUSES:
        for day, former, _, pieces in (c for c in counts if c[2] == warehouse):
            page += pieces or 0
            shown = pieces_text(rng, pieces, line) if pieces is not None else rng.choice(["n/c", "-", ""])
            out.append([day.isoformat(), sloppy(rng, former, line), warehouse, shown, rng.choice(COUNTERS)])
            line += 1
            if line % 25 == 0:
                out.append(["page total", "", "", f"{page:,}", ""])
                page = 0
                if line % 50 == 0:
                    out.append([""] * 5)
    return out


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(2024103)
    master = items(rng)
    counts, journal = stock(rng, master)
    moved = [
        [
            day.isoformat(),
            code,
            warehouse if line < 30 or rng.random() < 0.85 else rng.choice(WAREHOUSES[warehouse]),
            kind if line < 30 or rng.random() < 0.8 else rng.choice(KINDS[kind]),
            f"{pieces:,}",
        ]
        for line, (day, code, warehouse, kind, pieces) in enumerate(journal)
    ]
    tables = {
        "input_01.csv": (["counted on", "item", "", "pieces", "counted by"], count_rows(rng, counts)),
        "input_02.csv": (["date", "item", "warehouse", "movement", "pieces"], moved),
        "input_03.csv": (["code", "old code", "description", "unit cost", "reorder at", "blocked"], master),
    }
    for name, (header, rows) in tables.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)


if __name__ == "__main__":
    main()
