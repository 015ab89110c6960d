"""The kinds of findings about cells of one column."""

from tests.profile.irregular import CITIES, WORDS, Irregularity

REGULAR = {
    "number": lambda n: f"{n + 1}",
    "inspected by": lambda n: ["Ines", "Tomas", "Wendy"][n % 3],
    "opened on": lambda n: f"2024-0{n % 9 + 1}-11",
    "open": lambda n: ["true", "false"][n % 2],
}

FORMATS = {
    "dates": Irregularity(
        "mixed date formats",
        lambda n: f"2024-{n % 12 + 1:02}-{n % 28 + 1:02}",
        lambda n: f"{n % 15 + 13}.{n % 12 + 1}.2024",
    ),
    "moments": Irregularity(
        "mixed date formats",
        lambda n: f"2024-03-{n % 28 + 1:02} 10:00",
        lambda n: f"{n % 12 + 1}/{n % 15 + 13}/2024 9:30",
    ),
    "ambiguous": Irregularity("ambiguous day and month", None, lambda n: f"{n % 12 + 1}/{n % 7 + 1}/2024"),
    "never": Irregularity("impossible dates", lambda n: f"2024-01-{n % 28 + 1:02}", lambda n: f"2023-02-{n % 3 + 29}"),
    "never, in words": Irregularity(
        "impossible dates", lambda n: f"{n % 28 + 1} March 2024", lambda n: f"31 {['June', 'Sept.'][n % 2]} 2024"
    ),
    "never, mixed": Irregularity(
        "mixed date formats", lambda n: f"2024-01-{n % 28 + 1:02}", lambda n: f"{n % 2 + 30}.2.2024"
    ),
    "created at": Irregularity("unix times", None, lambda n: f"{1_700_000_000 + n * 3607}"),
    "in words": Irregularity("date text", None, lambda n: f"{n % 28 + 1}th March 20{n % 20 + 10}"),
    "underscored": Irregularity("date text", None, lambda n: f"{n % 28 + 1}th_July_2021"),
    "months": Irregularity("date text", None, lambda n: f"Mar {2000 + n % 20}"),
    "offset": Irregularity("offset timestamps", None, lambda n: f"2024-03-{n % 28 + 1:02}T10:00:00+01:00"),
    "times": Irregularity("mixed time formats", lambda n: f"{n % 24:02}:30", lambda n: f"{n % 12 + 1}:15 pm"),
    "half day": Irregularity("time text", None, lambda n: f"{n % 12 + 1}:{n % 60:02}p"),
    "scores": Irregularity(
        "corrupted dates", lambda n: f"{n % 40}-{n % 30}", lambda n: f"2019-01-{n % 28 + 1:02} 00:00:00"
    ),
    "serials": Irregularity("dates and numbers", lambda n: f"{n + 40}", lambda n: f"2024-01-{n % 28 + 1:02}"),
    "decimals": Irregularity("mixed decimal signs", lambda n: f"{n}.{n % 9}", lambda n: f"{n},2{n % 9}"),
    "thousandths": Irregularity(
        "mixed decimal signs", lambda n: f"{n}.{n % 900 + 100}", lambda n: f"0,{n % 900 + 100}"
    ),
    "weights": Irregularity("mixed units", lambda n: f"{n} kg", lambda n: f"{n}.5 t"),
    "money": Irregularity("mixed units", lambda n: f"${n}.50", lambda n: f"€{n}"),
    "rates": Irregularity("mixed units", lambda n: f"{n % 90}%", lambda n: f"0.{n % 90:02}"),
    "degrees": Irregularity("dressed numbers", lambda n: f"{n}.{n % 10}", lambda n: f"{n}.4C"),
    "lengths": Irregularity("time text", None, lambda n: [f"{n % 9 + 1}h {n % 50}m", f"{n % 9 + 1}h 5m 3s"][n % 2]),
    "truth": Irregularity("mixed booleans", lambda n: ["Yes", "no"][n % 2], lambda n: ["TRUE", "false"][n % 2]),
    "below zero": Irregularity("minus signs", lambda n: f"{n - 20}", lambda n: f"−{n + 1}"),
    "sizes": Irregularity("scaled numbers", lambda n: f"{n * 100}", lambda n: f"${n}.2k"),
    "millions": Irregularity("scaled numbers", None, lambda n: [f"${n}.5mm", f"€{n},5 bn", f"${n} lakh"][n % 3]),
    "thousands": Irregularity("dressed numbers", lambda n: f"{n}", lambda n: f"{n + 1},021"),
    "shares": Irregularity("dressed numbers", None, lambda n: f"{n} %"),
    "amounts": Irregularity("dressed numbers", None, lambda n: [f"£{n},100", f"({n}.00)", f"{n}.00-"][n % 3]),
    "ranks": Irregularity("dressed numbers", None, lambda n: f"{n}th"),
    "bounds": Irregularity("marked numbers", lambda n: f"{n}", lambda n: f"<{n}"),
    "notes": Irregularity("marked numbers", lambda n: f"{n}", lambda n: [f"{n}½", f"{n} (4x)", f"{n}*"][n % 3]),
    "hidden": Irregularity("invisible characters", lambda n: WORDS[n % 6], lambda n: f"Mill\u00adRoad\u200b{n % 3}"),
    "footnotes": Irregularity(
        "footnote marks", lambda n: WORDS[n % 6], lambda n: WORDS[n % 6] + ["*", "[2]", "¹"][n % 3]
    ),
    "years": Irregularity("footnote marks", lambda n: f"{1900 + n}", lambda n: f"{1900 + n}3"),
    "remarks": Irregularity("text in a typed column", lambda n: f"{n}", lambda n: f"see page {n}"),
    "padded": Irregularity("padding", None, lambda n: f" {WORDS[n % 6]}  "),
    "codes": Irregularity("unlike masks", lambda n: f"KI-{n + 1000}", lambda n: f"ki{n + 1000}"),
    "sorts": Irregularity("unlike masks", lambda n: f"KI-{n + 1000}", lambda n: f"{n + 10}/B"),
    "lost zeros": Irregularity("leading zeros", lambda n: f"{n * 7 % 500:04}", lambda n: f"{n + 100}"),
    "zeros": Irregularity("leading zeros", lambda n: f"{n + 10}", lambda n: f"0{n % 90 + 10}"),
    "waits": Irregularity("mixed units", lambda n: f"{n + 1} min, gate B{n}", lambda n: f"{n + 1} h, gate C{n}"),
    "places": Irregularity("compound values", None, lambda n: f"{WORDS[n % 6]}, {WORDS[n % 5]}"),
    "lists": Irregularity(
        "lists",
        lambda n: WORDS[n % 6],
        lambda n: "; ".join(WORDS[: n % 3 + 2]),
        0.4,
        0.7,
        times=lambda cell: len(cell.split(";")),
    ),
}
MISSING = {
    "words": Irregularity("null words", lambda n: WORDS[n % 6], lambda n: ["n/a", "unknown", "-"][n % 3]),
    "mixed": Irregularity("null words", lambda n: WORDS[n % 6] if n % 3 else "", lambda n: "N/A"),
    "counts": Irregularity("null words in a typed column", lambda n: f"{n}", lambda n: "n/a"),
    "readings": Irregularity("null words in a typed column", lambda n: f"{n}.5", lambda n: "err"),
    "ends": Irregularity("null words in a typed column", lambda n: f"2024-05-{n % 28 + 1:02}", lambda n: "open"),
    "starts": Irregularity("null words in a typed column", lambda n: f"{n % 24:02}:30", lambda n: "xx"),
    "minus": Irregularity("sentinels", lambda n: f"{n % 50}", lambda n: "-999"),
    "minus one": Irregularity("sentinels", lambda n: f"{n % 50 + 1}", lambda n: "-1"),
    "nines": Irregularity("sentinels", lambda n: f"{n % 50}.5", lambda n: "99999"),
    "born": Irregularity("sentinels", lambda n: f"{n % 40 + 1960}-03-{n % 28 + 1:02}", lambda n: "1900-01-01"),
    "expires": Irregularity("sentinels", lambda n: f"2024-03-{n % 28 + 1:02}", lambda n: "9999-12-31"),
    "nothing": Irregularity("only null words", None, lambda n: "NA"),
    "checked": Irregularity("flag by presence", lambda n: "x", lambda n: "", 0.1, 0.9),
    "comment": Irregularity("empty cells", lambda n: WORDS[n % 6], lambda n: ""),
    "price": Irregularity("empty cells", lambda n: f"{n}.5", lambda n: "", times=lambda cell: 0),
    "spaces": Irregularity("blank cells", lambda n: WORDS[n % 6], lambda n: " " * (n % 3 + 1)),
    "unused": Irregularity("empty column", None, lambda n: ""),
    "above": Irregularity("fill down", lambda n: WORDS[n % 6], lambda n: '"'),
}
SPELLINGS = {
    "spaced": Irregularity("padded values", lambda n: WORDS[n % 6], lambda n: f" {WORDS[n % 6]}"),
    "gaps": Irregularity(
        "inner blanks", lambda n: WORDS[n % 6], lambda n: ["Mill  Road", "North   Park", "Old  Quarry"][n % 3]
    ),
    "folded": Irregularity(
        "same after folding", lambda n: CITIES[n % 5], lambda n: ["LONDON", "Lon-don", "york"][n % 3]
    ),
    "slips": Irregularity("near values", lambda n: CITIES[n % 5], lambda n: ["Manchster", "Birmingahm"][n % 2]),
    "digits": Irregularity("digits for letters", lambda n: CITIES[n % 5], lambda n: ["L1verpool", "Y0rk"][n % 2]),
    "inner slips": Irregularity(
        "near words",
        lambda n: ["York - Mountain", "Leeds - Mountain", "Ripon - Road"][n % 3],
        lambda n: "Ripon - Mountian",
    ),
    "tagged": Irregularity("markup", lambda n: WORDS[n % 6], lambda n: f"<b>{WORDS[n % 6]}</b>"),
}
CELLS = FORMATS | MISSING | SPELLINGS
assert len(CELLS) == len(FORMATS) + len(MISSING) + len(SPELLINGS)
