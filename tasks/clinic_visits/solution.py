"""Attendance, late cancellations and waiting times per clinic and month."""

import difflib

import numpy as np
import pandas as pd

CLINICS = {c.lower(): c for c in ["Physiotherapy", "Dermatology", "Cardiology", "Eye Clinic", "Podiatry"]}
OUTCOMES = {"attended": "A", "dna": "N", "did not attend": "N", "cancelled": "C", "canceled": "C"}


def clinic(text: str) -> str:
    """The clinic that an export's spelling stands for."""
    return CLINICS[difflib.get_close_matches(text.strip().lower(), CLINICS, n=1)[0]]


def dates(texts: pd.Series) -> pd.Series:
    """Dates from three notations; NaT where the cell is empty."""
    parsed = pd.to_datetime(texts, format="%Y-%m-%d", errors="coerce")
    for notation in ("%d/%m/%Y", "%d %b %Y"):
        parsed = parsed.fillna(pd.to_datetime(texts, format=notation, errors="coerce"))
    return parsed


def per_cent(part: pd.Series, whole: pd.Series) -> pd.Series:
    """Per cent, half up to two decimals."""
    return np.floor(100.0 * part / whole * 100 + 0.5) / 100


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    export = tables["raw_input_01"]
    export = export[export["appt"] != "appt"].drop_duplicates("appt")

    outcome = export["outcome"].str.lower().map(OUTCOMES)
    export = export[outcome.notna()].assign(outcome=outcome)
    day = dates(export["appointment"])
    wait = (day - dates(export["referred"])).dt.days
    notice = (day - dates(export["cancelled on"])).dt.days

    flags = pd.DataFrame(
        {
            "Clinic": export["clinic"].map(clinic),
            "Month": day.dt.strftime("%Y-%m"),
            "attended": export["outcome"].eq("A"),
            "missed": export["outcome"].eq("N"),
            "late": export["outcome"].eq("C") & notice.le(1),
            "quick": export["outcome"].eq("A") & wait.le(14),
        }
    )
    groups = flags.groupby(["Clinic", "Month"])
    sums = groups[["attended", "missed", "late", "quick"]].sum()
    out = pd.DataFrame(
        {
            "Booked": groups.size(),
            "Attended": sums["attended"],
            "No-show rate %": per_cent(sums["missed"], sums["attended"] + sums["missed"]),
            "Late cancellations": sums["late"],
            "In target %": per_cent(sums["quick"], sums["attended"]),
        }
    )
    return {"output_01": out.reset_index()}
