"""Rows that meet another table's while one is followed, cells at a row's label, and states that begin anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.translate.pandas.shown import scripts
from tests.translate.pandas.test_loops import MOVES, STAFF, program

Translate = Callable[..., tuple[Any, Mapping[str, str], Mapping[str, str]]]

MASKS = [
    """rows = []
for _, r in df.iterrows():
    own = df[df["boss"] == r["id"]]
    rows.append({"id": r["id"], "n": len(own), "pay": own["pay"].sum(), "best": own["pay"].max()})
out = pd.DataFrame(rows)""",
    """def first(r):
    m = df[(df["team"] == r["team"]) & (df["pay"] > r["pay"])]
    if m.empty:
        return "nobody"
    return m.sort_values("pay").iloc[0]["name"]
df["next"] = df.apply(first, axis=1)
out = df""",
    """df["rank"] = df["pay"].apply(lambda p: (df["pay"] > p).sum() + 1)
df["moves"] = df["team"].map(lambda t: moves.loc[moves["n"] > len(str(t)), "n"].mean())
out = df""",
    """def last(item):
    v = moves.loc[moves["item"] == item, "n"].values
    return v[-1] if len(v) > 0 else 0
items = pd.DataFrame({"item": moves["item"].unique()})
items["last"] = items["item"].apply(last)
out = items""",
]
LOOPS = [
    """rows = []
for _, a in df.iterrows():
    for _, b in moves.iterrows():
        if b["n"] > a["id"]:
            rows.append((a["id"], b["item"], b["n"] - a["id"]))
out = pd.DataFrame(rows, columns=["id", "item", "v"])""",
    """rows = []
for a in df.itertuples():
    for b in df.itertuples():
        if a.Index < b.Index and a.team == b.team:
            rows.append({"a": a.name, "b": b.name})
out = pd.DataFrame(rows)""",
    """def rate(pay):
    for _, m in moves.iterrows():
        if m["n"] < pay - 38:
            return m["item"]
    return "none"
df["rate"] = df["pay"].apply(rate)
out = df""",
    """rows = []
for _, a in df.iterrows():
    total, found = 0, None
    for _, b in moves.iterrows():
        if b["n"] >= a["id"]:
            total += b["n"]
    for _, b in moves.iterrows():
        if b["n"] == a["id"]:
            found = b["item"]
            break
    rows.append({"id": a["id"], "total": total, "found": found})
out = pd.DataFrame(rows)""",
    """from itertools import combinations
rows = []
for a, b in combinations(df["id"].tolist(), 2):
    rows.append({"a": a, "b": b, "s": a * b})
out = pd.DataFrame(rows)""",
    """df["n"] = df["id"].apply(lambda i: sum(1 for _, m in moves.iterrows() if m["n"] == i))
out = df""",
]
PLACES = [
    """df["flag"] = "no"
for i, r in df[df["pay"] > 41].iterrows():
    df.loc[i, "flag"] = "yes" if pd.notna(r["boss"]) else "top"
out = df""",
    """mean = moves.groupby("item")["n"].mean()
names = moves.drop_duplicates("item").set_index("item")
df["item"] = df["id"].map({1: "p", 2: "q", 3: "r", 4: "p", 5: "z", 6: "q"})
df["mean"] = df["item"].apply(lambda k: mean[k] if k in mean.index else -1)
df["kind"] = [names.loc[k, "kind"] if k in names.index else "none" for k in df["item"]]
out = df""",
    """df["kind"] = ""
for i, r in df.iterrows():
    if r["pay"] > 41:
        df.at[i, "kind"] = "high"
    elif pd.notna(r["boss"]):
        df.loc[i, "kind"] = "low"
        df.loc[i, "pay"] = r["pay"] + 1
out = df""",
    """vals = []
for i in range(len(df)):
    if i > 0 and df.loc[i, "team"] == df.loc[i - 1, "team"]:
        vals.append(df["pay"].iloc[i] - df.iloc[i - 1]["pay"])
    else:
        vals.append(0)
df["gap"] = vals
out = df""",
    """pays = df["pay"].tolist()
df["up"] = False
for i in range(1, len(pays)):
    if pays[i] > pays[i - 1]:
        df.loc[i, "up"] = True
out = df""",
]
RUNS = [
    """team, n, rows = None, 0, []
for r in df.sort_values(["team", "id"]).itertuples():
    if r.team != team:
        n = 0
        team = r.team
    n += r.pay
    rows.append({"id": r.id, "n": n})
out = pd.DataFrame(rows)""",
    """streak, res = 0, []
for p in df["pay"]:
    if p >= 41:
        streak += 1
    else:
        streak = 0
    res.append(streak)
df["streak"] = res
out = df""",
    """best, low, tops = 0, None, []
for p in df["pay"]:
    best = max(best, p)
    if low is None or p < low:
        low = p
    tops.append((best, low))
out = pd.DataFrame(tops, columns=["best", "low"])""",
]
WAYS = [
    """rows = []
for _, r in df.iterrows():
    s, what = 0, "none"
    if r["pay"] > 40:
        s += 1
    if r["pay"] > 41 and r["id"] < 5:
        s += 2
    if r["team"] == "x":
        s += 3
        what = "x"
    if pd.isna(r["boss"]):
        s += 4
    if pd.isna(r["name"]):
        what = what + "!"
    if r["id"] % 2 == 0:
        s += 5
    if r["id"] > 4:
        s = -s
    rows.append({"id": r["id"], "s": s, "what": what})
