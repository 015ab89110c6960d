import re

import numpy as np
import pandas as pd


def amount(text: str) -> float:
    """Read '1,250.00', 'USD 1,250.00', '(1,250.00)' or '1,250.00-'; anything without a digit is missing."""
    found = re.search(r"\d[\d,]*\.\d\d", text)
    if not found:
        return np.nan
    value = float(found.group().replace(",", ""))
    return -value if text.startswith("(") or text.endswith("-") else value


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    ledger = tables["raw_input_01"].copy()
    ledger.columns = ["grant", "purpose", "funder", "adopted", "revised", "spent"]

    # A heading fills the first cell alone; remarks do so too, but start with "Note" or a star.
    alone = ledger["grant"].ne("") & ledger.drop(columns="grant").eq("").all(axis=1)
    remark = ledger["grant"].str.startswith(("Note", "*"))
    headings = ledger["grant"].where(alone & ~remark)
    ledger["Department"] = headings.str.removesuffix(" (continued)").ffill()

    is_grant = ledger["grant"].str.fullmatch(r"[A-Z]{2}-\d{3}(?:/\d)?")
    own = ledger[is_grant & ledger["funder"].str.strip().str.casefold().eq("city")].copy()
    for column in ["adopted", "revised", "spent"]:
        own[column] = own[column].map(amount)
    own["Budget"] = own["revised"].fillna(own["adopted"])
    own["Spent"] = own["spent"].fillna(0)

    result = own.groupby("Department", as_index=False).agg(
        Grants=("grant", "size"), Budget=("Budget", "sum"), Spent=("Spent", "sum")
    )
    result["Left"] = (result["Budget"] - result["Spent"]).round(2)
    result["Used %"] = (result["Spent"] / result["Budget"] * 100).round(1)
    result["Nearly used up"] = np.where(result["Used %"] >= 90, "yes", "no")
    result = result.sort_values(["Used %", "Department"], ascending=[False, True], ignore_index=True)
    return {"output_01": result}
