"""Whole tables: windows by time, calendars, totals, tables turned round, and rows at places of the data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.translate.pandas.shown import cells, scripts

ROWS = """id,k,g,x,y,d,s
1,a,u,10,2.5,2024-01-01,Red
2,b,u,20,,2024-01-03,blue
3,a,v,30,1.5,2024-01-04,
4,c,v,40,4.0,2024-02-01,Green
5,,w,20,3.5,2024-01-05,Red
6,a,u,60,0.5,2024-01-08,Red
7,c,v,5,,2024-03-02,Green
8,b,w,20,4.0,2024-01-10,Amber
"""
OTHER = "k,z\nc,10\na,20\nb,30\ne,40\n"
PROGRAM = """
import numpy as np
import pandas as pd

def solve(inputs_dir):
    df = pd.read_csv(inputs_dir / 'input_01.csv', parse_dates=['d'])
    other = pd.read_csv(inputs_dir / 'input_02.csv')
"""
BINS = "df['b'] = pd.cut(df['x'], [0, 10, 30, 100], labels=['lo', 'mid', 'hi'])\n"
WHOLE = {
    "largest of groups": "out = df.groupby('k')['y'].nlargest(2).reset_index()",
    "ties of the largest": "out = df.nlargest(3, 'x', keep='all')",
    "windows by time": "t = df.groupby('d')['x'].sum().rolling('7D').sum()\nout = t.reset_index()",
    "windows of a table": "out = df[['x', 'y']].rolling(3, min_periods=1).mean()",
    "several windows": "out = df.groupby('g')[['x', 'y']].rolling(2).sum().reset_index()",
    "rows counted in windows": "out = df[['y']].rolling(2).count()",
    "cells of a row": "t = df[['x', 'y', 'id']]\nout = t.bfill(axis=1).join(t.diff(axis=1), rsuffix='2')",
    "a row of totals": "t = df[['x', 'y']]\nout = t / t.sum() - t.mean()",
    "nulls by means": "out = df[['x', 'y']].fillna(df[['x', 'y']].mean())",
    "all combinations": BINS + "out = df.groupby(['k', 'b'], observed=False)['x'].sum().reset_index()",
    "a calendar": "out = df.resample('MS', on='d').agg(n=('id', 'count'), m=('y', 'mean')).reset_index()",
    "days between": "out = df.set_index('d')['x'].resample('D').sum().reset_index()",
    "weeks of groups": "out = df.groupby(['g', pd.Grouper(key='d', freq='W')])['x'].sum().reset_index()",
    "a calendar of each group": "out = df.groupby('g').resample('MS', on='d')['x'].sum().reset_index()",
    "a grid": "i = pd.MultiIndex.from_product([df['g'].unique(), ['a', 'b', 'c']], names=['g', 'k'])\nout = df.groupby(['g', 'k'])['x'].sum().reindex(i, fill_value=0).reset_index()",
    "quarters of hours": "a = df['d'].min()\nout = pd.DataFrame({'t': pd.date_range(a, a + pd.Timedelta(hours=2), freq='15min')})",
    "weeks": "out = pd.DataFrame({'t': pd.date_range(df['d'].min(), df['d'].max(), freq='W-TUE')})",
    "months": "out = pd.DataFrame({'t': pd.date_range(df['d'].min() + pd.Timedelta(hours=7), df['d'].max(), freq='MS')})",
    "labels of two levels": "t = df.groupby(['k', 'g'])['x'].sum()\nout = pd.DataFrame({'a': [t.loc[('a', 'u')], t['b', 'u']]})",
    "lines between": "df['y'] = df['y'].interpolate()\nout = df",
    "pieces of a quarter": "df['q'] = pd.qcut(df['x'], 2, labels=['low', 'high'])\nout = df",
    "pieces of one width": "df['q'] = pd.cut(df['x'], 3, labels=False)\nout = df",
    "statistics": "out = df[['x', 'y']].describe().reset_index()",
    "statistics of groups": "out = df.groupby('g')['x'].describe().reset_index()",
    "several totals": "out = df[['x', 'y']].agg(['sum', 'max']).reset_index()",
    "each column": "out = df[['x', 'id']].apply(lambda c: (c - c.min()) / (c.max() - c.min()))",
    "half of the rows": "out = df.sort_values('id').iloc[:len(df) // 2]",
    "a place of the data": "out = df.iloc[[int(df['x'].values.argmax())]]",
    "a cell of some rows": "df['z'] = df['x'] * other.loc[other['k'] == 'b', 'z'].values[0]\nout = df",
    "labels of the data": "out = other.set_index('k').loc[df['k'].dropna().unique()].reset_index()",
    "rows between labels": "t = df.groupby('d')[['x']].sum()\nout = t.loc['2024-01-03':'2024-02'].reset_index()",
    "an empty table first": "out = pd.DataFrame(columns=['id', 'k'])\nfor g in ['u', 'w']:\n    out = pd.concat([out, df.loc[df['g'] == g, ['id', 'k']]])",
    "all labels side by side": "a = df.groupby('k')['x'].sum()\nout = pd.concat([a, other.set_index('k')['z']], axis=1).sort_index().reset_index()",
    "shared labels side by side": "a = df.groupby('k')['x'].sum()\nout = pd.concat([a, other.set_index('k')['z']], axis=1, join='inner').reset_index()",
    "a column twice": "a = df[['id', 'x']].assign(x2=df['x'])\nout = pd.concat([a, a.tail(2)])",
    "lists side by side": "t = df[['id']].assign(a=df['g'].str.split('|'), b=df['g'].str.upper().str.split('|'))\nout = t.explode(['a', 'b'])",
    "replaced by column": "out = df.replace({'g': {'u': 'U'}, 's': {'Red': 'R'}})",
    "columns in text": "out = df.eval('z = x * 2 + id')",
    "a query in backticks": "out = df.rename(columns={'x': 'the x'}).query('`the x` > 10 and y.notna()')",
    "rows of a loop": "rows = []\nfor g in ['u', 'v']:\n    t = df[df['g'] == g]\n    rows.append({'g': g, 'n': len(t), 'm': t['y'].mean()})\nout = pd.DataFrame(rows)",
    "labels that one lacks": "out = df.dropna(subset=['k']).set_index('k').index.difference(other['k'].iloc[1:]).to_frame(index=False, name='k')",
}
GROUPS = {
    "some rows summed": "t.sort_values('x').head(2)['id'].sum()",
    "the second": "t['x'].sort_values().iloc[1]",
    "a slice": "t['x'].iloc[-2:].mean()",
    "one of the same": "t.drop_duplicates('s')['x'].sum()",
    "the most frequent": "t['s'].value_counts().idxmax()",
    "steps": "t['x'].diff().abs().max()",
    "weighted": "np.average(t['x'], weights=t['id'])",
    "above the mean": "t['x'][t['x'] > t['x'].mean()].sum()",
    "a row of another table": "df.loc[t['x'].idxmax(), 'id']",
    "labels in another table": "df.loc[t.index, 'x'].max()",
}  # fmt: skip
SPECIALISED = {
    "totals of a pivot": "out = df.pivot_table(index='k', columns='g', values='x', aggfunc='sum', margins=True).reset_index()",
    "shares": "out = pd.crosstab(df['k'], df['g'], normalize='index').reset_index()",
    "a function of cells": "out = df.pivot_table(index='k', columns='g', values='x', aggfunc=lambda v: v.max() - v.min()).reset_index()",
    "turned round": "out = df.groupby('g')[['x', 'y']].sum().T.reset_index()",
    "a column a value": "out = pd.get_dummies(df[['id', 'g']], columns=['g'], dtype=int)",
    "days of the index": "out = df.groupby('d')['x'].sum().asfreq('D').reset_index()",
}


def _run(translated: Callable[..., Any], snippet: str) -> Any:
    body = "".join(f"    {line}\n" for line in snippet.rstrip("\n").split("\n"))
    return translated(f"{PROGRAM}{body}    return {{'output_01': out}}\n", input_01=ROWS, input_02=OTHER)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", WHOLE)
def test_is_native_and_equal(translated: Callable[..., Any], name: str) -> None:
    draft, ours, theirs = _run(translated, WHOLE[name])
    assert not scripts(draft)
    assert cells(ours["output_01"]) == cells(theirs["output_01"])


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", GROUPS)
def test_some_rows_of_a_group_are_native(translated: Callable[..., Any], name: str) -> None:
    snippet = f"out = df.groupby('g').apply(lambda t: {GROUPS[name]}).reset_index(name='v')"
    draft, ours, theirs = _run(translated, snippet)
    assert not scripts(draft)
    assert cells(ours["output_01"]) == cells(theirs["output_01"])


@pytest.mark.parametrize("name", SPECIALISED)
def test_what_the_data_say_is_flagged(translated: Callable[..., Any], name: str) -> None:
    draft, ours, theirs = _run(translated, SPECIALISED[name])
    assert not scripts(draft)
    assert draft.specialised
    assert cells(ours["output_01"]) == cells(theirs["output_01"])


def test_windows_by_time_of_rows_that_share_a_moment_are_a_script(translated: Callable[..., Any]) -> None:
    twice = "t = pd.concat([df, df]).sort_values('d')\nt['w'] = t.rolling('7D', on='d')['x'].sum()\nout = t"
    draft, ours, theirs = _run(translated, twice)
    assert scripts(draft)
    assert cells(ours["output_01"]) == cells(theirs["output_01"])
