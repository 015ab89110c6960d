"""Reading: each fixture `x.csv` says in `x.csv.json` what must come of it; then errors, other formats, line numbers."""

import bz2
import datetime as dt
import decimal
import gzip
import json
import lzma
import os
import socket
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prepsql.errors import InputError, PrepsqlError, ReadError
from prepsql.tables import KINDS, delimited, read
from prepsql.tables import parquet as parquet_module
from prepsql.tables.count import survey_text
from prepsql.tables.names import unique_names
from prepsql.tables.sheet_xml import name_of, odd_cells

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "tables"
CASES = sorted(path.name.removesuffix(".json") for path in FIXTURES.glob("*.*.json"))


def rows_of(table):
    return [list(row) for row in table.relation.fetchall()]


@pytest.mark.parametrize("case", CASES)
def test_fixture(case):
    expected = json.loads((FIXTURES / f"{case}.json").read_text(encoding="utf-8"))
    table = read(FIXTURES / case)
    assert list(table.columns) == expected["columns"]
    assert rows_of(table) == expected["rows"]
    assert table.rows == len(expected["rows"])
    assert [entry.kind for entry in table.ledger.entries] == expected["kinds"]
    for kind, lines in expected.get("lines", {}).items():
        assert list(table.ledger.of(kind).lines) == lines
    for key, value in expected.get("ledger", {}).items():
        assert getattr(table.ledger, key) == value


@pytest.mark.parametrize("case", [case for case in CASES if not case.endswith("json")])
def test_fixture_whose_first_lines_promise_a_plain_file(case, monkeypatch):
    # as a large file is read: counted beside the loading, which is in vain where the file isn't plain after all
    monkeypatch.setattr(delimited, "_LARGE", -1)
    monkeypatch.setattr(delimited, "survey_text", lambda text, delimiter: survey_text("a\n", delimiter))
    test_fixture(case)


def test_a_large_file_that_is_not_plain_far_down(tmp_path):
    path = tmp_path / "large.csv"
    path.write_text("a,b\n" + "1,x\n" * 1_200_000 + "\n" + "2,y\n", encoding="utf-8")
    table = read(path)
    assert table.rows == 1_200_001
    assert table.ledger.of("blank lines").lines == (1_200_002,)
    assert table.line(1_200_000) == 1_200_003


def test_each_kind_of_entry_has_a_fixture():
    seen = {kind for case in CASES for kind in json.loads((FIXTURES / f"{case}.json").read_text())["kinds"]}
    assert set(KINDS) - seen <= {
        *("sheet", "error cells", "unsaved formulas"),
        "renamed header",
    }


@pytest.mark.parametrize("case", [case for case in CASES if case.endswith("csv")])
def test_lines_are_those_where_the_rows_start(case):
    table = read(FIXTURES / case)
    encoding = table.ledger.encoding
    lines = (FIXTURES / case).read_bytes().decode(encoding).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    starts = [table.line(row) for row in range(table.rows)]
    assert starts == sorted(set(starts))
    for start, row in zip(starts, rows_of(table), strict=True):
        first = next(filter(None, row)).split("\n")[0]
        assert lines[start - 1].lstrip('"').startswith(first.replace('"', '""')), (start, row)


def test_lines_of_a_row_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no row 2"):
        read(FIXTURES / "line_ends_lf.csv").line(2)


