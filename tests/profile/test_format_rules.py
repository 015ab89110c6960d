from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile.irregular import WORDS, Irregularity, check_gone, column, findings, mended, written

IRREGULARITIES = {
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
    "lists": Irregularity("lists", lambda n: WORDS[n % 6], lambda n: "; ".join(WORDS[: n % 3 + 2])),
}


@settings(max_examples=4)
@given(rows=st.integers(60, 130), seed=st.integers(0, 2**32))
def test_each_irregularity_is_counted_exactly_and_mended(con, tmp_path_factory, rows, seed):
    folder, random = tmp_path_factory.mktemp("formats"), Random(seed)
    cells, bad = {}, {}
    for name, irregularity in IRREGULARITIES.items():
        cells[name], bad[name] = column(irregularity, rows, random)
        if irregularity.kind == "lists":
            cells[name] = [irregularity.bad(row) if row % 2 else WORDS[row % 6] for row in range(rows)]
            bad[name] = [row for row in range(rows) if row % 2]
    found = findings(con, written(cells, folder))
    for name, irregularity in IRREGULARITIES.items():
        finding = found[irregularity.kind, name]
        assert (finding.count, finding.total) == (len(bad[name]), rows), name
        assert bad[name][0] + 2 in [example.line for example in finding.examples], name
        assert all(cells[name][example.line - 2] == example.value for example in finding.examples)
        assert bool(finding.mend) == irregularity.mended, name
    wanted = [found[one.kind, name] for name, one in IRREGULARITIES.items() if one.mended]
    check_gone(con, folder, wanted)
    assert {f.column for f in found.values() if f.pattern == "MV"} == set()


def test_a_decimal_comma_stays_one_in_the_mend(con, tmp_path):
    columns = {
        "weight": ["12,5 kg", "1,25 t", "3 kg"] * 4,
        "share": ["0,125", "45,373", "7,5"] * 4,
        "size": ["12,5 cm", "7,5 cm", "3 cm"] * 4,
    }
    found = findings(con, written(columns, tmp_path))
    weight = mended(con, found["mixed units", "weight"])
    assert weight["weight"][:3] == ["12.5", "1.25", "3.0"]
    assert weight["weight unit"][:3] == ["kg", "t", "kg"]
    assert mended(con, found["dressed numbers", "share"])["share"][:3] == ["0.125", "45.373", "7.5"]
    assert mended(con, found["dressed numbers", "size"])["size"][:3] == ["12.5", "7.5", "3.0"]


def test_the_order_of_day_and_month_is_what_rows_say(con, tmp_path):
    columns = {
        "day first": ["25/12/2020", "03/04/2020", "05/06/2021"] * 4,
        "month first": ["12/25/2020", "03/04/2020", "05/06/2021"] * 4,
        "both": ["25/12/2020", "03/04/2020", "26/11/2020", "12/25/2020"] * 3,
    }
    found = findings(con, written(columns, tmp_path))
    day, month = found["date text", "day first"], found["date text", "month first"]
    assert mended(con, day)["day first"][:3] == ["2020-12-25", "2020-04-03", "2021-06-05"]
    assert mended(con, month)["month first"][:3] == ["2020-12-25", "2020-03-04", "2021-05-06"]
    both = found["mixed date formats", "both"]
    assert (both.count, "against 3" in both.detail) == (3, True)
    assert mended(con, both)["both"][:4] == ["2020-12-25", "2020-04-03", "2020-11-26", "2020-12-25"]


def test_letters_of_codes_are_no_units(con, tmp_path):
    columns = {"class": ["10A", "11C", "9B", "10D"] * 4, "question": ["1", "2", "3a", "3b"] * 4}
    kinds = {kind for kind, _ in findings(con, written(columns, tmp_path))}
    assert not kinds & {"mixed units", "dressed numbers", "scaled numbers"}


def test_codes_remarks_and_texts_of_several_lines_are_no_compounds(con, tmp_path):
    rows = range(400)
    columns = {
        "row": [f"r {row}" for row in rows],
        "complaint": [f"{row % 90 + 10}-{row % 900 + 100}-{row + 1000}" for row in rows],
        "remark": [f"at Town {row}, Land" if row < 3 else "" for row in rows],
        "match": [f"FT\n{row % 28 + 1} Aug\n{row % 5} : 1, after {row % 7} minutes" for row in rows],
        "range": [f"{row % 9}-{row % 9 + 4}" for row in rows],
    }
    found = findings(con, written(columns, tmp_path))
    told = {column: finding.detail for (kind, column), finding in found.items() if kind in ("compound values", "lists")}
    assert told == {"match": "3 values parted by line breaks", "range": "2 values parted by '-'"}


def test_lengths_of_time_in_hours_and_minutes_are_read_as_such(con, tmp_path):
    rows = range(30)
    columns = {
        "row": [f"r {row}" for row in rows],
        "Boston": [f"{row}m" if row % 10 == 4 else f"{row % 7}h {row}m" for row in rows],
    }
    finding = findings(con, written(columns, tmp_path))["mixed units", "Boston"]
    assert (finding.macro, finding.count) == ("parse_duration", 3)
    assert finding.detail == "'h' 27, 'm' 3; as lengths of time, in seconds"
    assert [float(row[1]) for row in con.execute(finding.mend).fetchall()[:5]] == [0, 3660, 7320, 10980, 240]
