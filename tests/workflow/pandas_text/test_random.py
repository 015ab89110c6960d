"""Random tables and random expressions: SQL gives what pandas gives."""

import warnings

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from prepsql.workflow.pandas_text import NotTranslatable
from tests.workflow.pandas_text.tables import by_pandas, by_sql, connect, load, same

CON = connect()

# letters whose case has one form in Unicode's simple mapping, spaces of several kinds, digits, marks
LETTERS = "abXYéÉñöж日١ 0129.,-_'\t\u00a0"
texts = st.one_of(st.just(float("nan")), st.text(LETTERS, max_size=7))
floats = st.one_of(
    st.none(),
    st.sampled_from([0.0, 0.5, 1.5, 2.5, -0.5, 2.675, -1.005, 1e10, 1e-3]),
    st.floats(-1000, 1000).map(lambda x: round(x, 3) + 0.0),
)
seconds = st.datetimes(pd.Timestamp(1950, 1, 1), pd.Timestamp(2050, 1, 1)).map(lambda d: d.replace(microsecond=0))
times = st.one_of(st.none(), seconds)


@st.composite
def tables(draw) -> pd.DataFrame:
    n = draw(st.integers(1, 6))
    rows = {"min_size": n, "max_size": n}
    return pd.DataFrame(
        {
            "i": np.array(draw(st.lists(st.integers(-20, 20), **rows)), dtype="int64"),
            "j": np.array(draw(st.lists(st.integers(1, 9), **rows)), dtype="int64"),
            "f": pd.Series(draw(st.lists(floats, **rows)), dtype="float64"),
            "g": pd.Series(draw(st.lists(floats, **rows)), dtype="float64"),
            "t": pd.Series(draw(st.lists(texts, **rows)), dtype="object"),
            "u": pd.Series(draw(st.lists(texts, **rows)), dtype="object"),
            "d": pd.Series(draw(st.lists(times, **rows)), dtype="datetime64[ns]"),
            "b": np.array(draw(st.lists(st.booleans(), **rows)), dtype="bool"),
        }
    )


