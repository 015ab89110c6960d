"""Files as pandas reads them, loops over rows, dicts made of columns, and what becomes of statements in scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from prepsql.sandbox.outcome import SCRIPT_CHARACTERS
from tests.translate.pandas.shown import scripts

Translate = Callable[..., tuple[Any, Mapping[str, str], Mapping[str, str]]]
STOCK = """
    id,name,qty,price,kind
    1,ann,3,2.5,a
    2,bob,,1.5,b
    3,cy,7,4,a
    4,,1,9.25,c
    """
PEOPLE = """
    code,name,level
    a,Ann,2
    b,Bob,
    d,Dee,4
    """


def program(body: str, read: str = "df = pd.read_csv(inputs_dir / 'input_01.csv')") -> str:
    """Return a program that reads `df` and has these lines."""
    lines = "\n".join(f"    {line}" for line in [read, *body.strip().split("\n")])
    return (
        f"import pandas as pd\nimport numpy as np\ndef solve(inputs_dir):\n{lines}\n    return {{'output_01': out}}\n"
    )


@pytest.mark.parametrize(
    "options",
    ["", ", dtype=str", ", header=None", ", header=None, names=list('vwxyz')", ", skiprows=1", ", header=2",
     ", keep_default_na=False", ", na_values=['ann']", ", usecols=['id', 'price']", ", index_col='id'",
     ", names=list('vwxyz'), header=0"],
)  # fmt: skip
def test_a_file_is_read_as_pandas_reads_it(translated: Translate, options: str) -> None:
    read = f"df = pd.read_csv(inputs_dir / 'input_01.csv'{options})"
    draft, made, real = translated(program("out = df.reset_index()", read), input_01=STOCK)
    assert made == real
    assert not scripts(draft)


ODD = """
    Made on Monday
    id,day,amount,paid,note
    1,03/01/2024,"1,250.5",Yes,x
    2,,300,No,NA
    3,29/02/2024,"2,000",Yes,-
    4,31/12/2023,75,No,y
    """
ODDLY = [
    "skiprows=1, parse_dates=['day'], dayfirst=True, thousands=','",
    "skiprows=1, parse_dates=['day'], date_format='%d/%m/%Y', index_col='day'",
    "skiprows=1, true_values=['Yes'], false_values=['No'], na_values={'note': ['-']}",
    "skiprows=1, converters={'amount': lambda s: float(s.replace(',', '')), 'note': str.upper}",
    "skiprows=[0, 3]",
    "skiprows=lambda line: line < 1, nrows=2",
    "skiprows=1, skipfooter=1, engine='python'",
    "skiprows=1, usecols=[0, 3], names=['no', 'ok'], header=0",
]


@pytest.mark.parametrize("options", ODDLY)
def test_dates_marks_converters_and_left_out_rows_are_read_by_steps(translated: Translate, options: str) -> None:
    read = f"df = pd.read_csv(inputs_dir / 'input_01.csv', {options})"
    draft, made, real = translated(program("out = df.reset_index()", read), input_01=ODD)
    assert made == real
    assert not scripts(draft)


def test_an_open_file_and_one_parted_by_tabs(translated: Translate) -> None:
    read = (
        "with open(inputs_dir / 'input_01.csv') as file:\n        df = pd.read_csv(file)\n"
        "    more = pd.read_table(inputs_dir / 'input_02.csv')"
    )
    tabs = "id\tv\n1\ta\n2\t\n"
    draft, made, real = translated(program("out = df.merge(more, on='id')", read), input_01=STOCK, input_02=tabs)
    assert made == real
    assert not scripts(draft)


def test_null_words_that_a_file_lacks_are_left_out(translated: Translate) -> None:
    draft, *_ = translated(program("out = df"), input_01=STOCK)
    assert "null_words" not in draft.document["nodes"]["input_01"]["params"]
    draft, made, real = translated(program("out = df"), input_01=f"{STOCK}5,NA,3,4,a\n")
    assert made == real
    assert "NA" in draft.document["nodes"]["input_01"]["params"]["null_words"]


@pytest.mark.parametrize("options", [", comment='c'", ", quotechar='x'"])
def test_what_an_input_step_cannot_read_is_read_of_the_lines(translated: Translate, options: str) -> None:
    read = f"df = pd.read_csv(inputs_dir / 'input_01.csv'{options})"
    draft, made, real = translated(program("out = df", read), input_01=STOCK)
    assert made == real
    assert len(scripts(draft)) == 1


def test_a_file_that_is_no_table_is_written_again_for_the_script(translated: Translate) -> None:
    read = "lines = (inputs_dir / 'input_01.csv').read_text().split()"
    draft, made, real = translated(program("out = pd.DataFrame({'n': [len(x) for x in lines]})", read), input_01=STOCK)
    assert made == real
    assert "pathlib.Path('input_01.csv')" in scripts(draft)[0]


LOOPS = {
    "appends on some ways": """
rows = []
for _, r in df.iterrows():
    if pd.isna(r["name"]):
        continue
    if r["kind"] == "a":
        rows.append({"id": r["id"], "label": r["name"].upper(), "total": r["price"] * 2})
    else:
        rows.append({"id": r["id"], "label": "other", "total": 0.0})
