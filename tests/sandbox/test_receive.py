"""What a script left is taken over only as plain Arrow, whatever it holds."""

import datetime
import os
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from script_here import run_here

from prepsql.sandbox import Limits, exchange
from prepsql.sandbox.collect import Unacceptable
from prepsql.sandbox.receive import receive

TABLE = pa.table({"a": [1, 2, None], "b": ["x", None, "z"], "c": [[1], [], None]})


def stream(table, **options):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


WHOLE = stream(TABLE)


def take(tmp_path, data, limits=None):
    (tmp_path / exchange.RESULT).write_bytes(data)
    return receive(tmp_path, limits or Limits())


def test_a_plain_table_is_taken(tmp_path):
    assert take(tmp_path, WHOLE).equals(TABLE)
    assert take(tmp_path, stream(TABLE.replace_schema_metadata({"pandas": "{}"}))).schema.metadata is None


@pytest.mark.parametrize("codec", ["lz4", "zstd"])
def test_compressed_parts_are_refused_unread(tmp_path, codec):
    bomb = stream(pa.table({"a": pa.array([0] * 3_000_000)}), compression=codec)
    assert len(bomb) < 200_000
    before = pa.total_allocated_bytes()
    with pytest.raises(Unacceptable, match="compression"):
        take(tmp_path, bomb)
    assert pa.total_allocated_bytes() - before < 1 << 20


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (pa.table({"a": pa.Array.from_buffers(pa.null(), 1 << 30, [None])}), "can't be taken over: null"),
        (pa.table({"a": pa.array(["x"]).dictionary_encode()}), "it has dictionaries"),
        (pa.table({"a": pa.array([b""] * 9, pa.binary(0))}), "can't be taken over: fixed_size_binary"),
        (
            pa.table({"a": pa.array([{}, {}])}),
            "struct",
        ),
        (pa.table({"a": pa.array([1], pa.timestamp("us", "../../etc/passwd"))}), "can't be taken over: timestamp"),
        (pa.table({"a": pa.array(["x"], pa.string_view())}), "can't be taken over: string_view"),
        (pa.table({"a": pa.array([1.5], pa.float16())}), "can't be taken over: halffloat"),
        (
            pa.table({"a": pa.array([[1]], pa.list_(pa.field("x", pa.int64(), metadata={"k": "v"})))}),
            "taken over: list",
        ),
        (pa.table([[1], [2]], names=["a", "a"]), "a name of its own"),
        (pa.table([[1]], names=[""]), "a name of its own"),
        (pa.table({}), "wants columns"),
    ],
)
def test_types_that_take_no_room_or_mean_more_are_refused(tmp_path, table, says):
    with pytest.raises(Unacceptable, match=says):
        take(tmp_path, stream(table))


def test_values_that_break_their_type_are_refused(tmp_path):
    broken = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xff")])
    with pytest.raises(Unacceptable, match=r"no Arrow table.*UTF8"):
        take(tmp_path, stream(pa.table({"a": broken})))


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b"not arrow at all", WHOLE[:200], WHOLE[:-200], b"\x80\x04N."])
def test_what_is_no_stream_is_refused(tmp_path, data):
    with pytest.raises(Unacceptable, match="the result"):
        take(tmp_path, data)


def test_size_and_number_of_parts_have_limits(tmp_path, monkeypatch):
    table = pa.table({"a": pa.array(range(300_000))})
    with pytest.raises(Unacceptable, match="larger than 1 MB"):
        take(tmp_path, stream(table), Limits(file_mb=1))
    with pytest.raises(Unacceptable, match="larger than 2 MB"):
        take(tmp_path, stream(table), Limits(output_mb=2))
    monkeypatch.setattr("prepsql.sandbox.receive._BATCHES", 3)
    with pytest.raises(Unacceptable, match="too many parts"):
        take(tmp_path, stream(pa.concat_tables([TABLE] * 4)))


@pytest.mark.parametrize("kind", ["symlink", "hardlink", "pipe", "folder", "other", "more", "none"])
def test_only_the_one_plain_file_is_read(tmp_path, kind):
    secret, left = tmp_path / "secret", tmp_path / "left"
    secret.write_bytes(WHOLE)
    left.mkdir()
    result = left / exchange.RESULT
    if kind == "symlink":
        result.symlink_to(secret)
    elif kind == "hardlink":
        result.hardlink_to(secret)
    elif kind == "pipe":
        os.mkfifo(result)
    elif kind == "folder":
        result.mkdir()
    elif kind == "other":
        (left / "output_01.csv").write_bytes(WHOLE)
    elif kind == "more":
        result.write_bytes(WHOLE)
        (left / "more.arrow").write_bytes(WHOLE)
    with pytest.raises(Unacceptable, match=r"not a plain file|no result was left"):
        receive(left, Limits())


