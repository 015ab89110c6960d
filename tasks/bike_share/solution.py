"""Trips, minutes and revenue by district, month and rider; the ten busiest routes."""

import difflib
import re

import numpy as np
import pandas as pd

OUTSIDE = ["", "NULL", "-", "unknown"]


def seconds(text: str) -> int:
    """A duration in seconds, from any of its notations."""
    total = 0
    for number in re.findall(r"\d+", text):
        total = total * 60 + int(number)
    return total


def stations_of(written: pd.Series, names: list[str]) -> pd.Series:
    """The listed station for each written one; NaN where the bike was left outside."""
    folded = {name.lower(): name for name in names}
    meant = {
        text: folded[difflib.get_close_matches(text.strip().lower(), folded, n=1)[0]]
        for text in written.unique()
        if text not in OUTSIDE
    }
    return written.map(meant)


def read_trips(export: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """One typed row a trip."""
    export = export[export["trip"].str.fullmatch(r"T\d+")].drop_duplicates("trip")
    start = pd.to_datetime(export["started"], format="%Y-%m-%d %H:%M", errors="coerce")
    start = start.fillna(pd.to_datetime(export["started"], format="%d/%m/%Y %H:%M", errors="coerce"))
    return pd.DataFrame(
        {
            "start": start,
            "seconds": export["duration"].map(seconds),
            "From": stations_of(export["from station"], names),
            "To": stations_of(export["to station"], names),
            "Rider": np.where(export["rider"].str.strip().str.lower().eq("casual"), "casual", "member"),
            "electric": export["bike"].str.startswith("E"),
        }
    )


def cents(trips: pd.DataFrame) -> pd.Series:
    """The fare of each trip."""
    member = trips["Rider"].eq("member")
    time = (trips["Minutes"] - 30).clip(lower=0).mul(10).where(member, 100 + 15 * trips["Minutes"])
    ride = time + 5 * trips["Minutes"] * trips["electric"]
    ride = ride.mask(member & trips["start"].dt.day_name().eq("Sunday"), 0)
    return ride + 500 * trips["To"].isna()


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    stations = tables["raw_input_02"]
    trips = read_trips(tables["raw_input_01"], list(stations["station"]))
    trips = trips[~(trips["From"].eq(trips["To"]) & trips["seconds"].lt(120))].copy()

    trips["Minutes"] = -(-trips["seconds"] // 60)
    trips["Revenue"] = cents(trips)
    trips["District"] = trips["From"].map(stations.set_index("station")["district"])
    trips["Month"] = trips["start"].dt.strftime("%Y-%m")
    summary = (
        trips.groupby(["District", "Month", "Rider"])
        .agg(Trips=("start", "size"), Minutes=("Minutes", "sum"), Revenue=("Revenue", "sum"))
        .reset_index()
    )
    summary["Revenue"] = summary["Revenue"] / 100

    routes = trips[trips["To"].notna() & trips["To"].ne(trips["From"])]
    top = routes.groupby(["From", "To"], as_index=False).agg(Trips=("electric", "size"), share=("electric", "sum"))
    top = top.sort_values(["Trips", "From", "To"], ascending=[False, True, True], ignore_index=True).head(10)
    top["E-bike share %"] = np.floor(100 * top.pop("share") / top["Trips"] * 100 + 0.5) / 100
    top.insert(0, "Rank", range(1, 11))
    return {"output_01": summary, "output_02": top}
