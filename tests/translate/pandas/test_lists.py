"""Lists in cells, loops over their pieces, long functions, groups of patterns: native, and as the program has it."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import Any

import pytest

from tests.translate.pandas.shown import cells

ROWS = """id,t,u,n,m,code
1,"red, green,blue",ann bob,3,2.675,AB-12
2,blue,Cara,-7,0.125,C-7
3,,dan  eve ,4,,XY-120-Z
4," red ,,red",zed,0,-3.5,12
5,"a1;b2;c3",one two three,12,1e10,Q-0
6,12 kg 3 g,Ünï cödé,5,1.005,
7,x=1|y=22|z=3,,8,7,ab-9
8,"7,8,9",10 20 30,1,0.1,ZZ-5
"""
START = """
import re
from decimal import Decimal, InvalidOperation, ROUND_HALF_UP
import numpy as np
import pandas as pd
"""
FUNCTIONS = {
    "generators": """
def f(v):
    words = str(v).split()
    longest = max(words, key=len) if words else ''
    return f"{longest}/{sum(len(w) for w in words)}/{any(w.isdigit() for w in words)}/{next((w for w in words if 'e' in w), None)}"
""",
    "order": """
def f(v):
    words = str(v).split()
    return '+'.join(sorted(set(words))) + '/' + ' '.join(reversed(words)) + '/' + ' '.join(words[1:]) + '/' + ' '.join(dict.fromkeys(words))
""",
    "characters": """
def f(v):
    digits = letters = 0
    for ch in str(v):
        if ch.isdigit():
            digits += 1
        elif ch.isalpha():
            letters += 1
    return f'{digits}/{letters}'
""",
    "the first that fits": """
def f(v):
    for w in str(v).split():
        if len(w) > 3:
            return w.upper()
    return 'short'
""",
    "a break and an else": """
def f(v):
    for p in str(v).split():
        if p.startswith('t'):
            break
    else:
        return 'none'
    return p
""",
    "a list that is filled": """
def f(v):
    seen, words = [], []
    for w in str(v).split():
        if w not in seen:
            seen.append(w)
    for w in str(v).split():
        if w.isdigit():
            continue
        words.append(w[0])
    return ' '.join(seen) + '/' + ''.join(words)
""",
    "what is carried on": """
def f(v):
    best = run = 0
    prev = ''
    for ch in str(v):
        run = run + 1 if ch == prev else 1
        prev = ch
        if run > best:
            best = run
    return best
""",
}
OF_TEXT = {
    "numbers in a text": "df['x'] = df['t'].apply(lambda v: sum(map(int, re.findall(r'[0-9]+', str(v)))))",
    "failures of pieces": """
def f(v):
    try:
        return sum(int(p) for p in v.split(','))
    except (ValueError, AttributeError):
        return -1
def g(v):
    total = 0
    for p in str(v).split(','):
        try:
            total += float(p)
        except ValueError:
            pass
    return total
df['x'], df['y'] = df['t'].apply(f), df['t'].apply(g)
""",
    "keys and values": """
def f(v):
    out = {}
    for part in str(v).split('|'):
        if '=' in part:
            k, val = part.split('=', 1)
            out[k] = val
    return out.get('y', 'none')
df['x'] = df['t'].apply(f)
""",
    "several groups": """
def f(v):
    return sum(int(n) * {'kg': 1000, 'g': 1}[unit] for n, unit in re.findall(r'([0-9]+) (kg|g)', str(v)))
df['x'] = df['t'].apply(f)
""",
    "splits with a limit": """
df['x'] = df['t'].fillna('').apply(lambda v: len(v.split(',', 1)))
df['y'] = df['t'].fillna('').apply(lambda v: '|'.join(v.rsplit(',', 1)))
df['z'] = df['t'].str.split(',', n=1).str.len()
""",
    "a list made by a function": """
df['p'] = df['t'].apply(lambda v: [p.strip() for p in str(v).split(',')])
df = df[['id', 'p']].explode('p')
""",
    "a row for each piece": """
rows = []
for r in df.itertuples():
    if pd.isna(r.t):
        continue
    for i, p in enumerate(r.t.split(','), 1):
        if p.strip():
            rows.append((r.id, i, p.strip()))
df = pd.DataFrame(rows, columns=['id', 'i', 'p'])
""",
    "groups that may be absent": """
df[['a', 'b', 'c']] = df['code'].str.extract(r'^([A-Z]*)-?([0-9]+)?(?:-([A-Z]*))?')
def f(v):
    m = re.match(r'(-)?(\\d*)', str(v))
    return 'minus' if m.group(1) else 'plus:' + m.group(2)