def one_of(*templates: str, **parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Any of the templates with its {words} drawn."""

    def filled(template: str) -> st.SearchStrategy[str]:
        used = {name: part for name, part in parts.items() if f"{{{name}}}" in template}
        return st.fixed_dictionaries(used).map(lambda values: template.format(**values))

    return st.one_of(*map(filled, templates))


whole = st.sampled_from(["df['i']", "df['j']", "3", "-2"])
float_columns = st.sampled_from(["df['f']", "df['g']", "df['i']", "df['j']"])
constants = st.sampled_from(["2", "-3", "0.5", "1.25", "10"])


def a_number(numbers, conditions, text, moments):
    return st.one_of(
        float_columns,
        one_of(
            "({x} + {y})", "({x} - {y})", "({x} * {k})", "({x} / {k})", "({x} // {k})", "({x} % {k})", "(-{x})",
            "{x}.fillna({k})", "{x}.round(1)", "{x}.abs()", "{x}.clip(-1, 5)", "{x}.where({c}, {y})",
            "{x}.mask({c})", "{x}.shift(1)", "{x}.diff()", "{x}.cumsum()", "{x}.rank(method='min')", "{x}.ffill()",
            "{s}.str.len()", "{m}.dt.month", "{m}.dt.dayofweek", "{s}.str.count('a')",
            "df.groupby('t')['f'].transform('sum')", "df.groupby(['b', 'j'])['g'].transform('max')",
            "df.groupby('u')['i'].cumsum()", "pd.to_numeric({s}, errors='coerce')",
            x=numbers, y=float_columns, k=constants, c=conditions, s=text, m=moments,
        ),
    )  # fmt: skip


def a_condition(numbers, conditions, text, moments):
    return st.one_of(
        st.just("df['b']"),
        one_of(
            "({x} > {y})", "({x} != {k})", "({x} != {y})", "({x} == {k})", "({x} <= {k})", "(~{c})", "({c} & {e})",
            "({c} | {e})", "{x}.isna()", "{s}.notna()", "{x}.isin([1, 2.5, -3])", "{x}.between(-1, 2)",
            "({s} == 'a')", "({s} != {z})", "{s}.str.contains('a', na=False)", "{s}.str.startswith('X', na=True)",
            r"{s}.str.contains(r'\d', na=False)", r"{s}.str.match(r'\w+', na=False)", "{s}.isin(['a', 'X', np.nan])",
            "({m} >= '2000-01-01')", "({m} != {m})", "{m}.isna()",
            x=float_columns, y=float_columns, k=constants, c=conditions, e=conditions, s=text, z=text, m=moments,
        ),
    )  # fmt: skip


def a_text(numbers, conditions, text, moments):
    return st.one_of(
        st.sampled_from(["df['t']", "df['u']"]),
        one_of(
            "({s} + {z})", "({s} + '-x')", "{s}.str.lower()", "{s}.str.upper()", "{s}.str.strip()", "{s}.str.title()",
            "{s}.str.capitalize()", "{s}.fillna('none')", "{s}.str.replace('a', 'zz', regex=False)",
            r"{s}.str.replace(r'\s+', '_', regex=True)", r"{s}.str.replace(r'(\d)', r'<\1>', regex=True)",
            r"{s}.str.extract(r'(\d+)')[0]", r"{s}.str.extract(r'([a-z]+)', expand=False)", "{s}.str[0]",
            "{s}.str[-2:]",
            "{s}.str[:-1]", "{s}.str[1:3]", "{s}.str[-1]", "{s}.str.split(',').str[0]", "{s}.str.split().str[-1]",
            "{s}.str.split(' ', n=1).str[1]", "{s}.str.rsplit('.', n=1).str[0]", "{s}.str.zfill(5)",
            "{s}.str.pad(4, fillchar='*')", "{s}.str.lstrip()", "{s}.str.rstrip('.,')", "{s}.where({c}, 'other')",
            "{s}.astype(str)", "{s}.str.cat({z}, sep='|')", "{m}.dt.strftime('%Y/%m/%d')", "{m}.dt.day_name()",
            "{s}.map({{'a': 'A', 'X': 'y'}})", "{s}.replace({{'a': 'A'}})", "df['j'].astype(str)",
            "{s}.str.removeprefix('a')", "{s}.str.slice(0, 2)", "{s}.shift(-1)",
            s=text, z=text, c=conditions, m=moments,
        ),
    )  # fmt: skip


def a_moment(numbers, conditions, text, moments):
    return st.one_of(
        st.just("df['d']"),
        one_of(
            "({m} + pd.Timedelta(days=2))", "({m} - pd.DateOffset(months=1))", "{m}.dt.normalize()", "{m}.shift(1)",
            "{m}.where({c})", "{m}.fillna(pd.Timestamp('2001-02-03'))",
            m=moments, c=conditions,
        ),
    )  # fmt: skip


# columns, then expressions of columns, then expressions of those
LEVELS = [(float_columns, st.just("df['b']"), st.sampled_from(["df['t']", "df['u']"]), st.just("df['d']"))]
for _ in range(2):
    LEVELS.append(tuple(kind(*LEVELS[-1]) for kind in (a_number, a_condition, a_text, a_moment)))
numbers, conditions, text, moments = LEVELS[-1]
expressions = st.one_of(
    numbers,
    conditions,
    text,
    moments,
    one_of("np.where({c}, {x}, {y})", "np.where({c}, 'a', 'b')", "np.select([{c}, {e}], [{x}, {y}], 0)",
           "df.apply(lambda r: r['f'] if r['i'] > 2 and r['b'] else r['j'], axis=1)",
           "df['t'].fillna('').apply(lambda v: v.strip().upper() if 'a' in v else v[:2])",
           "df['f'].apply(lambda v: 0 if pd.isna(v) else v * 2)", "({m} - {n}).dt.days",
           c=conditions, e=conditions, x=numbers, y=numbers, m=moments, n=moments),
)  # fmt: skip


@settings(max_examples=250)
@given(tables(), expressions)
def test_sql_equals_pandas(df: pd.DataFrame, expression: str):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted = by_pandas(expression, df)
        except (TypeError, ValueError, AttributeError):
            return  # pandas itself refuses: text methods of an all-null column, for one
    load(CON, df)
    try:
        given_values = by_sql(expression, df, CON)
    except NotTranslatable as why:
        if "inside another" in str(why):
            return
        raise
    assert same(given_values, wanted), (given_values, wanted)
