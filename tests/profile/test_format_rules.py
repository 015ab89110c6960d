from tests.profile.irregular import mended, of_columns, written


def test_a_decimal_comma_stays_one_in_the_mend(con, tmp_path):
    columns = {
        "weight": ["12,5 kg", "1,25 t", "3 kg"] * 4,
        "share": ["0,125", "45,373", "7,5"] * 4,
        "size": ["12,5 cm", "7,5 cm", "3 cm"] * 4,
    }
    found = of_columns(con, written(columns, tmp_path))
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
    found = of_columns(con, written(columns, tmp_path))
    day, month = found["date text", "day first"], found["date text", "month first"]
    assert mended(con, day)["day first"][:3] == ["2020-12-25", "2020-04-03", "2021-06-05"]
    assert mended(con, month)["month first"][:3] == ["2020-12-25", "2020-03-04", "2021-05-06"]
    both = found["mixed date formats", "both"]
    assert (both.count, "against 3" in both.detail) == (3, True)
    assert mended(con, both)["both"][:4] == ["2020-12-25", "2020-04-03", "2020-11-26", "2020-12-25"]


def test_letters_of_codes_are_no_units(con, tmp_path):
    columns = {"class": ["10A", "11C", "9B", "10D"] * 4, "question": ["1", "2", "3a", "3b"] * 4}
    kinds = {kind for kind, _ in of_columns(con, written(columns, tmp_path))}
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
    found = of_columns(con, written(columns, tmp_path))
    told = {column: finding.detail for (kind, column), finding in found.items() if kind in ("compound values", "lists")}
    assert told == {"match": "3 values parted by line breaks", "range": "2 values parted by '-'"}


def test_lengths_of_time_in_hours_and_minutes_are_read_as_such(con, tmp_path):
    rows = range(30)
    columns = {
        "row": [f"r {row}" for row in rows],
        "Boston": [f"{row}m" if row % 10 == 4 else f"{row % 7}h {row}m" for row in rows],
    }
    finding = of_columns(con, written(columns, tmp_path))["mixed units", "Boston"]
    assert (finding.macro, finding.count) == ("parse_duration", 3)
    assert finding.detail == "'h' 27, 'm' 3; as lengths of time, in seconds"
    assert [float(row[1]) for row in con.execute(finding.mend).fetchall()[:5]] == [0, 3660, 7320, 10980, 240]
