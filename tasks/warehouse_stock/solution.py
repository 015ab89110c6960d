"""Stock at the end of October, its cover, and what to do about it."""

import numpy as np
import pandas as pd

SIGN = {"issue": -1, "issued": -1, "transfer out": -1}
WAREHOUSES = {"hull": "Hull", "leeds": "Leeds", "gent": "Gent", "ghent": "Gent"}


def key(codes: pd.Series) -> pd.Series:
    """Item codes without case, hyphens and blanks."""
    return codes.str.upper().str.replace(r"[-\s]", "", regex=True)


def pieces(text: str) -> float:
    """A counted number of pieces, also as boxes x pieces; NaN where nothing was counted."""
    try:
        return float(np.prod([int(part) for part in text.replace(",", "").split("x")]))
    except ValueError:
        return np.nan


def pounds(text: str) -> float:
    """A cost in pounds."""
    return float(text[:-1]) / 100 if text.endswith("p") else float(text.lstrip("£"))


def last_counts(sheets: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """The last count of each item and warehouse, under the new code."""
    sheets = sheets.set_axis(["counted", "item", "Warehouse", "pieces", "by"], axis=1)
    sheets = sheets[sheets["item"] != ""]
    sheets = sheets.assign(old=key(sheets["item"]), pieces=sheets["pieces"].map(pieces)).dropna(subset="pieces")
    sheets = sheets.sort_values("counted").drop_duplicates(["old", "Warehouse"], keep="last")
    return sheets.merge(items, on="old", validate="many_to_one")


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    items = tables["raw_input_03"]
    items = items.assign(old=key(items["old code"]), cost=items["unit cost"].map(pounds))
    lines = last_counts(tables["raw_input_01"], items)

    moves = tables["raw_input_02"]
    moves = moves.assign(
        Warehouse=moves["warehouse"].str.strip().str.lower().map(WAREHOUSES),
        kind=moves["movement"].str.lower().str.replace("-", " "),
        pieces=moves["pieces"].str.replace(",", "").astype(int),
    )
    moves["change"] = moves["pieces"] * moves["kind"].map(SIGN).fillna(1).astype(int)

    place = ["code", "Warehouse"]
    since = lines[[*place, "counted"]].merge(moves.rename(columns={"item": "code"}), on=place)
    change = since[since["date"] > since["counted"]].groupby(place)["change"].sum().rename("change")
    october = moves[moves["date"].str.startswith("2024-10") & moves["kind"].str.startswith("issue")]
    issued = october.rename(columns={"item": "code"}).groupby(place)["pieces"].sum().rename("issued")
    lines = lines.join(change, on=place).join(issued, on=place)

    lines["Stock"] = (lines["pieces"] + lines["change"].fillna(0)).astype(int)
    cover = lines["Stock"] / (lines["issued"] / 31)
    lines["Days of cover"] = np.floor(cover * 10 + 0.5) / 10
    lines["Action"] = np.select(
        [lines["blocked"].eq("yes"), lines["Stock"].le(lines["reorder at"].astype(int)), cover.isna() | cover.gt(90)],
        ["hold", "reorder", "surplus"],
        "keep",
    )
    lines = lines.rename(columns={"code": "Item", "description": "Description"}).sort_values(["Item", "Warehouse"])

    summary = (
        lines.assign(
            reorder=lines["Action"].eq("reorder"),
            surplus=lines["Action"].eq("surplus"),
            value=lines["Stock"] * lines["cost"],
        )
        .groupby("Warehouse", as_index=False)
        .agg(
            **{
                "Lines": ("Item", "size"),
                "To reorder": ("reorder", "sum"),
                "Surplus": ("surplus", "sum"),
                "Stock value": ("value", "sum"),
            }
        )
        .round({"Stock value": 2})
    )
    columns = ["Item", "Description", "Warehouse", "Stock", "Days of cover", "Action"]
    return {"output_01": lines[columns].reset_index(drop=True), "output_02": summary}
