"""Daily energy, night share and peak load of each site."""

import difflib

import numpy as np
import pandas as pd

SITES = [
    "Mill Lane", "Canal Depot", "Town Hall", "North School", "Swimming Bath", "Library", "Water Works", "Fire Station",
    "Old Brewery",
]  # fmt: skip


def site(text: str) -> str:
    """The site that a name in the meter list stands for."""
    return difflib.get_close_matches(text.title(), SITES, n=1)[0]


def half_up(values: pd.Series, decimals: int) -> pd.Series:
    """Rounded half up."""
    return np.floor(values * 10**decimals + 0.5) / 10**decimals


def monthly_matrix(lines: pd.DataFrame) -> pd.DataFrame:
    """Readings of all meters (columns) at all hours (rows), gaps filled."""
    lines = lines[lines["time"] != ""]
    lines = lines[lines["time"] != "time"].copy()
    lines["meter"] = lines["meter"].str.upper().str.replace("-", "")
    swapped = lines["time"].str.replace(r"^(\d\d)\.(\d\d)\.(\d{4})", r"\3-\2-\1", regex=True).str.replace("T", " ")
    lines["time"] = pd.to_datetime(swapped, format="%Y-%m-%d %H:%M")
    value = pd.to_numeric(lines["reading"].str.replace(",", "."), errors="coerce")
    lines["value"] = value.mask(lines["flag"].eq("F") | value.lt(0))

    last = lines.drop_duplicates(["meter", "time"], keep="last")
    matrix = last.pivot(index="time", columns="meter", values="value")
    matrix = matrix.reindex(pd.date_range("2024-11-01", periods=720, freq="h", name="time"))
    return matrix.fillna(matrix.groupby(matrix.index.hour).transform("mean"))


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    matrix = monthly_matrix(tables["raw_input_01"])

    load = {}
    for stay in tables["raw_input_02"].to_dict("records"):
        factor = float(stay["CT ratio"] or 1) / (1000 if stay["unit"] == "Wh" else 1)
        until = f"{stay['to'] or '2024-11-30'} 23:59"
        part = matrix.loc[stay["from"] : until, stay["meter"].replace("-", "")] * factor
        name = site(stay["site"])
        load[name] = load[name].add(part, fill_value=0) if name in load else part
    hourly = pd.DataFrame(load).reindex(matrix.index)

    night = hourly[(hourly.index.hour >= 22) | (hourly.index.hour <= 5)]
    daily = pd.DataFrame(
        {
            "kWh": hourly.resample("D").sum(min_count=1).unstack(),
            "night": night.resample("D").sum().unstack(),
            "peak": hourly.resample("D").max().unstack(),
        }
    ).dropna(subset="kWh")
    out = daily.rename_axis(["Site", "Day"]).reset_index().sort_values(["Site", "Day"], ignore_index=True)
    out["Night share %"] = half_up(100 * out["night"] / out["kWh"], 1)
    out["Peak kW"] = half_up(out["peak"], 3)
    out["kWh"] = half_up(out["kWh"], 3)
    return {"output_01": out[["Site", "Day", "kWh", "Night share %", "Peak kW"]]}
