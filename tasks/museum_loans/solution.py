"""The long overdue loans, their value, and how they travel home."""

import re
import unicodedata

import numpy as np
import pandas as pd

TODAY = pd.Timestamp(2024, 6, 30)
COLUMNS = ["loan", "number", "borrower", "sent", "due", "returned", "insured", "estimate", "note"]
DITTO = ["ditto", '"']


def fold(name: str) -> str:
    """A name without case, accents, blanks and punctuation."""
    return re.sub(r"\W", "", unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower())


def dates(texts: pd.Series) -> pd.Series:
    """Dates of three notations; NaT for anything else."""
    parsed = [pd.to_datetime(texts, format=f, errors="coerce") for f in ("%Y-%m-%d", "%d.%m.%Y", "%d %b %Y")]
    return parsed[0].fillna(parsed[1]).fillna(parsed[2])


def pounds(text: str) -> float:
    """An amount in pounds; NaN where there is none."""
    found = re.fullmatch(r"([£€]?)([\d.,]+)([km]?)", text.strip())
    if not found:
        return np.nan
    sign, digits, scale = found.groups()
    factor = {"": 1, "k": 1_000, "m": 1_000_000}[scale] * (0.85 if sign == "€" else 1)
    return round(float(digits.replace(",", "")) * factor)


def transport(loan: pd.Series) -> str:
    """The means of transport of one loan."""
    if not loan["Value GBP"] <= 100_000:  # more, or unknown
        return "courier"
    return "art van" if loan["material"].strip().lower() in ("glass", "ceramic") else "parcel"


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    register = tables["raw_input_01"].set_axis(COLUMNS, axis=1)
    section = register["loan"].ne("") & register["number"].eq("")
    register["Exhibition"] = register["loan"].where(section).ffill()
    loans = register[register["loan"].str.startswith("L-")].copy()

    written = loans.loc[~loans["borrower"].isin(DITTO), "borrower"]
    usual = written.groupby(written.map(fold)).agg(lambda names: names.value_counts().index[0])
    loans["Borrower"] = loans["borrower"].mask(loans["borrower"].isin(DITTO)).ffill().map(fold).map(usual)

    loans["Days overdue"] = (TODAY - dates(loans["due"])).dt.days
    loans = loans[dates(loans["returned"]).isna() & loans["Days overdue"].gt(60)]

    loans["Value GBP"] = loans["insured"].map(pounds)
    loans = loans.merge(
        tables["raw_input_02"][["former number", "title", "material"]],
        left_on="number",
        right_on="former number",
        validate="one_to_one",
    )
    loans["Transport"] = loans.apply(transport, axis=1)
    loans["Days overdue"] = loans["Days overdue"].astype(int)
    loans["Value GBP"] = loans["Value GBP"].astype("Int64")
    out = loans.rename(columns={"loan": "Loan", "title": "Title"}).sort_values(
        ["Days overdue", "Loan"], ascending=[False, True]
    )
    columns = ["Loan", "Exhibition", "Borrower", "Title", "Days overdue", "Value GBP", "Transport"]
    return {"output_01": out[columns].reset_index(drop=True)}
