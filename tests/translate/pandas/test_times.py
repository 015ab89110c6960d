"""Columns of times, and calendars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

Translate = Callable[..., tuple[Any, Mapping[str, str], Mapping[str, str]]]
LOG = """
    at,who,v
    2024-01-01 08:00:00,a,1
    2024-02-29 08:07:30,b,2
    2024-12-30 23:59:59,a,
    ,a,4
    2023-12-31 00:00:00,b,5
    2024-03-31 12:30:00,a,6
    """

PARTS = """
iso = df["at"].dt.isocalendar()
df["week"] = iso.week
df["iso_year"] = df["at"].dt.isocalendar()["year"]
df["up"] = df["at"].dt.ceil("h")
df["quarter_hour"] = df["at"].dt.floor("15min")
df["six"] = df["at"].dt.ceil("6h")
df["quarter_starts"], df["quarter_ends"] = df["at"].dt.is_quarter_start, df["at"].dt.is_quarter_end
df["year_starts"], df["year_ends"] = df["at"].dt.is_year_start, df["at"].dt.is_year_end
df["leap"] = df["at"].dt.is_leap_year
df["label"] = df["at"].dt.strftime("%G-W%V-%u")
df["seconds"] = (df["at"] - df["at"].min()).dt.seconds
df["monday"] = df["at"].dt.normalize() - pd.to_timedelta(df["at"].dt.weekday, unit="D")
out = df
"""
ZONES = """
u = df["at"].dt.tz_localize("US/Eastern").dt.tz_convert("UTC")
df["u"], df["l"] = u, u.dt.tz_convert("Europe/London")
df["hour"], df["day"], df["name"] = df["l"].dt.hour, df["l"].dt.date, df["l"].dt.day_name()
df["naive"], df["floor"] = df["l"].dt.tz_localize(None), df["l"].dt.floor("D")
df["late"] = df["l"] > pd.Timestamp("2024-02-01", tz="Asia/Tokyo")
df["gap"] = (df["u"] - df["l"].shift()).dt.total_seconds()
df["again"] = pd.to_datetime(df["at"].dt.strftime("%Y-%m-%d %H:%M:%S") + "+02:00", utc=True)
out = df.sort_values("u").drop(columns="at")
"""
SPANS = """
df["after"] = df["at"] - df["at"].min()
df["text"] = df["after"].astype(str)
df["weeks"] = df["after"] // pd.Timedelta(days=7)
df["clock"] = pd.to_timedelta(df["at"].dt.strftime("%H:%M:%S")).dt.total_seconds()
df["short"] = df["at"].dt.strftime("%F %R %e %D")
out = df.drop(columns="after")
"""
CALENDARS = [
    "cal = pd.DataFrame({'day': pd.date_range('2024-02-20', '2024-03-05')})\n"
    "df['day'] = df['at'].dt.normalize()\nout = cal.merge(df, on='day', how='left')",
    "days = pd.date_range(df['at'].dt.normalize().min(), df['at'].dt.normalize().max(), freq='D')\n"
    "n = df.groupby(df['at'].dt.normalize())['v'].sum().reindex(days, fill_value=0)\n"
    "n.index.name = 'day'\nout = n.reset_index().head(70)",
    "out = pd.DataFrame({'month': pd.date_range('2023-01-31', '2024-12-31', freq='ME')})",
    "out = pd.DataFrame({'d': pd.date_range('2024-01-01', periods=3, freq='W'), 'n': range(3)})",
]


def program(body: str) -> str:
    """Return a program that reads `df` and has these lines."""
    read = "df = pd.read_csv(inputs_dir / 'input_01.csv', parse_dates=['at'])"
    lines = "\n".join(f"    {line}" for line in [read, *body.strip().split("\n")])
    return f"import pandas as pd\ndef solve(inputs_dir):\n{lines}\n    return {{'output_01': out}}\n"


@pytest.mark.parametrize(
    "body",
    [PARTS, ZONES, SPANS, *CALENDARS],
    ids=["parts", "zones", "spans", "days", "days of data", "months", "weeks"],
)
def test_times_become_steps(translated: Translate, body: str) -> None:
    draft, made, real = translated(program(body), input_01=LOG)
    assert made == real
    assert all(node["kind"] != "script" for node in draft.document["nodes"].values())
