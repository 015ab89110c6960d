"""Cells, values and numbers of programs: the workflow writes what the program writes."""

from __future__ import annotations

import pytest

from tests.translate.pandas.shown import script_steps

ROWS = """
    id,name,price,qty,day,code,amt
    1,Ann Lee,3.25,2,2023-01-05,A-12,"1,200.50"
    2,bob,2.675,3,2023-02-17,B-7,£30
    3,Cara M. Diaz,,5,2022-12-31,C-101,-
    4,,10.5,0,2024-02-29,AB-3,7.5%
    5,dan o'neil,-1.5,7,2021-07-04,,
"""
START = """
import re
import numpy as np
import pandas as pd
from datetime import datetime

BANDS = [(2, 'low'), (5, 'mid'), (99, 'high')]

def band(q):
    for top, label in BANDS:
        if q <= top:
            return label

def amount(v):
    if pd.isna(v):
        return np.nan
    text = str(v).replace(',', '').replace('£', '')
    if text.endswith('%'):
        return float(text[:-1]) / 100
    try:
        return float(text)
    except ValueError:
        return None

def parts(code):
    found = re.match(r'(?P<letters>[A-Z]+)-(?P<digits>[0-9]+)', str(code))
    if not found:
        return pd.Series([None, None])
    return pd.Series([found.group('letters'), int(found.group('digits'))])

def solve(inputs_dir):
    df = pd.read_csv(inputs_dir / 'input_01.csv')
"""
NATIVE = (
    "df['x'] = df['qty'].apply(band)",
    "df['x'] = df['amt'].map(amount)",
    "df[['a', 'b']] = df['code'].apply(parts)",
    "df['x'] = df['day'].apply(lambda s: datetime.strptime(s, '%Y-%m-%d').strftime('%d/%m/%Y'))",
    "df['x'] = df.apply(lambda r: f\"{r['id']}:{r['qty']:>4}/{r['qty'] / 7:.1%}\", axis=1)",
    "df['x'] = df['name'].apply(lambda v: 1 if v else 0)",
    "df['x'] = df['name'].apply(lambda v: 'none' if v is None else 'some')",
    "df['x'] = df['price'].apply(lambda v: round(v, 1))",
    "df['x'] = df[['price', 'qty']].apply(lambda r: str(r['qty']), axis=1)",
    "df['d'] = pd.to_datetime(df['day']) + pd.offsets.MonthEnd(0)",
    "df['m'] = pd.to_datetime(df['day']).dt.to_period('M')",
    "df[['a', 'b']] = df['code'].str.extract(r'([A-Z]+)-([0-9]+)')",
    "df['x'] = pd.cut(df['qty'], bins=[-1, 2, 5, 10])",
    "df['c'] = pd.Categorical(df['name'], categories=['bob', 'Ann Lee'], ordered=True)\ndf = df.sort_values('c')",
    "df['x'] = df['qty'] * 1e-12\ndf['y'] = df['qty'] * 1e16",
    "df['x'] = np.select([df['qty'] > 4, df['qty'] > 2], ['hi', 'mid'], default='lo')",
    "df['a'], df['b'] = df['qty'] + 1, df['qty'] * 2",
    "df['x'] = df['name'].apply(lambda v: ' '.join(w.capitalize() for w in str(v).split()))",
)
SCALAR = (
    "df['x'] = df['name'].apply(lambda v: str(v).swapcase())",
    "df['x'] = df['code'].str.replace(r'([A-Z])\\1|[0-9]+', lambda m: m.group().lower() + '!', regex=True)",
)
NUMBERS = (
    "big = df[df['qty'] > 2]\ndf['x'] = len(big) / len(df) * 100",
    "limit = df['qty'].mean() + 0.5 * df['qty'].std()\ndf = df[df['qty'] > limit]",
    "m = df['qty'].mean()\ndf['x'] = df['qty'].apply(lambda q: q - m)",
    "df = pd.DataFrame({'n': [len(df)], 'total': [df['qty'].sum()]})",
    "who = df.sort_values('qty')['name'].iloc[-1]\ndf['x'] = df['name'] == who",
)


def program(body: str) -> str:
    """Return a program whose solve does this to its one table."""
    return START + "".join(f"    {line}\n" for line in body.splitlines()) + "    return {'output_01': df}\n"


@pytest.mark.parametrize("body", [*NATIVE, *NUMBERS])
def test_no_script_is_needed(translated, body):
    draft, given, wanted = translated(program(body), input_01=ROWS)
    assert given == wanted
    assert not script_steps(draft)


@pytest.mark.parametrize("body", SCALAR)
def test_a_function_that_is_no_case_is_a_scalar_script(translated, body):
    draft, given, wanted = translated(program(body), input_01=ROWS)
    assert given == wanted
    assert [node["params"].get("scalar") for node in script_steps(draft)] == [True]


@pytest.mark.parametrize("body", NUMBERS)
def test_numbers_of_the_data_are_not_frozen(translated, body, tmp_path):
    from prepsql import Workflow

    draft, _, _ = translated(program(body), input_01=ROWS)
    assert not draft.specialised
    other = tmp_path / "other"
    other.mkdir()
    lines = [line.strip() for line in ROWS.strip().splitlines()]
    (other / "input_01.csv").write_text("\n".join([lines[0], *lines[:0:-1], lines[2]]) + "\n", encoding="utf-8")
    names: dict = {}
    exec(program(body), names)
    wanted = names["solve"](other)["output_01"].to_csv(index=False)
    Workflow(dict(draft.document)).run(other, tmp_path / "again")
    assert (tmp_path / "again" / "output_01.csv").read_text(encoding="utf-8") == wanted


def test_what_the_course_took_from_the_data_is_noted(translated):
    draft, given, wanted = translated(program("if df['qty'].max() > 5:\n    df['x'] = 1"), input_01=ROWS)
    assert given == wanted
    assert any("the same answer" in note for note in draft.specialised.values())


def test_names_of_variables_do_not_matter(translated):
    one = "t = df['qty'].sum()\ndf['x'] = (df['qty'] / t).round(2)"
    other = "everything = df['qty'].sum()\nshare = df['qty'] / everything\ndf['x'] = share.round(2)"
    first, _, _ = translated(program(one), input_01=ROWS)
    second, _, _ = translated(program(other), input_01=ROWS)
    assert first.document["nodes"] == second.document["nodes"]
