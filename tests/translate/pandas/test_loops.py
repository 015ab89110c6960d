"""Python's own loops over rows and groups: several elements a row, lists in order, what is carried from row to row."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.translate.pandas.shown import scripts

Translate = Callable[..., tuple[Any, Mapping[str, str], Mapping[str, str]]]
STAFF = """
    id,name,team,pay,boss
    1,Ann,x,50,
    2,Bob,y,40,1
    3,Cy,x,42,1
    4,,x,42,3
    5,Eve,,39,
    6,Fay,y,41,2
    """
MOVES = """
    item,kind,n
    p,in,10
    q,in,5
    p,out,3
    r,in,1
    q,out,5
    p,in,2
    """


def program(*snippets: str) -> str:
    """Return a program in which each snippet makes `out` of `df` and `moves`."""
    lines = ["import numpy as np", "import pandas as pd", "from collections import Counter, defaultdict", "def solve(inputs_dir):", "    outs = {}"]  # fmt: skip
    for at, snippet in enumerate(snippets, 1):
        lines += [
            f"    def f{at}():",
            "        df = pd.read_csv(inputs_dir / 'input_01.csv')",
            "        moves = pd.read_csv(inputs_dir / 'input_02.csv')",
            *(f"        {line}" for line in snippet.strip().split("\n")),
            "        return out",
            f"    outs['output_{at:02}'] = f{at}()",
        ]
    return "\n".join([*lines, "    return outs"]) + "\n"


ROWS = [
    """rows = []
for r in df.itertuples(index=False):
    rows.append({"id": r.id, "kind": "pay", "v": r.pay})
    if r.pay > 41:
        rows.append({"id": r.id, "kind": "extra", "v": r.pay - 41})
out = pd.DataFrame(rows)""",
    """rows = []
for _, r in df.iterrows():
    for q in ["Q1", "Q2"]:
        rows.extend([(r["id"], q), (r["name"], q)] if False else [(r["id"], q)])
out = pd.DataFrame(rows, columns=["id", "q"])""",
    """data = {"id": [], "twice": []}
for _, r in df.iterrows():
    data["id"].append(r["id"])
    data["twice"].append(r["pay"] * 2)
out = pd.DataFrame(data)""",
    """rows = [(r["pay"], r["id"]) for _, r in df.iterrows()]
out = pd.DataFrame(sorted(rows, key=lambda p: (-p[0], p[1])), columns=["pay", "id"])""",
    """rows = []
for _, r in df.iterrows():
    rows.append({"pay": r["pay"], "id": r["id"]})
rows.sort(key=lambda d: d["pay"], reverse=True)
out = pd.DataFrame(rows)""",
    """rows = []
for at, r in enumerate(df.itertuples(), start=5):
    rows.append((at, r.name))
out = pd.DataFrame.from_records(rows, columns=["at", "name"])""",
]
CARRIED = [
    """total, run = 0, []
for p in df["pay"]:
    total += p
    run.append(total)
df["run"] = run
out = df""",
    """last, gaps = None, []
for p in df["pay"]:
    gaps.append(0 if last is None else p - last)
    last = p
df["gap"] = gaps
out = df""",
    """block, last, ids = 0, None, []
for r in df.itertuples():
    if r.team != last:
        block += 1
    ids.append(block)
    last = r.team
df["block"] = ids
out = df""",
    """team, filled = "none", []
for _, r in df.iterrows():
    if pd.notna(r["team"]):
        team = r["team"]
    filled.append(team)
df["filled"] = filled
out = df""",
    """rows, no = [], 0
for _, r in df.iterrows():
    if r["pay"] < 41:
        continue
    no += 1
    rows.append({"no": no, "id": r["id"]})
out = pd.DataFrame(rows)""",
]
KEYED = [
    """level, rows = {}, []
for r in moves.itertuples(index=False):
    level[r.item] = level.get(r.item, 0) + (r.n if r.kind == "in" else -r.n)
    rows.append({"item": r.item, "level": level[r.item]})
out = pd.DataFrame(rows)""",
    """counts = {}
for k in moves["item"]:
    if k not in counts:
        counts[k] = 0
    counts[k] += 1
out = pd.DataFrame(list(counts.items()), columns=["item", "n"])""",
    """total = defaultdict(float)
for r in moves.itertuples():
    if r.kind == "in":
        total[r.item] += r.n / 2
out = pd.DataFrame({"item": list(total.keys()), "v": list(total.values())})""",
    """lists = defaultdict(list)
for _, r in moves.iterrows():
    lists[r["item"]].append(r["n"])
out = pd.DataFrame([(k, len(v), max(v)) for k, v in lists.items()], columns=["item", "n", "most"])""",
    """seen, rows = set(), []
for _, r in moves.iterrows():
    if r["item"] in seen:
        continue
    seen.add(r["item"])
    rows.append({"item": r["item"], "n": r["n"]})
out = pd.DataFrame(rows)""",
    """pay = {}
