"""Loops over the rows of groups, dicts filled for each piece of a cell, what is carried under keys and taken from dicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.decisions import Way, tree
from prepsql.workflow.pandas_text.value import Value
from tests.translate.pandas.shown import cells, scripts
from tests.translate.pandas.test_loops import program

Translate = Callable[..., tuple[Any, Mapping[str, str], Mapping[str, str]]]
READINGS = """
    id,g,day,v,f,tags
    1,a,2024-01-03,10,ok,x;y
    2,b,2024-01-01,3,ok,y
    3,a,2024-01-01,,bad,
    4,a,2024-01-02,12,ok,z; x
    5,b,2024-01-05,2,bad,x
    6,b,2024-01-05,9,ok,y;y
    7,c,2024-01-04,,bad,
    8,,2024-01-09,4,ok,z
    9,a,2024-01-07,12,ok,w
    """
MOVES = "item,kind,n\np,in,10\nq,in,5\np,out,3\nr,in,1\nq,out,5\np,in,2\n,in,4\n"
GROUPS = [
    """rows = []
for g, part in df.groupby("g"):
    prev, run = None, 0
    for r in part.sort_values("day").itertuples():
        run = run + 1 if prev is not None and r.v == prev else 1
        if r.f == "ok":
            rows.append({"g": g, "id": r.id, "run": run, "prev": prev})
        prev = r.v
out = pd.DataFrame(rows)""",
    """def fill(t):
    last, age, res = None, 0, []
    for _, r in t.iterrows():
        if pd.notna(r["v"]) and r["f"] == "ok":
            last, age = r["v"], 0
        else:
            age += 1
        res.append(last if age <= 1 else None)
    t = t.copy()
    t["filled"] = res
    return t
parts = [fill(t.sort_values("day")) for _, t in df.groupby("g")]
out = pd.concat(parts, ignore_index=True)[["id", "filled"]]""",
    """def longest(values):
    best = cur = 0
    for v in values:
        if v == "ok":
            cur += 1
            best = max(best, cur)
        else:
            cur = 0
    return best
out = df.sort_values(["g", "day"]).groupby("g")["f"].apply(longest).reset_index(name="n")""",
    """rows = []
for g, part in df.groupby("g"):
    ups, prev = 0, None
    for v in part["v"].dropna():
        if prev is not None and v > prev:
            ups += 1
        prev = v
    rows.append((g, ups, prev, len(part)))
out = pd.DataFrame(rows, columns=["g", "ups", "last", "n"])""",
    """def total(t):
    res, sum_ = [], 0
    for f, i in zip(t["f"], t["id"]):
        sum_ = 0 if f == "bad" else sum_ + i
        res.append(sum_)
    t["sum"] = res
    return t
out = df.groupby("g", group_keys=False)[["id", "f"]].apply(total)""",
    """rows = []
for g, t in df.groupby("g"):
    n, hit = 0, ""
    for r in t.itertuples():
        n += r.id
        if r.f == "bad":
            hit = r.day
            break
    rows.append((g, n, hit))
out = pd.DataFrame(rows, columns=["g", "n", "hit"])""",
    """rows = []
for g, t in df.groupby("g", sort=False):
    before = 0
    for i, r in t.reset_index(drop=True).iterrows():
        rows.append({"g": g, "i": i + 1, "before": before, "id": r["id"]})
        before = r["id"]
out = pd.DataFrame(rows)""",
    """rows = []
for g, t in df.groupby("g"):
    for n, r in enumerate(t.sort_values("v").itertuples(), start=1):
        if n <= 2:
            rows.append((g, n, r.id))
out = pd.DataFrame(rows, columns=["g", "n", "id"])""",
    """def when(t):
    total = 0
    for r in t.sort_values("day").itertuples():
        total += r.id if r.f == "ok" else -r.id
        if total < 0:
            return r.day
    return None
out = df.groupby("g")[["id", "f", "day"]].apply(when).reset_index(name="day")""",
    """def last(t):
    n, kind = 0, ""
    for r in t.to_dict("records"):
        if r["f"] == "bad":
            continue
        n += 1
        kind = r["day"]
    return pd.Series({"n": n, "kind": kind})
out = df.groupby("g")[["f", "day"]].apply(last).reset_index()""",
]
LOOPS = [
    """days = pd.to_datetime(df["day"])
t = df.assign(t=days).sort_values(["g", "t", "id"]).reset_index(drop=True)
who, when, n, res = None, None, 0, []
for r in t.itertuples(index=False):
    if r.g != who:
        n = 1
    elif (r.t - when).total_seconds() > 86400:
        n += 1
    res.append(n)
    who, when = r.g, r.t
t["n"] = res
out = t[["id", "n"]]""",
    """n, age = 0, 0
