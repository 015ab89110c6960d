"""Columns of lists and tuples: made by functions and groups, taken apart, joined, made rows."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import Any

import pytest

from tests.translate.pandas.shown import cells, script_steps

ROWS = """id,note,tags,who
1,"Order 12 of 3, ref AB-123","red, green,blue",ann lee
2,call Mr Smith on 5th,blue,bob
3,Ünïque naïve café 7,,Cara
4,,"red ,,red",
5,ref CD-9 and EF-77; order 5,"red,red",ann lee
6,AB-5 is AB-5,"z,y,x",bob
"""
START = """
import re
import numpy as np
import pandas as pd

def numbered(s):
    found = []
    if isinstance(s, str):
        found = [(at, part.strip()) for at, part in enumerate(s.split(','))]
    return found

def codes(s):
    return [(letters, int(number)) for letters, number in re.findall(r'([A-Z]+)-([0-9]+)', s)]

def halves(name):
    if pd.isna(name):
        return ('', 0)
    parts = name.split(' ', 1)
    return (parts[0], len(parts))
"""
SNIPPETS = {
    "tuples of a list in columns": """
df['p'] = df['tags'].apply(numbered)
df = df[['id', 'p']].explode('p').dropna(subset=['p']).reset_index(drop=True)
df[['at', 'tag']] = pd.DataFrame(df['p'].tolist(), index=df.index)
df = df[['id', 'at', 'tag']]
""",
    "parts of tuples": """
df['p'] = df['note'].fillna('').apply(codes)
df = df[['id', 'p']].explode('p')
df = df[df['p'].notna()]
df['letters'], df['number'] = df['p'].str[0], df['p'].str[1]
df = df[['id', 'letters', 'number']]
""",
    "numbers of a list": """
df['n'] = df['note'].fillna('').map(lambda s: [int(one) for one in re.findall(r'[0-9]+', s)])
df['total'], df['count'] = df['n'].apply(sum), df['n'].map(len)
df = df.explode('n')[['id', 'n', 'total', 'count']].dropna()
df['n'] = df['n'].astype(int) + 1
""",
    "a column of tuples": """
df['pair'] = df['who'].map(halves)
df['first'] = df['pair'].str[0].str.upper()
df['size'] = df['pair'].apply(lambda pair: pair[1] + 1)
df = df.drop(columns='pair')
""",
    "items of lists": """
parts = df['note'].str.findall(r'[A-Z]{2}-[0-9]+')
df['n'], df['text'] = parts.str.len(), parts.str.join('/')
df['tag'] = df['tags'].str.split(',')
df['last'], df['second'], df['many'] = df['tag'].str[-1], df['tag'].str.get(1), df['tag'].str.len()
df = df.drop(columns='tag')
""",
    "lists of groups": """
df = df.groupby('who')['id'].agg(list).reset_index()
df['n'], df['first'], df['last'] = df['id'].str.len(), df['id'].str[0], df['id'].apply(max)
df = df.explode('id', ignore_index=True)
""",
    "a series of pieces": """
s = df.set_index('id')['tags'].str.split(',').explode().str.strip()
df = s[s != ''].dropna().rename('tag').reset_index()
""",
    "matches one by one": """
rows = []
for _, r in df.iterrows():
    if pd.isna(r['note']):
        continue
    for m in re.finditer(r'(?P<letters>[A-Z]{2})-([0-9]+)', r['note']):
        rows.append({'id': r['id'], 'letters': m.group('letters'), 'number': int(m[2]), 'whole': m.group()})
df = pd.DataFrame(rows)
""",
    "parts of rows by zip": """
df['first'], df['size'] = zip(*df['who'].map(halves))
df[['a', 'b']] = df.apply(lambda r: (r['id'] * 2, str(r['who'])), axis=1).tolist()
df[['c', 'd']] = pd.DataFrame(df['who'].apply(lambda n: [n, len(str(n))]).tolist(), index=df.index)
""",
    "lists that loops fill": """
def f(v):
    out = []
    for part in str(v).split(','):
        if ' ' in part:
            out.extend([part.strip(), 'x'])
        elif part:
            out.append(part)
    return out
df['l'] = df['tags'].apply(f)
df = df[['id', 'l']].explode('l')
""",
    "a row for each match": r"""
df = df.set_index('id')['note'].str.extractall(r'(?P<letters>[A-Z]{2})-(?P<number>\d+)').reset_index()
""",
    "dicts of a list, rows by labels": """