for _, r in df.iterrows():
    if r["pay"] > 40:
        pay[r["id"]] = r["name"]
df["boss_name"] = df["boss"].map(pay)
out = df""",
    """n = Counter(moves["item"])
moves["times"] = moves["item"].map(n)
out = moves""",
    """out = pd.DataFrame(Counter(moves["item"]).most_common(), columns=["item", "n"])""",
]
GROUPS = [
    """rows = []
for team, g in df.groupby("team"):
    rows.append({"team": team, "n": len(g), "pay": g["pay"].sum(), "top": g.sort_values("pay").iloc[-1]["id"]})
out = pd.DataFrame(rows)""",
    """rows = []
for (team, boss), g in df.groupby(["team", "boss"], sort=False, dropna=False):
    rows.append([team, boss, g["pay"].mean()])
out = pd.DataFrame(rows, columns=["team", "boss", "mean"])""",
    """parts = []
for _, g in df.groupby("team", sort=False):
    g = g.sort_values("pay")
    g["before"] = g["pay"].shift()
    parts.append(g)
out = pd.concat(parts, ignore_index=True)""",
    """out = pd.DataFrame([{"t": k, "n": g["name"].nunique()} for k, g in df.groupby("team")])""",
]
VALUES = [
    """rows = []
for team in df["team"].unique():
    sub = df[df["team"] == team]
    high = df[(df["team"] == team) & (df["pay"] > 40)]
    rows.append({"team": team, "n": len(sub), "high": len(high), "pay": sub["pay"].max()})
out = pd.DataFrame(rows)""",
    """rows = []
for item in sorted(moves["item"].unique()):
    rows.append((item, (moves["item"] == item).sum(), moves.loc[moves["item"] == item, "n"].sum()))
out = pd.DataFrame(rows, columns=["item", "times", "n"])""",
    """total = {}
for item in moves["item"].unique():
    total[item] = moves[moves["item"] == item]["n"].sum()
out = pd.DataFrame(list(total.items()), columns=["item", "n"])""",
    """parts = []
for team in df["team"].dropna().unique():
    sub = df[df["team"] == team].copy()
    sub["run"] = sub["pay"].cumsum()
    parts.append(sub)
out = pd.concat(parts, ignore_index=True)""",
]
NULLS = [
    # a null key finds a null key of text
    """names = dict(zip(df["team"], df["name"]))
rows = []
for _, r in df.iterrows():
    rows.append({"id": r["id"], "last": names.get(r["team"], "none")})
out = pd.DataFrame(rows)""",
    """df["in"] = df["team"].isin(df.loc[df["pay"] < 40, "team"])
out = df""",
]


@pytest.mark.parametrize(
    "snippets",
    [ROWS, CARRIED, KEYED, GROUPS, VALUES, NULLS],
    ids=["rows", "carried", "keyed", "groups", "values", "nulls"],
)
def test_loops_become_steps(translated: Translate, snippets: list[str]) -> None:
    draft, made, real = translated(program(*snippets), input_01=STAFF, input_02=MOVES)
    assert made == real
    assert not scripts(draft)


STAY = [
    # a list that is turned round
    "rows = [p for p in df['pay']]\nrows.reverse()\nout = pd.DataFrame({'v': rows})",
    # things in a list, a dict or a list of columns that change afterwards
    "rows = df.to_dict('records')\nfor r in rows:\n    r['pay'] = r['pay'] * 2\nout = pd.DataFrame(rows)",
    "rows = []\nfor r in df.itertuples():\n    rows.append({'id': r.id})\nrows[0]['id'] = 9\nout = pd.DataFrame(rows)",
    "d = dict(zip(moves['item'], moves['n']))\nd['q'] = 9\nmoves['m'] = moves['item'].map(d)\nout = moves",
    # two keys of one dict in a row
    "d = defaultdict(int)\nfor r in moves.itertuples():\n    d[r.item] += r.n\n    d[r.kind] += r.n\n"
    "out = pd.DataFrame(list(d.items()))",
]


@pytest.mark.parametrize("snippet", STAY)
def test_what_is_not_understood_stays_a_script(translated: Translate, snippet: str) -> None:
    draft, made, real = translated(program(snippet), input_01=STAFF, input_02=MOVES)
    assert made == real
    assert scripts(draft)


def test_an_expression_that_grows_with_each_round_becomes_a_chain_of_columns(translated: Translate) -> None:
    growing = """
rows = []
for _, r in df.iterrows():
    held = r["pay"]
    seen = [r["boss"]]
    for month in range(40):
        held += held * 0.01 + held / 12
        seen.append(held)
    rows.append({"id": r["id"], "held": round(held, 2), "most": max(seen), "least": min(seen[1:] + [r["boss"]])})
out = pd.DataFrame(rows)"""
    draft, made, own = translated(program(growing), input_01=STAFF, input_02=MOVES)
    assert made == own
    assert not scripts(draft)
    assert len(json.dumps(draft.document)) < 20_000
