"""Alignment, groups and reshaping: what programs do with tables stays native and equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.translate.pandas.shown import cells

ROWS = """k,g,x,y,d
a,u,1,2.5,2024-01-01
b,u,2,,2024-01-03
a,v,3,1.5,2024-01-02
c,v,4,4.0,2024-02-01
b,u,5,3.5,2024-01-05
a,u,6,0.5,2024-01-06
"""
OTHER = "k,z\nc,10\na,20\nb,30\nd,40\n"
PROGRAM = """
import numpy as np
import pandas as pd

def solve(inputs_dir):
    df = pd.read_csv(inputs_dir / 'input_01.csv')
    other = pd.read_csv(inputs_dir / 'input_02.csv')
"""
BODIES = {
    "a total by key": "df['t'] = df['k'].map(df.groupby('k')['x'].sum())\nout = df",
    "a filtered table's column": "f = df[df.x > 2]\ndf['yy'] = f['y'] * 2\nout = df",
    "a sorted table's windows": "df['n'] = df.sort_values('d').groupby('k').cumcount() + 1\nout = df",
    "another table by index": "t = df.groupby('k')[['x']].sum()\nt['z'] = other.set_index('k')['z']\nout = t.reset_index()",
    "rows by position": "a = df[df.x > 2].reset_index(drop=True)\na['b'] = df['x']\nout = a",
    "labels": "out = other.set_index('k').loc[['c', 'a']].reset_index()",
    "greatest of each group": "out = df.loc[df.groupby('k')['x'].idxmax()]",
    "the last row": "out = df.iloc[[-1]]",
    "lambdas of groups": "out = df.groupby('k').agg(r=('x', lambda s: s.max() - s.min()), big=('x', lambda s: (s > 2).sum())).reset_index()",
    "texts of groups": "out = df.groupby('k')['g'].agg(lambda s: '|'.join(sorted(set(s)))).reset_index()",
    "a branch on a group": "out = df.groupby('k').apply(lambda g: 'big' if g['x'].sum() > 6 else 'small').reset_index(name='v')",
    "rows of groups": "out = df.groupby('k', group_keys=False).apply(lambda g: g.nlargest(1, 'x')).reset_index(drop=True)",
    "standard scores": "df['z'] = df.groupby('k')['x'].transform(lambda s: (s - s.mean()) / s.std())\nout = df",
    "groups as they come": "out = df.groupby('k', sort=False)['x'].sum().reset_index()",
    "moving windows of groups": "df['r'] = df.groupby('k')['x'].rolling(2, min_periods=1).mean().reset_index(level=0, drop=True)\nout = df",
    "sums of rows": "df['t'] = df[['x', 'y']].sum(axis=1)\nout = df",
    "pivot of two values": "p = df.pivot_table(index='k', columns='g', values=['x', 'y'], aggfunc='sum')\np.columns = ['_'.join(c) for c in p.columns]\nout = p.reset_index()",
    "unstack": "out = df.groupby(['k', 'g']).size().unstack(fill_value=0).reset_index()",
    "outer merge": "out = df.merge(other, on='k', how='outer', indicator=True)",
    "right merge": "out = df.merge(other, on='k', how='right')",
    "keys side by side": "a = df.groupby('k')['x'].sum()\nout = pd.concat([a, df.groupby('k')['y'].mean()], axis=1).reset_index()",
    "lists to rows": "out = df.assign(w=df['d'].str.split('-')).explode('w').reset_index(drop=True)",
    "a table begun empty": "f = df[df.x > 2]\nout = pd.DataFrame()\nout['Key'] = f['k']\nout['all'] = df['y'] * 2\nout['one'] = 1",
    "a table begun with an index": "t = df.groupby('k')[['x']].sum()\nout = pd.DataFrame(index=t.index)\nout['x'] = t['x']\nout['z'] = other.set_index('k')['z']\nout = out.reset_index()",
    "a query": "out = df.query('x > 2 and g == \"u\"')",
}


@pytest.mark.filterwarnings("ignore:DataFrameGroupBy.apply operated:FutureWarning")
@pytest.mark.parametrize("name", BODIES)
def test_is_native_and_equal(translated: Callable[..., Any], name: str) -> None:
    body = "".join(f"    {line}\n" for line in BODIES[name].split("\n"))
    draft, ours, theirs = translated(f"{PROGRAM}{body}    return {{'output_01': out}}\n", input_01=ROWS, input_02=OTHER)
    assert not draft.reasons
    assert cells(ours["output_01"]) == cells(theirs["output_01"])
