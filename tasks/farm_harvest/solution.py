"""Kilos per variety and block, from the picking diary."""

import difflib

import numpy as np
import pandas as pd

VARIETIES = {"elstar": "Elstar", "braeburn": "Braeburn", "topaz": "Topaz", "santana": "Santana"}


def variety(text: str) -> str:
    """The variety that a diary spelling stands for."""
    return VARIETIES[difflib.get_close_matches(text.strip().lower(), VARIETIES, n=1)[0]]


def kilos(text: str) -> float:
    """A written weight in kilos; NaN where none was written."""
    number, _, unit = text.replace(",", "").partition(" ")
    try:
        return float(number) * (1000 if unit == "t" else 1)
    except ValueError:
        return float("nan")


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    diary = tables["raw_input_01"]
    is_pick = diary["day"].str.match(r"\d{4}-") & diary["block"].ne("")
    picks = diary[is_pick].copy()
    picks["Variety"] = picks["variety"].map(variety)
    picks["kilos"] = picks["graded out"].map(kilos)
    picks["bins"] = picks["bins"].astype(int)

    picks = picks.dropna(subset=["kilos"])
    picks = picks[picks["day"] <= "2024-10-03"]

    out = (
        picks.rename(columns={"block": "Block"})
        .groupby(["Variety", "Block"], as_index=False)
        .agg(**{"Picking days": ("day", "nunique"), "Total kg": ("kilos", "sum"), "bins": ("bins", "sum")})
    )
    out["Kg per bin"] = np.floor(out["Total kg"] / out.pop("bins") * 10 + 0.5) / 10
    out["Total kg"] = out["Total kg"].round().astype(int)
    return {"output_01": out}