rows = []
for r in df.itertuples():
    age = 0 if r.f == "bad" else age + 1
    rows.append((r.id, "many" if age > 1 else "few"))
out = pd.DataFrame(rows, columns=["id", "age"])""",
    """seen, at, rows = set(), {}, []
for r in df.to_dict("records"):
    rows.append({"id": r["id"], "first": r["f"] not in seen, "before": at.get(r["f"], "-")})
    seen.add(r["f"])
    at[r["f"]] = r["g"]
out = pd.DataFrame(rows)""",
]
DICTS = [
    """counts = Counter()
for tags in df["tags"].dropna():
    for tag in tags.split(";"):
        counts[tag.strip()] += 1
out = pd.DataFrame(counts.most_common(), columns=["tag", "n"])""",
    """who = defaultdict(list)
known = set()
for _, r in df.iterrows():
    if pd.isna(r["tags"]):
        continue
    for tag in r["tags"].split(";"):
        who[tag.strip()].append(r["id"])
        known.add(tag)
out = pd.DataFrame([(t, len(i), i[0], max(i)) for t, i in sorted(who.items())], columns=["t", "n", "a", "b"])
out["k"] = out["t"].isin(known)""",
    """sums = {}
for g, v in zip(df["f"], df["v"]):
    sums[g] = sums.get(g, 0) + v
out = pd.DataFrame(list(sums.items()), columns=["f", "sum"])""",
    """n = {}
for k, i in zip(df["f"], df["id"]):
    n[k] = n.get(k, 0) + i
names = sorted(n, key=n.get, reverse=True)
out = pd.DataFrame({"k": names})
out["n"] = out["k"].map(n.get)
out["top"] = out["k"] == max(n, key=n.get)
out["share"] = out["n"] / sum(n.values())""",
    """most = {}
rows = []
for r in df.itertuples():
    before = most.get(r.f, 0)
    most[r.f] = max(before, r.id % 5)
    rows.append((r.id, before))
out = pd.DataFrame(rows, columns=["id", "before"])
out["most"] = df["f"].map(most)""",
    """names = set(moves["item"])
out = df.assign(hit=[any(t in names for t in str(x).replace("x", "p").split(";")) for x in df["tags"]])""",
]
TIMES = [
    """t = pd.to_datetime(df["day"])
out = pd.DataFrame({
    "q": t.apply(lambda d: f"{d.year}-Q{(d.month - 1) // 3 + 1}"),
    "iso": t.apply(lambda d: "%d-W%02d" % d.isocalendar()[:2]),
    "end": t.apply(lambda d: (d.replace(day=28) + pd.Timedelta(days=4)).replace(day=1) - pd.Timedelta(days=1)),
})""",
]


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("snippets", [GROUPS, LOOPS, DICTS, TIMES], ids=["groups", "loops", "dicts", "times"])
def test_loops_become_steps(translated: Translate, snippets: list[str]) -> None:
    draft, ours, theirs = translated(program(*snippets), input_01=READINGS, input_02=MOVES)
    assert not scripts(draft)
    for name in theirs:
        assert cells(ours[name]) == cells(theirs[name]), name


STAY = [
    "best = min(v for v in df['id'] if v > 2)\nout = df.assign(b=best)",
    "rows = []\nfor g, t in df.groupby('g'):\n    for r in t.itertuples():\n        if r.f == 'bad':\n            break\n        rows.append((g, r.id))\nout = pd.DataFrame(rows, columns=['g', 'id'])",
    "def f(t):\n    res = []\n    for v in t.sort_values('day')['id']:\n        res.append(v)\n    t['r'] = res\n    return t\nout = df.groupby('g', group_keys=False)[['id', 'day']].apply(f)",
    "n = {}\nfor k, v in zip(df['f'], df['v']):\n    n[k] = n.get(k, 0) + v\nout = pd.DataFrame(sorted(n.items(), key=lambda kv: kv[1]), columns=['k', 'v'])",
]


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("snippet", STAY)
def test_what_is_not_understood_stays_a_script(translated: Translate, snippet: str) -> None:
    draft, ours, theirs = translated(program(snippet), input_01=READINGS, input_02=MOVES)
    assert scripts(draft)
    assert cells(ours["output_01"]) == cells(theirs["output_01"])


def test_ways_that_part_by_other_conditions_are_no_tree() -> None:
    first, second = (Value(name, "boolean", False) for name in ("first", "second"))
    with pytest.raises(NotTranslatable, match="one condition after the other"):
        tree([(Way.of([(first, True)]), "1"), (Way.of([(second, True)]), "2"), (Way.of([(first, False)]), "3")])
    with pytest.raises(NotTranslatable, match="one condition after the other"):
        tree([(Way.of([(first, True)]), "1"), (Way.of([(first, True), (second, False)]), "2")])