def test_lines_jump_over_what_is_inside_cells(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('a,"b\nc"\n1,"x\ny"\n2,z\n3,"\r\n\n"\n4,w\n', newline="")
    table = read(path)
    assert [table.line(row) for row in range(4)] == [3, 5, 6, 9]


def test_a_connection_that_may_not_open_files_reads_all_the_same():
    with duckdb.connect(config={"enable_external_access": False}) as con:
        assert rows_of(read(FIXTURES / "line_ends_lf.csv", con)) == [["1", "x\ny"], ["2", "z"]]


def test_options_say_what_is_not_to_be_found(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes("k|x;1\n€|y;2\nn|z;3\n".encode("cp1252"))
    table = read(path, name="t", delimiter=";", encoding="cp1252", header=2)
    assert (table.name, table.columns, rows_of(table)) == ("t", ("€|y", "2"), [["n|z", "3"]])
    table = read(path, delimiter=";", encoding="cp1252", header=0)
    assert (table.columns, table.rows, table.line(2)) == (("column_1", "column_2"), 3, 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"header": 9}, "no record starts on line 9"),
        ({"delimiter": "ab"}, "one ASCII character"),
        ({"encoding": "klingon"}, "not known"),
        ({"encoding": "utf-8"}, "not utf-8"),
        ({"encoding": "utf-16"}, "no byte-order mark"),
        ({"encoding": "utf-7"}, "not utf-7"),
        *(({"encoding": name}, "not known") for name in ("base64", "rot13", "undefined", "punycode", "idna", "a\0b")),
        ({"delimiter": '"'}, "one ASCII character and no quote"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises(PrepsqlError, match=message):
        read(FIXTURES / "latin_1.csv", **options)


@pytest.mark.parametrize(
    ("name", "data", "error", "message"),
    [
        ("none.csv", None, InputError, "no such file .beside it: here.txt"),
        ("folder.csv", "", InputError, "a folder"),
        ("empty.csv", b"", InputError, "empty"),
        ("blank.csv", b"\n\n", InputError, "empty"),
        ("bom.csv", b"\xef\xbb\xbf", InputError, "empty"),
        ("directive.csv", b"sep=;\n", InputError, "nothing below line 1"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 99, InputError, "not a format"),
        ("packed.csv.gz", b"\x1f\x8b\x08\0", InputError, "compressed: unpack it first"),
        *(
            (f"{name}.csv", packed, InputError, "compressed: unpack it first")
            for name, packed in (
                ("gzip", gzip.compress(b"a\n", mtime=0)),
                ("xz", lzma.compress(b"a\n")),
                ("bz2", bz2.compress(b"a\n")),
                ("zstd", b"\x28\xb5\x2f\xfd\x04\0"),
                ("zip", b"PK\x03\x04"),
            )
        ),
        ("x.zip", b"PK\x03\x04", InputError, "compressed: unpack it first"),
        ("x.parquet", b"PAR1 no", ReadError, "can.t be read as Parquet"),
        ("x.xlsx", b"PK\x03\x04 no", ReadError, "not a workbook"),
        ("x.xls", b"no", ReadError, "not a workbook"),
        ("x.jsonl", b'{"a": 1}\n{"a": \n', ReadError, "line 2 is not JSON"),
        ("y.jsonl", b"1\n", ReadError, "record 1 is no object"),
        ("value.jsonl", b'{"a": "\\ud83d\\ude00"}\n{"a": "\\ud800"}', ReadError, "line 2 has half a character"),
        ("key.jsonl", b'{"\\udfff": 1}', ReadError, "line 1 has half a character"),
        ("x.json", b"[]", InputError, "no object"),
    ],
)
def test_errors_are_one_line_with_a_next_step(tmp_path, name, data, error, message):
    (tmp_path / "here.txt").write_text("x")
    path = tmp_path / name
    if data == "":
        path.mkdir()
    elif data is not None:
        path.write_bytes(data)
    with pytest.raises(error, match=message) as raised:
        read(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_utf_16_is_declared_without_a_mark(tmp_path):
    path = tmp_path / "x.csv"
    for name in ("utf-16", "utf-32"):
        path.write_bytes("a,b\n1,é\n".encode(f"{name}-be"))
        table = read(path, encoding=name)
        assert (table.ledger.encoding, rows_of(table)) == (f"{name}-be", [["1", "é"]])


@pytest.mark.parametrize("stem", ["prepsql_batch", "batch", "rowid"])
def test_no_name_of_a_file_is_in_the_way(tmp_path, stem):
    path = tmp_path / f"{stem}.csv"
    path.write_text("a\n1\n\n2\n")
    assert rows_of(read(path)) == [["1"], ["2"]]


def test_a_column_named_rowid_keeps_its_name(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('RowId,a,rowid_2\n7,"x\ny",z\n8,,\n')
    table = read(path)
    assert table.columns == ("RowId", "a", "rowid_2")
    assert table.relation.fetchall() == [("7", "x\ny", "z"), ("8", "", "")]
    assert [table.line(row) for row in (0, 1)] == [2, 4]


def test_many_equal_names():
    names, _ = unique_names(["a"] * 10_000 + ["A_3"])
    assert names[:3] == ["a", "a_2", "a_4"]
    assert names[-2:] == ["a_10001", "A_3"]


@pytest.mark.parametrize("end", ["", " 5"])
def test_a_mark_inside_of_quoted_values_is_no_delimiter(tmp_path, end):
    path = tmp_path / "lists.csv"
    path.write_text(f'"id","tree; height; owner"\n"1","ash{end}; 7; Ann"\n"2","elm; 8; Bo"\n')
    assert read(path).columns == ("id", "tree; height; owner")


@pytest.mark.parametrize("mark", ["é", '"'])
def test_a_directive_that_names_no_delimiter_is_text(tmp_path, mark):
    path = tmp_path / "x.csv"
    path.write_text(f"sep={mark}\n1\n2\n")
    assert rows_of(read(path)) == [["1"], ["2"]]


def test_a_stray_quote_in_the_header_alone_is_told(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('"x"y,b\n1,2\n')
    table = read(path)
    assert table.columns == ("xy", "b")
    assert [(e.kind, e.lines) for e in table.ledger.entries] == [("stray quotes", (1,))]


def test_a_pipe_a_device_or_a_socket_is_never_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "pipe.csv")
    (tmp_path / "device.csv").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket.csv"))
        for name in ("pipe.csv", "link.csv", "device.csv", "socket.csv"):
            with pytest.raises(InputError, match="not a regular file"):
                read(tmp_path / name)


def test_a_count_that_differs_is_an_error(monkeypatch):
    monkeypatch.setattr(delimited, "load_records", lambda *_: 1)
    with pytest.raises(ReadError, match="records read, 5 counted"):
        read(FIXTURES / "short_rows.csv")


def test_the_ledger_prints_and_is_json():
    ledger = read(FIXTURES / "bank_export.csv").ledger
    assert str(ledger).splitlines()[1:] == [
        "  delimiter: ';' separates the cells, not ','",
        "  preamble: 2 records above the header (lines 1, 2)",
        "  blank lines: 1 blank line left out (line 3)",
    ]
    assert json.loads(json.dumps(ledger.to_dict()))["entries"][1]["texts"] == ["Account;DE12 3456", "From;01.01.2024"]
    assert json.loads(json.dumps(read(FIXTURES / "footer.csv").to_dict()))["rows"] == 3


def test_parquet_values_are_text(tmp_path):
    utc = dt.datetime(2020, 1, 1, 10, tzinfo=dt.UTC)
    columns = {
        "n": pa.array([1, None], pa.int64()),
        "N": pa.array([0.1, 1e20]),
        "d": pa.array([dt.date(2020, 1, 1), None]),
        "t": pa.array([utc, None], pa.timestamp("us", tz="Europe/Berlin")),
        "s": pa.array(["", "x"]),
        "l": pa.array([[1, 2], None]),
        "b": pa.array([True, False]),
        "m": pa.array([decimal.Decimal("1.10"), None]),
    }
    path = tmp_path / "x[1].parquet"
    pq.write_table(pa.Table.from_arrays(list(columns.values()), names=list(columns)), path)
    table = read(path)
    assert table.columns == ("n", "N_2", "d", "t", "s", "l", "b", "m")
    assert rows_of(table) == [
        ["1", "0.1", "2020-01-01", "2020-01-01 10:00:00Z", "", "[1,2]", "true", "1.10"],
        [None, "100000000000000000000.0", None, None, "x", None, "false", None],
    ]


def test_parquet_keeps_the_order(tmp_path):
    pq.write_table(pa.table({"n": range(500_000)}), tmp_path / "x.parquet", row_group_size=10_000)
    table = read(tmp_path / "x.parquet", name="t")
    assert table.con.execute("SELECT count(*) FROM t WHERE n::BIGINT = rowid").fetchall() == [(500_000,)]


@pytest.fixture
def workbook(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Empty"
    sheet = book.create_sheet("Sales")
    for row in (
        ["Sales report"],
        [],
        ["id", "when", "at", "price", "ok", "id"],
        [1, dt.date(2020, 1, 1), dt.datetime(2020, 1, 1, 10, 30), 2.5, True, "007"],
        [],
        [1e15, None, None, 1e-7, False, "x"],
    ):
        sheet.append(row)
    book.create_sheet("Notes").append(["note"])
    book.save(tmp_path / "x.xlsx")
    return tmp_path / "x.xlsx"


def test_sheet_values_are_text(workbook):
    table = read(workbook)
    assert table.columns == ("id", "when", "at", "price", "ok", "id_2")
    assert rows_of(table) == [
        ["1", "2020-01-01", "2020-01-01 10:30:00", "2.5", "true", "007"],
        ["1000000000000000", None, None, "0.0000001", "false", "x"],
    ]
    assert [entry.kind for entry in table.ledger.entries] == ["preamble", "duplicate header", "blank lines", "sheet"]
    assert [table.line(row) for row in (0, 1)] == [4, 6]
    assert table.ledger.header_line == 3


def test_sheet_by_name(workbook):
    assert read(workbook, sheet="Notes").columns == ("note",)
    assert rows_of(read(workbook, sheet="Notes", header=0)) == [["note"]]
    with pytest.raises(InputError, match="has: Empty, Sales, Notes"):
        read(workbook, sheet="Sale")
    with pytest.raises(InputError, match="is empty"):
        read(workbook, sheet="Empty")


def test_a_sheet_keeps_its_errors_and_says_what_it_lacks(tmp_path):
    book = openpyxl.Workbook()
    book.active.title, book.active.sheet_state = "Old", "hidden"
    book.create_sheet("New")
    for row in (["a", "b"], [1, "=1/0"], ["#N/A", 1e23], [None, None, None, "#DIV/0!"], [-2.0, 1.5e17]):
        book.active.append(row)
    book.save(tmp_path / "x.xlsx")
    table = read(tmp_path / "x.xlsx")
    assert rows_of(table) == [
        ["1", None, None, None],
        ["#N/A", "100000000000000000000000", None, None],
        [None, None, None, "#DIV/0!"],
        ["-2", "150000000000000000", None, None],
    ]
    assert list(map(str, table.ledger.entries))[1:] == [
        "sheet: 'Old' was read, which is hidden",
        "error cells: 2 × cell with an error (A3, D4): the error is their text",
        "unsaved formulas: 1 × formula without a saved value (B2): NULL; open and save it in a spreadsheet",
    ]
    assert table.ledger.of("error cells").texts == ("#N/A", "#DIV/0!")
    assert (table.ledger.of("error cells").lines, table.ledger.of("unsaved formulas").lines) == ((3, 4), (2,))


def test_cells_that_do_not_say_where_they_are_follow_each_other(tmp_path):
    cells = '<row><c t="e"><v>#REF!</v></c></row><row r="3"><c r="AB3"/><c t="e"><v>#N/A</v></c></row>'
    cells += '<row><c t="str"><f>A1</f><v></v></c></row>'
    links = '<L xmlns="x"><R Id="r" Target="/xl/s.xml"/></L>'
    namespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    with zipfile.ZipFile(tmp_path / "x.xlsx", "w") as book:
        book.writestr("xl/workbook.xml", f'<b xmlns:r="{namespace}"><sheet name="S" r:id="r"/></b>')
        book.writestr("xl/_rels/workbook.xml.rels", links)
        book.writestr("xl/s.xml", f"<s>{cells}</s>")
    odd = odd_cells(tmp_path / "x.xlsx", "S")
    assert (odd.errors, odd.unsaved) == ({(0, 0): "#REF!", (2, 28): "#N/A"}, [])
    assert [name_of(*cell) for cell in odd.errors] == ["A1", "AC3"]


def parquet(path, **columns):
    pq.write_table(pa.table(columns), path / "x.parquet")
    return read(path / "x.parquet")


def test_parquet_keeps_nanoseconds(tmp_path):
    table = parquet(
        tmp_path,
        d=pa.array([1_234_567_890_123, -1_500_000_001, 3_600_000_000_000, -(2**63) + 1, None], pa.duration("ns")),
        t=pa.array([1_577_872_800_123_456_789, 0, -1, 1, None], pa.timestamp("ns", tz="Europe/Berlin")),
    )
    assert rows_of(table) == [
        ["00:20:34.567890123", "2020-01-01 10:00:00.123456789Z"],
        ["-00:00:01.500000001", "1970-01-01 00:00:00Z"],
        ["01:00:00", "1969-12-31 23:59:59.999999999Z"],
        ["-2562047:47:16.854775807", "1970-01-01 00:00:00.000000001Z"],
        [None, None],
    ]


def test_parquet_times_inside_values_are_utc(tmp_path):
    when = dt.datetime(2020, 1, 1, 10, tzinfo=dt.UTC)
    zoned = pa.timestamp("us", tz="Europe/Berlin")
    table = parquet(
        tmp_path,
        a=pa.array([[when, None], None], pa.list_(zoned)),
        b=pa.array([[when], None], pa.list_(zoned, 1)),
        c=pa.array(
            [{"k 1": {"t": [when], "n": 1}}, None],
            pa.struct({"k 1": pa.struct({"t": pa.list_(zoned), "n": pa.int8()})}),
        ),
        d=pa.array([[("k", when)], None], pa.map_(pa.string(), pa.timestamp("ns", tz="UTC"))),
        e=pa.array([[[when]], None], pa.list_(pa.list_(zoned))),
    )
    told = "2020-01-01 10:00:00Z"
    assert rows_of(table)[1] == [None] * 5
    assert [json.loads(cell) for cell in rows_of(table)[0]] == [
        [told, None],
        [told],
        {"k 1": {"t": [told], "n": 1}},
        {"k": told},
        [[told]],
    ]


def test_parquet_types_that_duckdb_has_not(tmp_path):
    table = parquet(
        tmp_path,
        h=pa.array([np.float16(1.5), None], pa.float16()),
        d=pa.array([decimal.Decimal("1.10"), None], pa.decimal256(50, 2)),
        l=pa.array([[decimal.Decimal("1.10")], None], pa.list_(pa.decimal256(50, 2))),
        s=pa.array([{"d": 1_000}, None], pa.struct({"d": pa.duration("ns")})),
    )
    assert rows_of(table) == [["1.5", "1.10", '["1.10"]', '{"d":"00:00:00.000001"}'], [None] * 4]
    with pytest.raises(ReadError, match=r"column 's x' of type list<.*duration\[ns\]>"):
        parquet(tmp_path, **{"s x": pa.array([[1]], pa.list_(pa.duration("ns")))})


def test_parquet_of_a_type_without_a_way_names_the_column(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_module, "_readable", lambda kind: kind)
    with pytest.raises(ReadError, match="column 'h' is of type halffloat, which DuckDB has not"):
        parquet(tmp_path, a=pa.array([1]), h=pa.array([np.float16(1)], pa.float16()))


def test_json_tells_of_keys_twice_inside_and_of_its_encoding(tmp_path):
    path = tmp_path / "x.jsonl"
    lines = [
        '{"a": {"k": 1}, "b": "é"}',
        '{"a": {"k": 1, "k": 2}, "b": 1}',
        '{"a": [[{"k": {"l": 1, "l": 2}}]], "b": 1}',
    ]
    path.write_text("\n".join(lines), encoding="latin-1")
    table = read(path)
    assert rows_of(table)[1] == ['{"k": 2}', "1"]
    assert [(entry.kind, entry.lines) for entry in table.ledger.entries] == [
        ("encoding", ()),
        ("repeated keys", (2, 3)),
    ]
