import pandas as pd

FORMATS = ["%Y-%m-%d", "%d.%m.%Y", "%d %b %Y"]
CHANNELS = {"b": "Booking portal", "d": "Direct", "t": "Travel agency", "c": "Corporate", "w": "Walk-in"}


def to_dates(text: pd.Series) -> pd.Series:
    """Parse each of the three date styles in turn."""
    text = text.str.replace("Sept ", "Sep ", regex=False)
    dates = pd.Series(pd.NaT, index=text.index)
    for form in FORMATS:
        dates = dates.fillna(pd.to_datetime(text, format=form, errors="coerce"))
    return dates


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    bookings = tables["raw_input_01"]
    bookings = bookings[bookings["Status"].str.upper().isin({"CHECKED OUT", "IN HOUSE"})].copy()
    bookings["Channel"] = bookings["Channel"].str[0].str.lower().map(CHANNELS)

    digits = bookings["Rate"].str.extract(r"(\d+)[.,](\d\d)").astype(float)
    bookings["cents"] = digits[0] * 100 + digits[1]
    bookings = bookings.dropna(subset="cents")

    departure = to_dates(bookings["Departure"])
    bookings["nights"] = (departure - to_dates(bookings["Arrival"])).dt.days
    bookings["Month"] = departure.dt.to_period("M").astype(str)

    # The long stay's 20 % beats the direct booker's 10 %; they don't add up.
    percent = (
        pd.Series(100, index=bookings.index)
        .mask(bookings["Channel"].eq("Direct"), 90)
        .mask(bookings["nights"].ge(7), 80)
    )
    bookings["paid"] = bookings["cents"] * bookings["nights"] * percent

    months = bookings.groupby(["Month", "Channel"], as_index=False).agg(
        Stays=("nights", "size"), Nights=("nights", "sum"), Revenue=("paid", "sum")
    )
    months["Revenue"] /= 10_000
    months["Average rate"] = (months["Revenue"] / months["Nights"]).round(2)
    return {"output_01": months.round({"Revenue": 2})}
