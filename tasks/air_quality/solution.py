import pandas as pd

HOUR = pd.Timedelta(hours=1)
DATE_STYLES = {
    r"\d{4}-\d\d-\d\d": "%Y-%m-%d",
    r"\d\d/\d\d/\d{4}": "%d/%m/%Y",
    r"\d{8}": "%Y%m%d",
    r"\d+ [A-Z]\w\w \d{4}": "%d %b %Y",
}
STARTS = {"mil": "AQ01", "har": "AQ02", "nor": "AQ03", "nth": "AQ03", "sta": "AQ04", "old": "AQ05"}


def beginnings(stamps: pd.Series) -> pd.Series:
    """The beginning of the hour that each stamp ends."""
    parts = stamps.str.extract(r"^(?P<day>.+)[T ](?P<hour>\d\d):?00$")
    days = pd.Series(pd.NaT, index=stamps.index)
    for pattern, form in DATE_STYLES.items():
        chosen = parts["day"].str.fullmatch(pattern)
        days[chosen] = pd.to_datetime(parts.loc[chosen, "day"], format=form)
    return days + pd.to_timedelta(parts["hour"].astype(int), unit="h") - HOUR


def one_station(values: pd.Series, service: pd.DataFrame) -> pd.DataFrame:
    """Daily hours and means of a station from its values by hour."""
    days = values.index.normalize()
    for outage in service.itertuples():
        keep = (days < outage.start) | (days > outage.end)
        values, days = values[keep], days[keep]
    values = values.sort_index().asfreq("h")
    values = values.fillna((values.shift(1) + values.shift(-1)) / 2)
    daily = values.groupby(values.index.normalize()).agg(["count", "mean"])
    daily = daily[daily["count"] > 0]
    return daily.assign(mean=daily["mean"].where(daily["count"] >= 18))


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    logs = tables["raw_input_01"]
    logs = logs[logs["Time"].str[:1].str.isdigit()].copy()
    names = logs["Station"].where(logs["Station"].ne("")).ffill()
    logs["Code"] = names.str[:3].str.lower().map(STARTS)
    logs["hour"] = beginnings(logs["Time"])
    text = logs["PM10"].replace("<2", "1").str.replace(",", ".")
    logs["value"] = pd.to_numeric(text, errors="coerce")
    logs = logs[logs["value"].ge(0)].drop_duplicates(["Code", "hour"], keep="last")

    service = tables["raw_input_03"].rename(columns={"station code": "code"})
    service["start"] = pd.to_datetime(service["from"])
    service["end"] = pd.to_datetime(service["to"], errors="coerce", format="%Y-%m-%d").fillna(
        pd.Timestamp("2200-01-01")
    )

    per_station = {
        code: one_station(part.set_index("hour")["value"], service[service["code"].eq(code)])
        for code, part in logs.groupby("Code")
    }
    daily = (
        pd.concat(per_station, names=["Code", "Day"]).reset_index().rename(columns={"count": "Hours", "mean": "PM10"})
    )

    stations = tables["raw_input_02"].rename(columns={"code": "Code", "station": "Station", "zone": "Zone"})
    monthly = daily.merge(stations, on="Code").assign(
        Month=lambda d: d["Day"].dt.strftime("%Y-%m"), over=lambda d: d["PM10"].gt(50)
    )
    monthly = monthly.groupby(["Station", "Zone", "Month"], as_index=False).agg(
        **{"Days": ("PM10", "count"), "Mean PM10": ("PM10", "mean"), "Days over 50": ("over", "sum")}
    )
    daily["Day"] = daily["Day"].dt.strftime("%Y-%m-%d")
    return {"output_01": daily, "output_02": monthly.round({"Mean PM10": 1})}
