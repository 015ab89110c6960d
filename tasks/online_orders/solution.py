import numpy as np
import pandas as pd

COUNTRY_WORDS = {
    "Germany": "germany deutschland de",
    "Austria": "austria österreich at",
    "Netherlands": "netherlands nl",
    "Belgium": "belgium belgie be",
    "Denmark": "denmark danmark dk",
}


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    lines = tables["raw_input_01"].drop_duplicates(["order", "line"])
    lines = lines[lines["status"].str.strip().str.casefold() == "paid"].copy()

    shop = lines["placed"].str.contains("-", regex=False)
    lines["day"] = pd.to_datetime(
        pd.concat(
            [
                pd.to_datetime(lines.loc[shop, "placed"], format="%Y-%m-%d"),
                pd.to_datetime(lines.loc[~shop, "placed"], format="%d.%m.%y"),
            ]
        )
    )
    lines["Month"] = lines["day"].dt.strftime("%Y-%m")
    lines["qty"] = pd.to_numeric(lines["qty"], errors="coerce").fillna(1).astype(int)

    # Letters and digits of a stock number are enough to tell products apart.
    catalogue = tables["raw_input_02"].assign(key=lambda d: d["sku"].str.replace("-", "")).set_index("key")
    key = lines["sku"].str.upper().str.replace(r"\W", "", regex=True)
    lines["Category"] = key.map(catalogue["category"]).fillna("Other")
    on_clearance = key.map(catalogue["clearance"]).eq("yes")

    # Money in cents, so that sums stay exact; 0.00 is no price.
    price = pd.to_numeric(lines["price"].str.replace(",", "."), errors="coerce").replace(0, np.nan)
    price = price.fillna(key.map(catalogue["list price"].astype(float)))
    cents = (price * 100).round().astype(int)
    percent = np.select([on_clearance, lines["qty"] >= 10], [75, 90], default=100)
    lines["Sales"] = lines["qty"] * cents * percent / 10_000

    by_category = lines.groupby(["Month", "Category"], as_index=False).agg(
        Orders=("order", "nunique"), Units=("qty", "sum"), Sales=("Sales", "sum")
    )

    spelled = {word: country for country, words in COUNTRY_WORDS.items() for word in words.split()}
    people = tables["raw_input_03"].set_index("customer")["country"]
    people = people.str.strip().str.lower().str.removeprefix("the ").map(spelled)
    orders = lines.groupby(["order", "Month", "ship to"], as_index=False)["Sales"].sum().round({"Sales": 2})
    orders["Country"] = orders["ship to"].map(people)
    orders["Shipping"] = orders["Sales"].lt(60) * 4.9
    by_country = orders.groupby(["Month", "Country"], as_index=False).agg(
        Orders=("order", "size"), Sales=("Sales", "sum"), Shipping=("Shipping", "sum"), mean=("Sales", "mean")
    )
    by_country = by_country.rename(columns={"mean": "Average sale"}).round(2)
    return {"output_01": by_category.round(2), "output_02": by_country}