df['p'] = df['tags'].apply(lambda s: [{'tag': t.strip(), 'size': len(t)} for t in str(s).split(',')])
e = df[['id', 'p']].explode('p', ignore_index=True)
e['tag'], e['size'] = e['p'].apply(lambda d: d['tag']), e['p'].apply(lambda d: d['size'])
by = df.dropna(subset=['who']).groupby('who')['id'].apply(list)
rows = []
for who, ids in by.items():
    for at, one in enumerate(ids, 1):
        rows.append({'tag': who, 'at': at, 'size': one})
df = pd.concat([e[['tag', 'size']], pd.DataFrame(rows)[['tag', 'size']]], ignore_index=True)
""",
    "matches of pieces": r"""
rows = []
for r in df.itertuples(index=False):
    for part in str(r.tags).split(','):
        part = part.strip()
        m = re.fullmatch(r'([a-z]+)(?: (.*))?', part)
        if m:
            rows.append({'id': r.id, 'a': m[1], 'b': m.group(2)})
df = pd.DataFrame.from_records(rows)
""",
    "characters for characters": r"""
df['x'] = df['note'].str.translate(str.maketrans('abc', 'xyz', '.'))
df['y'] = df['note'].fillna('').apply(lambda s: s.translate(str.maketrans({'-': '', '_': ' ', ';': ', '})))
df['z'], df['w'] = df['who'].str.center(8, '*'), df['who'].str.center(9)
df['f'] = df['id'].map(lambda v: f'{v:^5}|{v:*^4}|{v / 3:+.2f}')
""",
    "new texts for matches": r"""
df['x'] = df['note'].fillna('').apply(lambda s: re.sub(r'\d+', lambda m: str(int(m.group()) * 2), s))
df['t'] = df['who'].str.replace(r'\b(\w)', lambda m: m.group(1).upper(), regex=True)
def f(v):
    m = re.search(r'\b\d+', str(v))
    return str(v) if m is None else str(v)[:m.start()] + '#' + str(v)[m.end():]
df['y'] = df['note'].apply(f)
n = len(df[df['id'] > 3])
df['z'] = df['note'].apply(lambda s: str(s)[:n].upper())
df['w'] = df['id'].where(df['id'] > 3).astype('Int64').astype(str)
""",
    "tuples that may be missing, lists of numbers": r"""
df['p'] = df['who'].map(lambda n: None if str(n) == 'bob' else (str(n).upper(), len(str(n))))
df['a'] = df['p'].apply(lambda p: p[0] if p is not None else 'none')
df['b'], df['c'] = df['p'].str[1], df['p'].notna()
df['l'] = df['note'].fillna('').map(lambda s: [int(w) for w in re.findall(r'\d+', s)])
df['x'] = df['l'].apply(lambda l: l[-1] if len(l) > 1 else -1)
df['j'] = df['l'].apply(lambda l: '-'.join(str(v) for v in sorted(l)))
df['m'] = df['l'].apply(lambda l: max(l) if l else None)
df['s'] = df['note'].str.split(r'\b(?:of|and)\b', regex=True).str[0]
df = df.drop(columns='p')
""",
    "an error of its own class": """
class Bad(Exception):
    def __init__(self, what, value):
        super().__init__(what)
        self.value = value
def f(v):
    if not isinstance(v, str):
        raise Bad('no', v)
    return v.upper()
def g(v):
    try:
        return f(v)
    except Bad as bad:
        return 'bad'
df['x'] = df['note'].map(g)
""",
    "words": r"""
df['order'] = df['note'].str.contains(r'\border\b', case=False, na=False)
df['number'] = df['note'].str.extract(r'\b([0-9]+)\b')
df['words'] = df['note'].fillna('').apply(lambda s: '|'.join(re.findall(r'\b\w+\b', s)))
df['title'] = df['note'].str.replace(r'\bMr\b\.?', 'Mister', regex=True)
df['head'] = df['note'].str.split(r'\s*,\s*', n=1, regex=True).str[0]
""",
}


@pytest.mark.parametrize("body", SNIPPETS.values(), ids=SNIPPETS)
def test_no_script_is_needed(translated: Callable[..., Any], body: str) -> None:
    lines = indent(body.strip(), "    ")
    program = f"{START}\ndef solve(inputs_dir):\n    df = pd.read_csv(inputs_dir / 'input_01.csv')\n{lines}\n"
    draft, given, wanted = translated(f"{program}    return {{'output_01': df}}\n", input_01=ROWS)
    assert cells(given["output_01"]) == cells(wanted["output_01"])
    assert not script_steps(draft)
