"""The kinds of findings about a table beside another."""

from random import Random

from tests.profile.irregular import CITIES, Put, text
from tests.profile.irregular_headers import NAMES, trees

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def dates_across(random: Random) -> Put:
    """Days that are ISO in one table and not in the other."""
    days = [(random.randint(1, 12), random.randint(13, 28)) for _ in range(random.randint(20, 40))]
    iso = [f"2024-{month:02}-{day}" for month, day in days]
    form = random.choice(["{0}/{1}/2024", "{1}.{0}.2024", "{1} {2} 2024"])
    put = [form.format(month, day, MONTHS[month - 1]) for month, day in days]
    names, others = ["visit", "day"], [["plot", "day", "height"], *([f"plot {d}", d, "7.5"] for d in iso)]
    rows = [[f"visit {at}", day] for at, day in enumerate(put)]
    mended = [names, *([row[0], day] for row, day in zip(rows, iso, strict=True))]
    return Put({"visits": text([names, *rows]), "plots": text(others)}, "day", len(rows), [2], mended)


def numbers_across(random: Random) -> Put:
    rows = trees(random)
    prices = [f"{random.randint(1000, 9999)}" for _ in rows]
    put = [[row[0], f"£{price[0]},{price[1:]}"] for row, price in zip(rows, prices, strict=True)]
    others = [[*row, price] for row, price in zip(rows, prices, strict=True)]
    files = {"sales": text([["plot", "price"], *put]), "trees": text([[*NAMES, "price"], *others])}
    mended = [["plot", "price"], *([row[0], price] for row, price in zip(rows, prices, strict=True))]
    return Put(files, "price", len(rows), [2], mended)


def ids_across(random: Random) -> Put:
    """Ids in which a word stands before the number, and after it in another table."""
    rows = trees(random)
    ids = random.sample(range(1000, 9999), len(rows))
    put = [[f"{id_}-WEST", row[1]] for row, id_ in zip(rows, ids, strict=True)]
    others = [[f"EAST{id_}", *row] for row, id_ in zip(rows, ids, strict=True)]
    files = {"all": text([["tree id", *NAMES], *others]), "west": text([["tree id", "tree"], *put])}
    mended = [["tree id", "tree"], *([f"{id_}", row[1]] for row, id_ in zip(put, ids, strict=True))]
    return Put(files, "tree id", len(rows), [2], mended, "west")


MEANINGS = {"1": "Planted", "2": "Felled", "3": "Ill", "4": "Lost"}


def _coded(random: Random, meanings: dict[str, str], files: dict[str, str]) -> Put:
    """Codes in one table, in an earlier one the words for them."""
    codes = [*meanings, *random.choices([*meanings], k=random.randint(20, 40))]
    words = [*meanings.values(), *random.choices([*meanings.values()], k=20)]
    plots = [[f"plot {at}", word, "7.5"] for at, word in enumerate(words)]
    visits = [[f"visit {at}", code] for at, code in enumerate(codes)]
    mended = [["visit", "state"], *([visit, meanings[code]] for visit, code in visits)]
    files = {
        "plots": text([["plot", "state", "height"], *plots]),
        **files,
        "visits": text([["visit", "state"], *visits]),
    }
    return Put(files, "state", len(codes), [2], mended, "visits")


def initials(random: Random) -> Put:
    return _coded(random, {word[0]: word for word in MEANINGS.values()}, {})


def listed_words(random: Random) -> Put:
    """Words in one table, codes in the other, and a list of what they mean."""
    table = text([["number", "meaning", "since"], *([*pair, "2019"] for pair in MEANINGS.items())])
    return _coded(random, {word: code for code, word in MEANINGS.items()}, {"meanings": table})


def drifting_names(random: Random) -> Put:
    """Tables of one shape, of which the later has other names."""
    rows, more = trees(random), trees(random)
    drifted = ["Plot", "tree", "COUNT", "height"]
    files = {"park": text([NAMES, *rows]), "wood": text([drifted, *more])}
    return Put(files, None, 2, [1, 1], [NAMES, *rows, *more], shown="wood", all=True)


def drifting_name(random: Random) -> Put:
    """Tables of two shapes with a column in common."""
    rows, visits = trees(random), [[f"plot {at % 9}", f"{at}", "x"] for at in range(20)]
    names = ["PLOT ", "visit", "by"]
    files = {"trees": text([NAMES, *rows]), "visits": text([names, *visits])}
    return Put(files, None, 1, [1], [["plot", *names[1:]], *visits], "visits")


def _misspelt(random: Random, wrong: dict[str, str]) -> Put:
    """Towns as a list of them doesn't spell them."""
    right = [city for city in CITIES if city not in wrong.values()]
    towns = [*random.sample([*wrong, *right], len(CITIES)), *random.choices([*wrong, *right], k=30)]
    rows = [[f"order {at}", town] for at, town in enumerate(towns)]
    shops = [[city, f"{at + 7}.5"] for at, city in enumerate(CITIES)]
    mended = [["order", "city"], *([order, wrong.get(town, town)] for order, town in rows)]
    files = {"orders": text([["order", "city"], *rows]), "shops": text([["city", "rent"], *shops])}
    return Put(files, "city", len(wrong), sorted(towns.index(word) + 2 for word in wrong), mended)


def slips_across(random: Random) -> Put:
    wrong = {"Lodnon": "London", "Liverpol": "Liverpool", "Manchestre": "Manchester"}
    return _misspelt(random, {word: wrong[word] for word in random.sample([*wrong], random.randint(1, 3))})


def case_across(random: Random) -> Put:
    wrong = {"YORK": "York", "liver-pool": "Liverpool", "manchester": "Manchester"}
    return _misspelt(random, {word: wrong[word] for word in random.sample([*wrong], random.randint(1, 3))})


ACROSS = (
    ("formats across tables", dates_across),
    ("formats across tables", numbers_across),
    ("formats across tables", ids_across),
    ("codes against words", initials),
    ("codes against words", listed_words),
    ("header drift", drifting_names),
    ("header drift", drifting_name),
    ("near across tables", slips_across),
    ("same after folding across tables", case_across),
)
