"""The page on reports tells every figure, every measure and every table, and its query runs."""

import re
from pathlib import Path

import duckdb

from prepsql.cli.report_command import command
from prepsql.evaluate.metrics import METRICS
from prepsql.evaluate.metrics.views import MEASURES
from prepsql.evaluate.record_schema import SCHEMA
from tests.evaluate.reports.made import passes, record, together

PAGE = (Path(__file__).resolve().parent.parent.parent / "docs" / "reports.md").read_text(encoding="utf-8")


def part(heading):
    return re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]


def test_each_figure_stands_once_in_the_order_of_a_report():
    assert re.findall(r"^\| `(\w+)` \|", part("Figures"), re.MULTILINE) == list(METRICS)


def test_each_measure_and_each_table_is_named():
    columns = " ".join(re.findall(r"^\| ([^|]+) \|", part("The table"), re.MULTILINE))
    assert [name for name in MEASURES.values() if name not in columns] == []
    assert set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\|([^|]+)\|", part("The tables"), re.MULTILINE)))) == {
        *SCHEMA
    }


def test_its_options_are_those_of_the_command():
    options = {name for option in command.params for name in option.opts if name.startswith("--")}
    assert set(re.findall(r"--[a-z][a-z-]+", PAGE)) - {"--out"} == options


def test_the_query_finds_what_it_says(tmp_path):
    query = re.search(r"```sql\n(.*?)```", PAGE, re.DOTALL)[1]
    entries = [{"task": f"t{at}", "entry": entry, "kind": "Row-level concept"} for at in (1, 2) for entry in "ab"]
    folder = record(
        tmp_path / "run", **together(passes("direct", "WC"), passes("codegen", "CC"), {"task_entries": entries})
    )
    with duckdb.connect(str(folder / "record.duckdb"), read_only=True) as con:
        assert con.execute(query).fetchall() == [("t1", "Row-level concept", 2)]