df['x'] = df['code'].apply(f)
""",
    "places in a text": """
def f(v):
    m = re.search(r'[0-9]+', str(v))
    return str(v)[:m.start()] + '|' + str(v)[m.end():] if m else str(v)
df['x'] = df['t'].apply(f)
""",
    "decimals": """
def f(v):
    if pd.isna(v):
        return np.nan
    return float(Decimal(str(v)).quantize(Decimal('0.01'), rounding=ROUND_HALF_UP))
def g(v):
    try:
        return f"{Decimal(str(v)).quantize(Decimal('0.1'))} EUR"
    except InvalidOperation:
        return 'none'
df['x'], df['y'] = df['m'].apply(f), df['t'].apply(g)
""",
    "a list with None in it": """
df['x'] = df['t'].apply(lambda v: [p if p else None for p in str(v).split(',')].count(None))
""",
    "two loops in one": """
df['x'] = df['t'].apply(lambda v: '|'.join(w for p in str(v).split(',') for w in p.split()))
df['y'] = df['t'].apply(lambda v: ','.join(sorted({p.strip() for p in str(v).split(',')} - {'red'})))
df['z'] = df['t'].apply(lambda v: set(str(v).split(',')) <= {'blue', '7', '8', '9'})
""",
    "rows of two loops": """
df = pd.DataFrame([(r.id, p.strip()) for r in df.itertuples() for p in str(r.t).split(',')], columns=['id', 'p'])
""",
    "a list that is filled on some ways": """
def check(r):
    score = 100
    notes = ['start']
    if r['n'] > 3:
        score -= 10
        notes.append('n')
    if pd.isna(r['t']):
        score -= 20
        notes.append('no t')
    if pd.isna(r['code']):
        score -= 5
        notes.append(f"no code of {r['id']}")
    if r['m'] < 0:
        score = score // 2
        notes.append('negative')
    if str(r['u']).islower():
        score += 1
    if r['id'] % 2 == 0:
        notes.append('even')
        score -= 1
    if r['id'] > 5: notes.append('late')
    return score, ', '.join(notes), len(notes)
df[['a', 'b', 'c']] = df.apply(check, axis=1, result_type='expand')
""",
    "a long function": """
def label(row):
    amount = row['m'] if not pd.isna(row['m']) else 0
    qty = row['n']
    if qty < 0:
        kind = 'return'
        qty = -qty
    elif qty == 0:
        kind = 'none'
    else:
        kind = 'sale'
    if amount > 100:
        size = 'big'
    elif amount > 1:
        size = 'mid'
    else:
        size = 'small'
    code = str(row['code']).strip().lower().replace('-', '')
    if kind == 'return' and size == 'big':
        return 'check'
    text = code if len(code) > 3 else code + '?'
    return f'{kind}-{size}-{qty * amount:.2f}-{text}'
df['x'] = df.apply(label, axis=1)
""",
}


def program(body: str, functions: str = "") -> str:
    return f"{START}{functions}\ndef solve(inputs_dir):\n    df = pd.read_csv(inputs_dir / 'input_01.csv')\n" + indent(
        f"{body.strip()}\nreturn {{'output_01': df}}\n", "    "
    )


@pytest.mark.parametrize("name", OF_TEXT)
def test_is_native_and_equal(translated: Callable[..., Any], name: str) -> None:
    draft, ours, theirs = translated(program(OF_TEXT[name]), input_01=ROWS)
    assert not draft.reasons
    assert cells(ours["output_01"]) == cells(theirs["output_01"])


def test_functions_of_pieces_are_native_and_equal(translated: Callable[..., Any]) -> None:
    functions = "".join(text.replace("def f", f"def f{at}") for at, text in enumerate(FUNCTIONS.values()))
    body = "\n".join(f"df['x{at}'] = df['u'].apply(f{at})" for at in range(len(FUNCTIONS)))
    draft, ours, theirs = translated(program(body, functions), input_01=ROWS)
    assert not draft.reasons
    assert cells(ours["output_01"]) == cells(theirs["output_01"])


def test_no_expression_is_unreadably_long(translated: Callable[..., Any]) -> None:
    draft, _, _ = translated(program(OF_TEXT["a long function"]), input_01=ROWS)
    computed = [entry for node in draft.document["nodes"].values() for entry in node["params"].get("compute", ())]
    assert max(len(entry["expr"]) for entry in computed) < 600
    assert {"kind", "size"} & {entry["as"] for entry in computed}
