"""The low-level parts: encodings, the independent count, the two loaders."""

import csv
import io
import tracemalloc
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from prepsql.errors import ReadError
from prepsql.tables import (
    Encoding,
    load_plain,
    load_records,
    numbered_records,
    records,
    sniff_encoding,
    survey,
)
from prepsql.tables import count as count_module
from prepsql.tables import encoding as encoding_module
from prepsql.tables.parse import stray_quotes

UTF8 = Encoding("utf-8")
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        yield connection


@pytest.fixture
def write(tmp_path):
    def _write(data: bytes) -> Path:
        path = tmp_path / "x.csv"
        path.write_bytes(data)
        return path

    return _write


def cells(con, name):
    return con.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall()


# ---- encodings

CHINESE = "编号,城市\n1,北京\n2,上海，浦东\n3,广州（中国）\n"
GERMAN = "Straße,Größe\nMüllerweg,3\nÄußere Gasse,4\n"
FRENCH = "prénom,ville\nChloé,Orléans\nJosé,Besançon\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a,b\n1,2\n", Encoding("utf-8")),
        ("a,b\n1,é\n".encode(), Encoding("utf-8")),
        ("a,b\n1,é\n".encode("utf-8-sig"), Encoding("utf-8", 3)),
        ("a,b\n1,é\n".encode("utf-16"), Encoding("utf-16-le", 2)),
        (b"\xfe\xff" + "a,b\n1,é\n".encode("utf-16-be"), Encoding("utf-16-be", 2)),
        ("a,b\n1,é\n".encode("utf-16-le"), Encoding("utf-16-le")),
        ("a,b\n1,é\n".encode("utf-16-be"), Encoding("utf-16-be")),
        (CHINESE.encode("utf-16-le"), Encoding("utf-16-le")),
        (b"a,b\n1,x\x00y\n", Encoding("utf-8")),
        (b"a,b\n\x00\x00,\x00\n", Encoding("utf-8")),
        (CHINESE.encode("gbk"), Encoding("gb18030", certain=False)),
        ("名称,价格\n茶叶,12\n".encode("gbk"), Encoding("gb18030", certain=False)),
        (GERMAN.encode("latin-1"), Encoding("latin-1", certain=False)),
        (FRENCH.encode("latin-1"), Encoding("latin-1", certain=False)),
        ("name,price\nfür,5 €\n“quoted”,3\n".encode("cp1252"), Encoding("cp1252", certain=False)),
        (b"a\n\x81\x8d\xe9 \n", Encoding("latin-1", certain=False)),
        (b"\xef\xbb\xbfa\n\xff\n", Encoding("latin-1", certain=False)),
        (b"", Encoding("utf-8")),
    ],
)
def test_encoding_is_found(write, data, expected):
    assert sniff_encoding(write(data)) == expected


def test_encoding_is_judged_on_the_lines_that_tell(write):
    late = b"id,name\n" + b"1,plain\n" * 200_000 + "2,Zoë\n".encode("cp1252")
    assert sniff_encoding(write(late)) == Encoding("latin-1", certain=False)


def test_a_late_undecodable_byte_changes_the_answer_not_the_outcome(write):
    path = write(b"a\n\x81\n" + CHINESE.encode("gbk") * 20_000 + b"4,\xff\xff\n")
    assert sniff_encoding(path) == Encoding("latin-1", certain=False)


@QUICK
@given(st.binary(max_size=60))
def test_any_bytes_decode(write, data):
    path = write(data)
    try:
        found = sniff_encoding(path)
    except ReadError:
        assert data.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")) or 0 in data
    else:
        data[found.bom :].decode(found.name)


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_wide_text_that_is_cut_is_an_error(write, name, mark):
    for text in ("a,b\n1,é\n", CHINESE):
        data = (mark + text).encode(name)
        assert sniff_encoding(write(data)).name == name
        with pytest.raises(ReadError, match=f"look like {name}"):
            sniff_encoding(write(data[:-1]))


# ---- the independent count

RAW = st.text(st.sampled_from('a1,;"\n\r \0é'), max_size=40)


@QUICK
@given(RAW, st.sampled_from([1, 2, 3, 7, 1 << 22]))
@example('"a"\n"b', 3)
@example('a"\n"\n,"x""\n', 2)
@example('"a" \n', 1)
@example('""', 2)
def test_count_agrees_with_the_csv_module(write, text, chunk):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(count_module, "CHUNK", chunk)
        patch.setattr(encoding_module, "CHUNK", chunk)
        path = write(text.encode())
        found = survey(path, UTF8, ",")
        wide = survey(write(text.encode("utf-16-le")), Encoding("utf-16-le"), ",")
    rows = list(numbered_records(write(text.encode()), UTF8, ","))
    assert found.records == sum(bool(r) for _, r in rows)
    assert found.blank == sum(not r for _, r in rows)
    assert found.nul == text.count("\0")
    # `spaced` may be cautious at the end of a chunk
    assert replace(wide, spaced=found.spaced) == found


def test_count_sees_line_ends_and_an_unclosed_quote(write):
    found = survey(write(b'a\r\nb\nc\rd\r\n\n"x\n\r\n'), UTF8, ",")
    assert (found.records, found.blank, found.unclosed) == (5, 1, True)
    assert found.line_ends == ("LF", "CRLF", "CR")
    assert not found.plain


def test_an_open_quote_over_a_large_file_costs_linear_time(write, monkeypatch):
    monkeypatch.setattr(count_module, "CHUNK", 1 << 12)
    assert survey(write(b'a,b\n1,"x\n' + b"1,2\n" * 500_000), UTF8, ",").records == 2