@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=6))
def test_no_change_of_bytes_gets_past(tmp_path_factory, changes):
    data = bytearray(WHOLE)
    for place, byte in changes:
        data[place] = byte
    folder = tmp_path_factory.mktemp("left")
    try:
        table = take(folder, bytes(data))
    except Unacceptable:
        return
    table.validate(full=True)
    table.to_pylist()
    assert table.nbytes <= Limits().output_mb << 20


SCALARS = {
    pa.bool_(): st.booleans(),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.int16(): st.integers(-(2**15), 2**15 - 1),
    pa.uint8(): st.integers(0, 255),
    pa.float64(): st.floats(allow_nan=False),
    pa.string(): st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    pa.binary(): st.binary(max_size=5),
    pa.date32(): st.dates(datetime.date(1, 1, 1), datetime.date(9999, 12, 31)),
    pa.timestamp("us"): st.datetimes(),
    pa.timestamp("us", "UTC"): st.datetimes(timezones=st.just(datetime.UTC)),
    pa.time64("us"): st.times(),
    pa.decimal128(10, 2): st.decimals(-(10**7), 10**7, places=2),
    pa.list_(pa.int64()): st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), max_size=3),
    pa.struct({"x": pa.int64(), "y": pa.string()}): st.fixed_dictionaries({"x": st.integers(0, 9), "y": st.just("é")}),
}
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)


@st.composite
def tables(draw, types):
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique_by=lambda name: name.lower()))
    rows = draw(st.integers(0, 5))
    kinds = [draw(st.sampled_from(types)) for _ in names]
    columns = [
        pa.array(draw(st.lists(st.none() | SCALARS[kind], min_size=rows, max_size=rows)), kind) for kind in kinds
    ]
    return pa.table(columns, names=names)


@settings(max_examples=40)
@given(tables(list(SCALARS)))
def test_sql_gives_every_type_back(table):
    report, back = run_here("sql", "SELECT * FROM df", table)
    assert report.status == "ok", report.message
    assert back.to_pylist() == table.to_pylist()
    assert [str(f.type).replace("l:", "item:") for f in back.schema] == [str(f.type) for f in table.schema]


@settings(max_examples=40)
@given(tables(list(SCALARS)))
def test_frames_give_every_value_back(table):
    report, back = run_here("python", "def transform(df, pd, np):\n    return df", table)
    assert report.status == "ok", report.message
    assert back.column_names == table.column_names
    for before, after in zip(table.columns, back.columns, strict=True):
        assert same(before, after), (before, after)


def same(before, after):
    """Whether a column came back as frames promise: decimals and long whole numbers beside nulls as floats."""
    kind, values, found = before.type, before.to_pylist(), after.to_pylist()
    floats = pa.types.is_decimal(kind) or (pa.types.is_int64(kind) and before.null_count)
    if floats:
        values = [v if v is None else float(v) for v in values]
        return [v if v is None else float(v) for v in found] == values
    if pa.types.is_date32(kind) and after.type != kind:
        return False
    return found == values


@settings(max_examples=40)
@given(tables([pa.int64(), pa.string(), pa.bool_(), pa.date32(), pa.timestamp("us")]))
def test_a_function_of_one_row_sees_and_gives_every_value(table):
    name = table.column_names[0]
    report, back = run_here("scalar", f"def transform(row):\n    return row[{name!r}]", table)
    assert report.status == "ok", report.message
    assert back["value"].to_pylist() == table[name].to_pylist()


def test_decimals_reach_a_function_of_one_row():
    report, back = run_here(
        "scalar", "def transform(row):\n    return row['a'] * 2", pa.table({"a": [Decimal("1.05")]})
    )
    assert (report.status, back["value"].to_pylist()) == ("ok", [Decimal("2.10")])


def test_nanoseconds_are_kept_in_objects_too():
    code = (
        "def transform(df, pd, np):\n    return pd.DataFrame({'x': pd.Series([pd.Timestamp(5), None], dtype=object)})"
    )
    assert run_here("python", code)[1]["x"].cast("int64").to_pylist() == [5, None]