out = pd.DataFrame(rows)
""",
    "tuples": """
rows = []
for t in df.itertuples(index=False):
    if t.price > 2:
        rows.append((t.id, t.price))
out = pd.DataFrame(rows, columns=["ID", "P"])
""",
    "comprehensions": """
df["twice"] = [p * 2 for p in df["price"]]
df["tag"] = [f"{n}-{k}" if isinstance(n, str) else "none" for n, k in zip(df["name"], df["kind"])]
out = pd.DataFrame([{"id": i, "t": t} for i, t, k in zip(df["id"], df["tag"], df["kind"]) if k != "b"])
""",
    "places by tuple": """
df["x"], df["y"] = df["id"] + 1, df["price"]
out = df
""",
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_over_rows_become_columns_and_filters(translated: Translate, name: str) -> None:
    draft, made, real = translated(program(LOOPS[name]), input_01=STOCK)
    assert made == real
    assert not scripts(draft)


STATE = {
    "a length": "rows = []\nfor p in df['price']:\n    rows.append(len(rows) + p)",
    "no more than": "rows, low = [], 0\nfor p in df['price']:\n    low = min(low + p, 9)\n    rows.append(low)",
}


@pytest.mark.parametrize("name", STATE)
def test_a_loop_that_carries_state_is_a_script(translated: Translate, name: str) -> None:
    draft, made, real = translated(program(f"{STATE[name]}\nout = pd.DataFrame({{'v': rows}})"), input_01=STOCK)
    assert made == real
    assert len(scripts(draft)) == 1


LOOKUPS = {
    "dict of zip": "d = dict(zip(who['code'], who['name']))\ndf['v'] = df['kind'].map(d)",
    "to_dict": "d = who.set_index('code')['level'].to_dict()\ndf['v'] = df['kind'].map(d).fillna(0)",
    "set": "s = set(who['code'])\ndf['v'] = df['kind'].isin(s)",
    "unique": "df['v'] = df['kind'].isin(who['code'].unique())",
    "get in a function": "d = dict(zip(who['code'], who['name']))\n"
    "df['v'] = df['kind'].apply(lambda k: d.get(k, 'nobody') + '!')",
    "dict comprehension": "d = {r['code']: r['name'].upper() for _, r in who.iterrows()}\ndf['v'] = df['kind'].map(d)",
    "rows by key in a loop": "d = who.set_index('code').to_dict('index')\nrows = []\n"
    "for _, r in df.iterrows():\n    if r['kind'] not in d:\n        continue\n"
    "    rows.append({'id': r['id'], 'n': d[r['kind']]['name']})\ndf = pd.DataFrame(rows)",
}


@pytest.mark.parametrize("name", LOOKUPS)
def test_dicts_and_sets_of_columns_are_joins(translated: Translate, name: str) -> None:
    text = f"who = pd.read_csv(inputs_dir / 'input_02.csv')\n{LOOKUPS[name]}\nout = df"
    draft, made, real = translated(program(text), input_01=STOCK, input_02=PEOPLE)
    assert made == real
    assert not scripts(draft)
    assert "Bob" not in str(draft.document)


def test_a_long_function_of_statements_is_split(translated: Translate) -> None:
    long = "; ".join(f"note_{at} = 'some words that make this long {at}'" for at in range(20))
    body = f"""
state = 0
rows = []
for p in df['price']:
    {long}
    state = state * 2 + p
    rows.append((state, note_3))
more = []
for p in df['price']:
    {long}
    state = state + p
    more.append(state)
out = pd.DataFrame({{'a': [x[0] for x in rows], 'b': more}})
"""
    draft, made, real = translated(program(body), input_01=STOCK)
    assert made == real
    assert len(scripts(draft)) > 1
    assert all(len(code) <= SCRIPT_CHARACTERS for code in scripts(draft))


def test_columns_that_only_pandas_has_go_from_script_to_script(translated: Translate) -> None:
    body = """
df['when'] = pd.to_datetime(['2024-01-0' + str(int(i)) for i in df['id'].cumsum().clip(upper=9)], utc=True)
df['parts'] = df['id'].rolling(2).apply(lambda x: x.sum() * 3.5)
df['pair'] = [[str(i), 1] if i > 1 else None for i in df['id'].rolling(1).sum()]
df['w'] = df['when'].dt.tz_convert('Europe/Paris').dt.strftime('%H:%M')
df['first'] = df['pair'].map(lambda x: x[0] if isinstance(x, list) else '-')
out = df.drop(columns=['when', 'pair'])
"""
    _, made, real = translated(program(body), input_01=STOCK)
    assert made == real


def test_a_script_is_given_a_column_that_stands_under_two_labels(translated: Translate) -> None:
    body = "df['twice'] = df['qty']\ndf = df[['qty', 'twice']]\nout = df.kurt().to_frame('k').T"
    draft, made, own = translated(program(body), input_01=STOCK)
    assert made == own
    assert len(scripts(draft)) == 1
