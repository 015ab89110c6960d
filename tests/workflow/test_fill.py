"""Rows for what is missing, in steps of dates and of times."""

from prepsql.workflow import Workflow


def flow(rows, types, **params):
    nodes = {
        "rows": {"kind": "input", "params": {"data": rows}},
        "typed": {
            "kind": "project", "inputs": {"in": "rows"},
            "params": {"cast": [{"col": col, "type": kind} for col, kind in types.items()]},
        },
        "full": {"kind": "project", "inputs": {"in": "typed"}, "params": params},
        "out": {"kind": "output", "inputs": {"in": "full"}, "params": {"path": "output_01.csv"}},
    }  # fmt: skip
    return Workflow({"nodes": nodes})


def lines(workflow, tmp_path, **run):
    assert workflow.check() == []
    workflow.run(out=tmp_path, **run)
    return (tmp_path / "output_01.csv").read_text().splitlines()[1:]


METERS = [
    {"meter": "b", "at": "2024-03-01 23:00", "kwh": 1, "x": 0},
    {"meter": "a", "at": "2024-03-01 07:30", "kwh": 2, "x": 0},
    {"meter": "b", "at": "2024-03-02 01:00", "kwh": 3, "x": 0},
]


def test_hours_stay_hours_with_columns_chosen_in_the_same_step(tmp_path):
    fill = {"range": {"col": "at", "step": "1 hour", "by": ["meter"]}}
    hourly = flow(METERS, {"at": "TIMESTAMP"}, select=["meter", "at", "kwh"], fill=fill)
    expected = [
        "a,2024-03-01 07:30:00,2", "b,2024-03-01 23:00:00,1", "b,2024-03-02 00:00:00,", "b,2024-03-02 01:00:00,3",
    ]  # fmt: skip
    assert lines(hourly, tmp_path) == expected
    assert lines(hourly, tmp_path, trace=True) == expected


def test_ends_are_given_in_the_columns_own_type(tmp_path):
    fill = {"range": {"col": "at", "start": "2024-03-01 22:30", "end": "2024-03-01 23:30", "step": "30 minutes"}}
    found = lines(flow(METERS, {"at": "TIMESTAMP"}, select=["at", "kwh"], fill=fill), tmp_path)
    # rows outside the range stay
    assert [row for row in found if "22:00" < row[11:16] < "23:59"] == [
        "2024-03-01 22:30:00,", "2024-03-01 23:00:00,1", "2024-03-01 23:30:00,",
    ]  # fmt: skip
    assert len(found) == 5


def test_dates_stay_dates_also_when_they_are_cast_in_the_same_step(tmp_path):
    rows = [{"day": "2024-01-31"}, {"day": "2024-02-02"}]
    fill = {"range": {"col": "day", "step": "1 day"}}
    found = lines(flow(rows, {"day": "VARCHAR"}, cast=[{"col": "day", "type": "DATE"}], fill=fill), tmp_path)
    assert found == ["2024-01-31", "2024-02-01", "2024-02-02"]


def test_steps_of_time_over_text_or_numbers_are_refused():
    for kind, mend in (("VARCHAR", "cast it in a project step before"), ("BIGINT", "give a number")):
        fill = {"range": {"col": "n", "step": "1 day"}}
        (found,) = flow([{"n": "1"}], {"n": kind}, fill=fill).check()
        assert (found.step, found.parameter, found.code) == ("full", "fill.range.step", "wrong_type")
        assert kind in found.message
        assert found.suggestion == mend