out = pd.DataFrame(rows)""",
    """def fix(r):
    if pd.isna(r["name"]):
        r["name"] = "?"
    if pd.isna(r["team"]):
        r["team"] = "none"
    if r["pay"] > 41:
        r["pay"] = 41
    if r["team"] == "x" or r["team"] == "y":
        r["team"] = r["team"].upper()
    if r["id"] > 3:
        r["id"] = 0
    if r["name"] == "Ann" and r["team"] == "X":
        r["name"] = "A"
    if pd.isna(r["boss"]):
        r["boss"] = 0
    return r
out = df.apply(fix, axis=1)""",
]
KEYS = [
    """last, gaps = {}, []
for r in moves.itertuples():
    gaps.append(r.n - last[r.item] if r.item in last else 0)
    last[r.item] = r.n
moves["gap"] = gaps
out = moves""",
    """most = {}
for _, r in moves.iterrows():
    if r["item"] not in most or r["n"] > most[r["item"]]:
        most[r["item"]] = r["n"]
out = pd.DataFrame([(k, v) for k, v in most.items()], columns=["item", "most"])""",
    """total = defaultdict(int)
for r in moves.itertuples():
    total[(r.item, r.kind)] += r.n
rows = []
for (item, kind), n in sorted(total.items()):
    rows.append({"item": item, "kind": kind, "n": n})
out = pd.DataFrame(rows)""",
    """stats = {}
for _, r in moves.iterrows():
    if r["item"] not in stats:
        stats[r["item"]] = {"in": 0, "out": 0, "n": 0}
    stats[r["item"]]["n"] += 1
    if r["kind"] == "in":
        stats[r["item"]]["in"] += r["n"]
    else:
        stats[r["item"]]["out"] += r["n"]
out = pd.DataFrame([{"item": k, "left": v["in"] - v["out"], "n": v["n"]} for k, v in stats.items()])""",
    """last, number, ids = {}, {}, []
for i in range(len(moves)):
    item, n = moves.at[i, "item"], moves.at[i, "n"]
    if item == "r":
        ids.append(None)
        continue
    if item not in last or n - last[item] < 0:
        number[item] = number.get(item, 0) + 1
    last[item] = n
    ids.append(f"{item}-{number[item]}")
moves["id"] = ids
out = moves""",
    """stats = {}
for _, r in moves.iterrows():
    stats.setdefault(r["item"], {"n": 0, "t": 0.0})
    stats[r["item"]]["n"] += 1
    stats[r["item"]]["t"] += r["n"]
rows = []
for k in sorted(stats):
    rows.append({"item": k, "mean": stats[k]["t"] / stats[k]["n"]})
out = pd.DataFrame(rows)""",
    """seen, keep = set(), []
for _, r in moves.iterrows():
    key = (r["item"], r["kind"])
    keep.append(key not in seen)
    seen.add(key)
out = moves[keep]""",
]
VALUES = [
    """n = moves.loc[moves["item"] == "r", "n"].item()
top = moves["item"].unique()[0]
df["x"] = df["pay"] * n
df["top"] = top
out = df""",
    """m = df["team"].mode()[0]
df["team"] = df["team"].fillna(m)
df["close"] = np.isclose(df["pay"], 41, atol=1.5)
out = df""",
    """rows = [{"what": "rows", "v": len(df)}, {"what": "pay", "v": df["pay"].sum()}, {"what": "text", "v": "none"}]
out = pd.DataFrame(rows)""",
    """text = df.select_dtypes("object").columns
df[text] = df[text].apply(lambda c: c.str.lower())
out = df.pipe(lambda t, n: t.assign(n=t["id"] + n), n=3)""",
    """best = df["pay"].max()
df["c"] = pd.Series("x", index=df.index)
df["label"] = df["pay"].apply(lambda p: "best" if p == best else f"{best - p} of {best}")
out = df""",
]


@pytest.mark.parametrize(
    "snippets",
    [MASKS, LOOPS, PLACES, RUNS, WAYS, KEYS, VALUES],
    ids=["masks", "loops", "places", "runs", "ways", "keys", "values"],
)
def test_rows_meet_rows(translated: Translate, snippets: list[str]) -> None:
    draft, made, real = translated(program(*snippets), input_01=STAFF, input_02=MOVES)
    assert made == real
    assert not scripts(draft)


STAY = [
    # a list of the data, which is no list of rows to keep
    "seen, keep = [], []\nfor r in df.itertuples():\n    keep.append(sum(seen) < 100)\n    seen.append(r.pay)\nout = df[keep]",
    # the row before is changed by the loop itself
    "df['c'] = 0\nfor i in range(1, len(df)):\n    df.loc[i, 'c'] = df.loc[i - 1, 'c'] * 2 + df.loc[i, 'pay']\nout = df",
    # the first row's neighbour is the last one
    "rows = [df.iloc[i - 1]['id'] for i in range(len(df))]\nout = pd.DataFrame({'id': rows})",
]


@pytest.mark.parametrize("snippet", STAY)
def test_what_rows_know_of_others_stays_a_script(translated: Translate, snippet: str) -> None:
    draft, made, real = translated(program(snippet), input_01=STAFF, input_02=MOVES)
    assert made == real
    assert scripts(draft)
