"""Write the order lines, products and customers of this task: python make_inputs.py [FOLDER]."""

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

LINE_HEADER = ["order", "line", "placed", "bill to", "ship to", "sku", "qty", "price", "status"]
CATEGORIES = {
    "Kitchen": "KI",
    "Garden": "GA",
    "Bath": "BA",
    "Office": "OF",
    "Lighting": "LI",
    "Toys": "TO",
    "Bedding": "BE",
}
THINGS = ["basket", "box", "set", "tray", "mat", "holder", "rack", "bag", "kit", "lamp", "jar", "cover"]
TONES = ["oak", "slate", "linen", "copper", "moss", "sand", "ink", "clay", "pearl", "amber", "fern", "dusk"]
COUNTRIES = {
    "Germany": ["germany", "Deutschland", "DE"],
    "Austria": ["AUSTRIA", "Österreich", "AT"],
    "Netherlands": ["netherlands", "The Netherlands", "NL"],
    "Belgium": ["Belgium ", "Belgie", "BE"],
    "Denmark": ["denmark", "Danmark", "DK"],
}
FIRST = [
    "Anton", "Bela", "Cleo", "Dora", "Emil", "Fenja", "Gus", "Hanna", "Ilja", "Jette", "Kian", "Lotte", "Malo",
    "Nora", "Ole", "Pia", "Ravi", "Silke", "Tomke", "Ulla", "Vito", "Wanda", "Xenia", "Yusuf",
]  # fmt: skip
LAST = [
    "Acker", "Bruin", "Claes", "Dahl", "Eker", "Fink", "Graf", "Huys", "Imhof", "Juhl", "Kolk", "Lund", "Maas",
    "Nagel", "Otten", "Pruis", "Ritter", "Skov", "Thys", "Unger", "Vang", "Weber", "Ysel", "Zander",
]  # fmt: skip
CUSTOMERS = 620
RAISED = date(2024, 8, 1)  # the catalogue has the prices since then
ORDERS = 6_300


def products(rng: random.Random) -> list[dict]:
    """The catalogue; prices are multiples of 20 cents."""
    found = []
    for category, prefix in CATEGORIES.items():
        for i in range(24):
            name, clearance = f"{rng.choice(TONES)} {rng.choice(THINGS)}", rng.random() < 0.3
            cents = rng.choice([300, 600, 1000, 1200, 1500, 2000, 3000, 6000, rng.randrange(15, 400) * 20])
            sku = f"{prefix}-{1010 + 7 * i}"
            found.append({"sku": sku, "name": name, "category": category, "clearance": clearance, "cents": cents})
    rng.shuffle(found)
    return found


def customers(rng: random.Random) -> list[dict]:
    """Customers by number, their country in whatever spelling the form allowed."""
    found = []
    for i in range(CUSTOMERS):
        country = rng.choices(list(COUNTRIES), [40, 18, 18, 14, 10])[0]
        written = rng.choice(COUNTRIES[country]) if i > 12 and rng.random() < 0.22 else country
        found.append({"id": f"C{1001 + i}", "name": f"{rng.choice(FIRST)} {rng.choice(LAST)}", "country": written})
    return found


def sku_text(sku: str, rng: random.Random, late: bool) -> str:
    """A stock number as the shop (AB-1010) or the marketplace (ab1010, AB 1010) sends it."""
    if not late or rng.random() < 0.85:
        return sku
    return rng.choice([sku.lower(), sku.replace("-", ""), sku.replace("-", " "), sku.lower().replace("-", "")])


def makes_sixty(product: dict) -> bool:
    """Whether a few pieces cost 60 euros to the cent."""
    return product["cents"] >= 1000 and 6000 % product["cents"] == 0


def order(number: int, day: date, stock: list[dict], people: list[dict], rng: random.Random) -> list[list[str]]:
    """The lines of one order, the shop's or the marketplace's."""
    late = number > 12
    market = late and rng.random() < 0.25
    payer = rng.choice(people)["id"]
    receiver = rng.choice(people)["id"] if rng.random() < 0.35 else payer
    status = rng.choices(["paid", "cancelled", "failed"], [91, 6, 3])[0]
    if late and status == "paid" and rng.random() < 0.06:
        status = rng.choice(["Paid", "PAID", "paid "])
    placed = day.strftime("%d.%m.%y") if market else day.isoformat()
    chosen = rng.sample(stock, rng.choices([1, 2, 3, 4, 5, 6], [26, 24, 22, 14, 9, 5])[0])
    if rng.random() < 0.09:
        chosen = [p for p in rng.sample(stock, 40) if not p["clearance"] and makes_sixty(p)][:1] or chosen
    lines = []
    for i, product in enumerate(chosen, 1):
        if len(chosen) == 1 and makes_sixty(product):
            qty = 6000 // product["cents"]
        else:
            qty = rng.choices([1, 2, 3, 4, 6, 10, 12, 20], [46, 24, 10, 6, 4, 5, 3, 2])[0]
        exact = len(chosen) == 1 and qty * product["cents"] == 6000
        old = day < RAISED and not exact
        euros = f"{round(product['cents'] * 0.88 / 20) * 20 / 100 if old else product['cents'] / 100:.2f}"
        price = euros.replace(".", ",") if market else euros
        quantity = str(qty)
        if late and qty == 1 and rng.random() < 0.1:
            quantity = rng.choice(["", "", "n/a", "-"])
        if late and rng.random() < 0.03:
            price = rng.choice(["", "NULL", "n/a", "0,00" if market else "0.00"])
        sku = (
            f"ZZ-{rng.randrange(9001, 9020)}" if late and rng.random() < 0.02 else sku_text(product["sku"], rng, market)
        )
        if sku.startswith("ZZ"):
            price = euros
        lines.append([str(number + 70_000), str(i), placed, payer, receiver, sku, quantity, price, status])
    return lines


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "inputs"
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(5150)
    stock, people = products(rng), customers(rng)
    days = sorted(date(2024, 1, 1) + timedelta(days=rng.randrange(366)) for _ in range(ORDERS))
    rows: list[list[str]] = []
    for number, day in enumerate(days, 1):
        lines = order(number, day, stock, people, rng)
        rows += lines
        if number > 40 and rng.random() < 0.03:
            rows += lines
    catalogue = [
        [p["sku"], p["name"], p["category"], "yes" if p["clearance"] else "no", f"{p['cents'] / 100:.2f}"]
        for p in stock
    ]
    files = {
        "input_01.csv": [LINE_HEADER, *rows],
        "input_02.csv": [["sku", "name", "category", "clearance", "list price"], *catalogue],
        "input_03.csv": [["customer", "name", "country"], *([p["id"], p["name"], p["country"]] for p in people)],
    }
    for name, content in files.items():
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(content)


if __name__ == "__main__":
    main()