# ---- records


def test_records_keep_what_is_inside_a_cell(write):
    path = write(b'a,"b\nc"\r\n\r\n1,"x\r\ny"\r"q""r",\x00\n')
    assert list(records(path, UTF8, ",")) == [["a", "b\nc"], ["1", "x\r\ny"], ['q"r', "\0"]]
    assert [line for line, _ in numbered_records(path, UTF8, ",")] == [1, 3, 4, 6]


@pytest.mark.parametrize(
    ("text", "stray"),
    [
        ('"x"y,1\n', True),
        ('1,"p" q\n', True),
        ('1,"p" \n', True),
        ('"a\n,""b"c\n', True),
        ('"x"y"z",1\n', True),
        ('a"b",c""d\n', False),
        (' "p",1\n', False),
        ('"a,"",b"\r\n', False),
        ('"","a""b","c"', False),
        ('"a,"" b\n', False),
    ],
)
def test_text_after_a_closing_quote_is_seen(write, text, stray):
    assert list(stray_quotes(write(text.encode()), UTF8, ",")) == [stray]


@QUICK
@given(st.text(st.sampled_from('a1,"\n '), max_size=30))
@example('"a"b,c\n')
def test_strict_readers_take_a_text_just_where_no_quote_is_stray(write, text):
    path = write(text.encode())
    try:
        list(csv.reader(io.StringIO(text, newline=""), strict=True))
        strict = True
    except csv.Error:
        strict = False
    assert strict == (not any(stray_quotes(path, UTF8, ",")) and not survey(path, UTF8, ",").unclosed)


def test_a_cell_of_a_megabyte_is_read(write):
    assert list(records(write(b"a\n" + b"x" * 1_000_000), UTF8, ",")) == [["a"], ["x" * 1_000_000]]


def test_records_stream(write):
    path = write(b"1,2,3,4\n" * 300_000)
    tracemalloc.start()
    assert sum(1 for _ in records(path, UTF8, ",")) == 300_000
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


# ---- loading


def test_rows_keep_their_order_null_and_empty(con):
    rows = [[str(i), "" if i % 2 else None] for i in range(250_000)]
    assert load_records(con, "t", ["n", 'a "q"'], rows) == 250_000
    assert con.execute("SELECT count(*) FROM t WHERE n::BIGINT <> rowid").fetchone() == (0,)
    assert con.execute('SELECT count(*) FROM t WHERE "a ""q""" IS NULL').fetchone() == (125_000,)


def plain(con, path, n, skip=1, delimiter=","):
    return load_plain(
        con,
        path,
        "t",
        [f"c{i}" for i in range(n)],
        skip=skip,
        delimiter=delimiter,
        encoding=UTF8,
        found=survey(path, UTF8, delimiter),
    )


def test_plain_file_loads_fast_path(con, write):
    assert plain(con, write(b'a,b\n1,\n"",NULL\n 1 ,"x ""y"" z"\n\xc3\xa9,"l\nm"'), 2) == 4
    assert cells(con, "t") == [("1", ""), ("", "NULL"), (" 1 ", 'x "y" z'), ("é", "l\nm")]


@pytest.mark.parametrize(
    "data",
    [
        b"a,b\n1,2\n\n3,4\n",
        b"a,b\n1\n",
        b"a,b\n1,2,3\n",
        b"a,b\n1,x\x00y\n",
        b"a,b\r\n1,2\n",
        b"a,b\n1,2\r3,4\n",
        b'a,b\n1,"x"y\n',
        b'a,b\n1,"xy\n',
        b'a,b\n1, "q"\n',
        b'a,b\n1,"q" \n',
        b"a,b\n1,\xff\n",
        b"a,b\n1,2,\n3,4\n",
        b'a,b\n1,2,\n3,""\n',
        b'a,b\n"1,5",2,\n3,4\n',
    ],
)
def test_a_file_that_is_not_plain_is_declined(con, write, data):
    assert plain(con, write(data), 2) is None
    assert con.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (0,)


def test_a_path_with_glob_characters_reads_no_other_file(con, tmp_path):
    (tmp_path / "x1.csv").write_bytes(b"a\nwrong\n")
    path = tmp_path / "x[1].csv"
    path.write_bytes(b"a\nright\n")
    assert plain(con, path, 1) is None


TEXT = st.text(st.sampled_from("ab1 ,;\"\n\r\t\0\ufeffé中#\\'="), max_size=6)
TABLES = st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(TEXT, min_size=n, max_size=n), min_size=1, max_size=6))


@QUICK
@given(TABLES, st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_both_paths_make_the_same_table(write, table, delimiter, end, all_quoted):
    path = write(b"")
    with path.open("w", encoding="utf-8", newline="") as file:
        quoting = csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL
        csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(table)
    check_same(path, len(table[0]), delimiter)


@QUICK
@given(st.text(st.sampled_from('a1,"\n '), max_size=30))
@example('x\n"a" ,b\n')
@example("x\n , \n")
def test_raw_text_loads_alike_or_is_declined(write, text):
    path = write(text.encode())
    # as many columns as the first record has cells: others may have more
    check_same(path, max(1, len(next(records(path, UTF8, ","), []))), ",")


def check_same(path, n, delimiter):
    with duckdb.connect() as con:
        count = plain(con, path, n, delimiter=delimiter)
        if count is not None:
            rows = list(records(path, UTF8, delimiter))[1:]
            assert {len(row) for row in rows} <= {n}
            assert load_records(con, "u", [f"c{i}" for i in range(n)], rows) == count
            assert cells(con, "t") == cells(con, "u")
