import pandas as pd

UNITS = {"d": 1440, "h": 60, "m": 1}


def to_minutes(text: pd.Series) -> pd.Series:
    """Add up the parts of each duration; bare numbers are minutes, h:mm is hours and minutes."""
    tidy = text.str.strip().str.replace(r"^(\d+):(\d\d)$", r"\1h \2m", regex=True)
    tidy = tidy.str.replace(r"^(\d+)$", r"\1m", regex=True)
    parts = tidy.str.extractall(r"(?P<amount>\d+(?:\.\d+)?)\s*(?P<unit>[dhm])")
    total = (parts["amount"].astype(float) * parts["unit"].map(UNITS)).groupby(level=0).sum()
    return total.reindex(text.index)


def solve(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    tickets = tables["raw_input_01"]
    tickets = tickets[tickets["Ticket"].str.match(r"T-\d+$")].drop_duplicates("Ticket", keep="last")
    tickets = tickets[tickets["Status"].isin(["Solved", "Closed"])].copy()

    iso = pd.to_datetime(tickets["Opened"], format="%Y-%m-%d %H:%M", errors="coerce")
    opened = iso.fillna(pd.to_datetime(tickets["Opened"], format="%d/%m/%Y %H:%M", errors="coerce"))
    tickets["Month"] = opened.dt.strftime("%Y-%m")
    tickets["Team"] = tickets["Team"].str.strip().str.capitalize()
    tickets["reply"] = to_minutes(tickets["First reply"])
    tickets["spent"] = to_minutes(tickets["Worked"])

    plans = tables["raw_input_02"].set_index("contract no")["plan"]
    urgent = tickets["Priority"].str.strip().str.lower().isin(["urgent", "urgnet", "p1"])
    promise = (
        pd.Series(480, index=tickets.index).mask(urgent, 120).mask(tickets["Account"].map(plans).eq("Trial"), 1440)
    )
    tickets["late"] = ~tickets["reply"].le(promise)

    teams = tickets.groupby(["Month", "Team"], as_index=False).agg(
        **{
            "Tickets": ("Ticket", "size"),
            "Late": ("late", "sum"),
            "Late %": ("late", "mean"),
            "Typical minutes": ("spent", "median"),
        }
    )
    teams["Late %"] = (teams["Late %"] * 100).round(1)
    return {
        "output_01": teams.sort_values(["Month", "Late %", "Team"], ascending=[True, False, True], ignore_index=True)
    }
