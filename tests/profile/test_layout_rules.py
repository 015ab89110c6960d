"""Headers and rows: each irregularity is found where it was put, as often, and its mend removes it."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from prepsql.profile.header import settle
from prepsql.profile.kinds import KINDS
from prepsql.tables import read
from tests.profile.layout import Profiler, lines_of

FIXTURES = Path(__file__).parent.parent / "fixtures" / "profile" / "layout"
TEXTS = sorted(FIXTURES.glob("*.csv"))


@pytest.fixture(scope="module")
def rules(con: duckdb.DuckDBPyConnection, tmp_path_factory: pytest.TempPathFactory) -> Profiler:
    return Profiler(con, tmp_path_factory.mktemp("layout"))


def lines(*texts: str) -> str:
    return "\n".join([*texts, ""])


@pytest.mark.parametrize("path", TEXTS, ids=[path.stem for path in TEXTS])
def test_is_found_and_mended(rules: Profiler, path: Path) -> None:
    text, expected = path.read_bytes().decode(), json.loads(Path(f"{path}.json").read_text())
    kind, rows = expected["kind"], expected["mended"]
    found = rules.find(text)
    assert set(found) == {kind, *expected["others"]}
    assert {key: expected[key] for key in ("count", "lines", "column")} == {
        "count": found[kind].count,
        "lines": lines_of(found[kind]),
        "column": found[kind].column,
    }
    mended, after = rules.mended(found[kind])
    assert [list(row) for row in mended[: len(rows)]] == rows
    assert kind not in after


def test_every_kind_of_headers_and_rows_has_a_fixture() -> None:
    kinds = {json.loads(Path(f"{path}.json").read_text())["kind"] for path in TEXTS}
    # test_repeated_rows.py is about the other kind of rows
    assert kinds | {"repeated rows"} == {name for name, kind in KINDS.items() if kind.pattern in {"HI", "RI"}}


@pytest.mark.parametrize(
    "text",
    [
        lines("id,tree,planted", "1,ash,2024-01-02", "2,elm,2024-02-03"),
        lines("product,total", "ash,7", "elm,8"),
        lines("month,1st,2nd", "Jan,1,2", "Feb,3,4"),
        lines("name,phone,fax", "ash,1,2", "elm,,", "fir,,", "oak,,"),
        lines("name", "ash", "elm"),
        lines("name,size", "ash,<5", "elm,> 3 < 5"),
        lines("Date/Time,place", "2024-01-01,ash", "2024-01-02,elm"),
        lines("country,2020", "ash,2000", "elm,3000"),
        lines("id,name", "1,n/a", "2,ash"),
    ],
)
def test_finds_nothing_where_nothing_is(rules: Profiler, text: str) -> None:
    assert rules.find(text) == {}


WORDS = st.sampled_from(["ash", "beech", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine"])
RECORDS = st.lists(st.tuples(WORDS, st.integers(1, 999), st.integers(1, 99)), min_size=20, max_size=40)
NAMES = ["tree", "count", "height"]
PUT = {
    "repeated header": NAMES,
    "blank rows": ["", "", ""],
    "section rows": ["North side", "", ""],
    "total rows": ["Total", "1000", "99.5"],
    "note rows": ["Source: the park's own count", "", ""],
}


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[str]], dict[str, list[int]]]:
    """Draw the rows of a table, names first, with irregular rows between records, and the lines of each kind."""
    rows = [NAMES, *([word, str(count), f"{height}.5"] for word, count, height in draw(RECORDS))]
    kinds = draw(st.lists(st.sampled_from(sorted(PUT)), min_size=1, max_size=5))
    for kind in kinds:
        # not first, where units stand, nor last, where any text is a note
        rows.insert(draw(st.integers(2, len(rows) - 1)), PUT[kind])
    return rows, {kind: [at for at, row in enumerate(rows, start=1) if at > 1 and row == PUT[kind]] for kind in kinds}


@given(tables())
@settings(max_examples=5, phases=[Phase.explicit, Phase.generate], suppress_health_check=[HealthCheck.too_slow])
def test_rows_that_are_no_records_are_counted(
    rules: Profiler, drawn: tuple[list[list[str]], dict[str, list[int]]]
) -> None:
    rows, put = drawn
    text = lines(*map(",".join, rows))
    found = rules.find(text)
    assert {kind: finding.count for kind, finding in found.items()} == {kind: len(at) for kind, at in put.items()}
    assert {kind: lines_of(finding) for kind, finding in found.items()} == {kind: at[:5] for kind, at in put.items()}
    kind = min(put)
    mended, after = rules.mended(found[kind])
    assert kind not in after
    added = ["North side"] if kind == "section rows" else []
    kept = [row for row in rows[1:] if row != PUT[kind]]
    assert [list(row)[len(added) :] for row in mended[1:]] == kept


TITLES = st.lists(st.sampled_from(["Trees", "of the park", ""]), max_size=6)


@given(TITLES, RECORDS)
@settings(max_examples=30)
def test_the_real_header_is_found(rules: Profiler, titles: list[str], records: list[tuple[str, int, int]]) -> None:
    above = [f"{title},," for title in titles]
    body = [f"{word},{count},{height}.5" for word, count, height in records]
    rules.folder.joinpath("table.csv").write_text(lines(*above, ",".join(NAMES), *body))
    table = read(rules.folder / "table.csv", rules.con)
    settled, found = settle(table)
    assert settled.ledger.header_line == len(titles) + 1
    assert list(settled.columns) == NAMES
    assert settled.relation.fetchall() == [(word, str(count), f"{height}.5") for word, count, height in records]
    above = {finding.kind: finding.count for finding in found}
    if any(titles):
        assert above == {"preamble": sum(map(bool, titles))}
    else:
        assert above == ({"header on a later row": 1} if titles else {})


@given(
    st.lists(st.sampled_from(["named", "full", "empty"]), min_size=2, max_size=6),
    st.lists(st.sampled_from([0, -1, 1]), min_size=10, max_size=20),
)
@settings(max_examples=5, phases=[Phase.explicit, Phase.generate], suppress_health_check=[HealthCheck.too_slow])
def test_unnamed_columns_and_odd_widths_are_counted(rules: Profiler, columns: list[str], widths: list[int]) -> None:
    """Columns without a name, with values and without, stand between two with names; rows lack a cell or have more."""
    kinds = ["named", "named", *columns, "named"]
    header = [f"name {at}" if kind == "named" else "" for at, kind in enumerate(kinds)]
    rows = []
    for row, more in enumerate(widths):
        cells = ["" if kind == "empty" else f"cell {row * 7 % 10}" for kind in kinds]
        rows.append([*cells, *["more"] * more][: len(kinds) + more])
    found = rules.find(lines(*map(",".join, [header, *rows])))
    counts = {
        "unnamed column with data": columns.count("full"),
        "unnamed empty column": columns.count("empty"),
        "rows of another width": len(widths) - widths.count(0),
    }
    assert {kind: finding.count for kind, finding in found.items()} == {kind: n for kind, n in counts.items() if n}
    if counts["rows of another width"]:
        odd = [line for line, more in enumerate(widths, start=2) if more]
        assert lines_of(found["rows of another width"]) == odd[:5]


def test_one_line_end_too_many_at_the_end_of_a_file_is_no_blank_row(rules: Profiler) -> None:
    body = "id,name,town\n1,Ann,Leeds\n2,Bo,York\n"
    assert "blank rows" not in rules.find(f"{body}\n")
    assert rules.find(f"{body}\n\n")["blank rows"].count == 2
    inner = rules.find(body.replace("\n2", "\n\n2"))["blank rows"]
    assert (inner.count, inner.detail) == (1, "the reader left out 1 blank line")
