import numpy as np
import pandas as pd

TESTS = pd.MultiIndex.from_product(
    [["Maths", "Physics", "Chemistry", "History"], ["T1", "T2", "Exam"]], names=["Subject", "part"]
)


def read_scores(entries: pd.Series) -> pd.Series:
    """Turn entries such as 71, 71,5, 68 %, 33/50 and abs into points out of 100."""
    text = entries.str.strip().str.casefold().replace({"abs": "0"})
    halves = text.str.extract(r"^([\d.,]+)/50$")[0]
    plain = text.str.extract(r"^(\d+(?:[.,]\d+)?)(?:\s*%)?$")[0]
    points = [pd.to_numeric(part.str.replace(",", "."), errors="coerce") for part in (halves, plain)]
    return (points[0] * 2).fillna(points[1])


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    sheet = tables["raw_input_01"]
    sheet = sheet[pd.to_numeric(sheet.iloc[:, 0], errors="coerce").notna()]
    wide = sheet.iloc[:, 1:].set_axis(TESTS, axis=1).set_axis(sheet.iloc[:, 0].astype(int).rename("Candidate"))
    long = wide.stack(["Subject", "part"], future_stack=True).rename("entry").reset_index()

    long["score"] = read_scores(long["entry"])
    long = long.dropna(subset="score")
    long["weight"] = np.where(long["part"].eq("Exam"), 2, 1)
    long["points"] = long["score"] * long["weight"]
    totals = long.groupby(["Candidate", "Subject"])[["points", "weight"]].sum()
    marks = (totals["points"] / totals["weight"]).rename("raw").reset_index()

    roster = tables["raw_input_02"].assign(Candidate=lambda d: d["candidate no"].astype(int))
    roster = roster[~roster["status"].isin(["withdrawn", "on leave"])]
    spelling = roster["programme"].str.strip().str.lower().str[:3]
    roster["Programme"] = spelling.map({"nat": "Natural Sciences", "eng": "Engineering", "hum": "Humanities"})

    detail = marks.merge(roster[["Candidate", "Programme"]], on="Candidate")
    detail["Mark"] = detail["raw"].round(3)
    detail["Result"] = np.where(detail["Mark"].ge(50), "pass", "fail")
    detail = detail.sort_values(["Candidate", "Subject"], ignore_index=True)

    summary = (
        detail.assign(passed=detail["Result"].eq("pass"))
        .groupby(["Programme", "Subject"], as_index=False)
        .agg(**{"Students": ("Mark", "size"), "Average mark": ("Mark", "mean"), "Pass rate": ("passed", "mean")})
    )
    summary["Pass rate"] *= 100
    return {
        "output_01": detail[["Candidate", "Programme", "Subject", "Mark", "Result"]],
        "output_02": summary.round({"Average mark": 1, "Pass rate": 1}),
    }
