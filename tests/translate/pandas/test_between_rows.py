"""Categories, joins, mixed columns, rows put below: null keys, ties and orders are as pandas has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from prepsql.translate.pandas_leeway import other_answers
from tests.translate.pandas.shown import cells, scripts

ROWS = """id,k,g,x,y,d,s
1,a,u,10,2.5,2024-01-01,Red
2,b,u,20,,2024-01-03,blue
3,a,v,30,1.5,2024-01-02,
4,c,v,40,4.0,2024-02-01,Green
5,,w,20,3.5,2024-01-05,Red
6,a,u,60,0.5,,Blue
7,c,v,5,,2024-02-01,Green
8,c,v,7,1.0,2024-02-03,Amber
"""
OTHER = "k,z,d,w\nc,10,2024-01-02,1.5\na,20,2024-01-04,\nb,30,2024-01-01,2.5\n,50,2024-02-02,6.5\n"
PROGRAM = """
import pandas as pd

def solve(inputs_dir):
    df = pd.read_csv(inputs_dir / 'input_01.csv')
    other = pd.read_csv(inputs_dir / 'input_02.csv')
"""
CATEGORIES = "df['g'] = pd.Categorical(df['g'], categories=['w', 'v', 'u', 'z'], ordered=True)\n"
TIMES = (
    "a = df.dropna(subset=['d']).assign(d=lambda t: pd.to_datetime(t['d'])).sort_values(['d', 'id'])\n"
    "b = other.assign(d=lambda t: pd.to_datetime(t['d'])).sort_values('d')[['d', 'z']]\n"
)
MIXED = "t = pd.DataFrame([{'id': 'Total', 'x': df['x'].sum()}])\nout = pd.concat([df[['id', 'x']], t], ignore_index=True)\n"
BODIES = {
    "a dict filled by labels": "t = {}\nfor k, v in df.groupby('k')['x'].sum().items():\n    t[k] = v\ndf['t'] = df['k'].map(t)\nout = df",
    "nulls first inside a group": "out = df.groupby('k')[['y', 's']].apply(lambda g: pd.Series({'s': g.sort_values('y', na_position='first')['s'].dropna().iloc[-1], 'n': '+'.join(g.sort_values('y')['s'].dropna().unique())})).reset_index()",
    "a loop over groups": "rows = []\nfor (k, g), part in df.groupby(['k', 'g']):\n    part = part.sort_values('x')\n    rows.append([k, g, part['x'].iloc[0], len(part)])\nout = pd.DataFrame(rows, columns=['k', 'g', 'lo', 'n'])",
    "null keys of transforms": "df['y'] = df.groupby('k')['y'].transform(lambda v: v.fillna(v.mean()))\ndf['p'] = df.groupby('k')['x'].shift(-1, fill_value=0)\nout = df",
    "ranks of nulls": "df['r'] = df.groupby('g')['y'].rank(method='dense', na_option='bottom')\nout = df",
    "shares of counts": "out = df.groupby('g')['k'].value_counts(normalize=True).reset_index(name='n')",
    "numbers of groups as they come": "df['n'] = df.groupby('g', sort=False).ngroup()\nout = df",
    "groups of categories": CATEGORIES + "out = df.groupby('g', observed=False).agg(n=('id', 'count'), m=('y', 'mean')).reset_index()",
    "observed categories": CATEGORIES + "out = df.groupby(['k', 'g'], observed=True)['x'].sum().reset_index()",
    "the greatest category": CATEGORIES + "out = df.groupby('k').agg(top=('g', 'max')).reset_index()",
    "categories compared": CATEGORIES + "out = df[df['g'] >= 'v']",
    "counts of categories": CATEGORIES + "out = df['g'].value_counts().sort_index().reset_index()",
    "a pivot by categories": CATEGORIES + "out = df.pivot_table(index='g', columns='k', values='x', aggfunc='sum', observed=True).reset_index()",
    "groups of cut numbers": "df['b'] = pd.cut(df['x'], bins=[0, 10, 30, 100], labels=['low', 'mid', 'high'])\nout = df.groupby('b', observed=False)['x'].sum().reset_index()",
    "a sort by a function": "out = df.sort_values('g', key=lambda s: s.map({'w': 0, 'v': 1, 'u': 2}), kind='stable')",
    "null keys found": "df['z'] = df['k'].map(other.set_index('k')['z'])\nout = df[df['k'].isin(other['k'])]",
    "the nearest row": TIMES + "out = pd.merge_asof(a, b, on='d', direction='nearest', tolerance=pd.Timedelta('7D'))",
    "the row before": TIMES + "out = pd.merge_asof(a, b, on='d', allow_exact_matches=False)",
    "a join by two levels": "a = df.groupby(['k', 'g'])[['x']].sum()\nout = a.join(df.groupby(['k', 'g'])[['y']].mean()).reset_index()",
    "text and numbers": MIXED + "out['id'] = out['id'].fillna('-')",
    "text and numbers as rows": "out = df[['id', 'x', 's']].melt(id_vars='id')",
    "a total below": "t = df.groupby('g')[['x', 'y']].sum()\nt.loc['Total'] = t.sum()\nout = t.reset_index()",
    "a row more": "out = df[['id', 's']].copy()\nout.loc[len(out)] = [99, 'last']",
    "null keys of a pivot": "out = df.drop_duplicates(['k', 'g']).pivot(index='k', columns='g', values='x').reset_index()",
    "labels listed by the data": "out = df.loc[df.groupby('g')['x'].idxmax().tolist()].reset_index(drop=True)",
    "a bound of a column": "q = df['y'].quantile(0.75)\nout = df[df['y'] >= q - 1]",
    "every second row": "out = df.iloc[1::2]",
    "a level first": "out = df.groupby(['g', 'k'])['x'].sum().sort_index(level='k').reset_index()",
    "fills of one row": "df['y'] = df['y'].ffill(limit=1)\ndf['s'] = df.groupby('g')['s'].bfill(limit=1)\nout = df",
    "a query by a name": "lim = 15\nout = df.query('x > @lim')",
}  # fmt: skip
LOST = {
    "a dict filled in a loop": "t = {}\nfor k, v in df.groupby(['k', 'g'])['x'].sum().items():\n    t[k[0]] = v\ndf['t'] = df['k'].map(t)\nout = df",
    "a number of no rule": "q = df['x'].sem()\ndf['z'] = df['x'] / q\nout = df",
}


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", BODIES)
def test_is_native_and_equal(translated: Callable[..., Any], name: str) -> None:
    draft, ours, theirs = _run(translated, BODIES[name])
    assert not scripts(draft)
    assert cells(ours["output_01"]) == cells(theirs["output_01"])


@pytest.mark.parametrize("name", LOST)
def test_what_is_lost_is_no_constant(translated: Callable[..., Any], name: str) -> None:
    draft, ours, theirs = _run(translated, LOST[name])
    assert scripts(draft)
    assert cells(ours["output_01"]) == cells(theirs["output_01"])


def _run(translated: Callable[..., Any], snippet: str) -> Any:
    body = "".join(f"    {line}\n" for line in snippet.rstrip("\n").split("\n"))
    return translated(f"{PROGRAM}{body}    return {{'output_01': out}}\n", input_01=ROWS, input_02=OTHER)


def test_loops_over_values_of_the_data_are_specialised(translated: Callable[..., Any]) -> None:
    loop = (
        "parts = []\nfor k in df['g'].unique():\n    parts.append(df[df['g'] == k].iloc[::2])\nout = pd.concat(parts)"
    )
    draft, ours, theirs = _run(translated, loop)
    assert any("the same values in the loop" in why for why in draft.specialised.values())
    assert cells(ours["output_01"]) == cells(theirs["output_01"])


def test_another_answer_sorts_stably() -> None:
    [other] = other_answers("from __future__ import annotations\n\ndf.sort_values('x')\n")
    assert other.startswith("from __future__ import annotations\n")
    assert 'named["kind"] = "stable"' in other
    assert other_answers("df.head()") == []
