"""The SQL of a comparison, as templates over a shape; `compare_sql` shows what `compare` runs."""

from __future__ import annotations

from collections.abc import Sequence

from prepsql.compare.policy import ROUNDING, Policy
from prepsql.compare.shape import NORMALISERS, Shape, normalised, same
from prepsql.sqltext import literal, quote

_CELLS = "CREATE OR REPLACE VIEW {side}_cells AS\nSELECT rowid AS n, {cells}\nFROM {side}"
_KEYS = """
CREATE OR REPLACE TABLE {side}_keys AS
SELECT {keys},
  {fingerprint} AS fingerprint,
  {faulty} AS faulty
FROM {side}_cells"""
_BIG_NUMBERS = """
SELECT count(*) > 0 FROM (SELECT {keys} FROM gold_keys UNION ALL SELECT {keys} FROM candidate_keys) WHERE {big}"""
_DIGITS = """
CREATE OR REPLACE TABLE {side}_keys AS
SELECT k.*, {digits}
FROM {side}_keys AS k JOIN {side}_cells ON n = k.rowid
ORDER BY n"""
_OCCURRENCES = """
CREATE OR REPLACE TABLE {side}_keys AS
SELECT *, row_number() OVER (PARTITION BY {keys} ORDER BY rowid) AS occurrence
FROM {side}_keys
ORDER BY rowid"""
_DUPLICATES = """
SELECT min(rowid) AS first_row, count(*) AS rows
FROM {side}_keys
GROUP BY {keys}
HAVING count(*) > 1"""
_PAIRS = """
CREATE OR REPLACE TABLE pairs AS
SELECT
  CASE WHEN c.rowid IS NULL THEN 'missing' WHEN g.rowid IS NULL THEN 'extra' ELSE 'equal' END AS how,
  g.rowid AS gold_row, c.rowid AS candidate_row,
  coalesce(g.faulty OR c.faulty, false) AS faulty
FROM gold_keys AS g
FULL JOIN candidate_keys AS c ON {same}
WHERE g.rowid IS NULL OR c.rowid IS NULL OR g.fingerprint <> c.fingerprint OR g.faulty OR c.faulty"""
_ADD_PAIRS = """
INSERT INTO pairs
SELECT '{how}', gold_row, candidate_row, g.faulty OR c.faulty
FROM {found}
JOIN gold_keys AS g ON g.rowid = gold_row
JOIN candidate_keys AS c ON c.rowid = candidate_row
WHERE g.fingerprint <> c.fingerprint OR g.faulty OR c.faulty"""
_DISORDER = """
SELECT count(*), min(gold_row), arg_min(candidate_row, gold_row), arg_min(before, gold_row)
FROM (
  SELECT *, lag(candidate_row) OVER (ORDER BY gold_row) AS before
  FROM (
    SELECT g.rowid AS gold_row, c.rowid AS candidate_row FROM gold_keys AS g JOIN candidate_keys AS c ON {same}{near}
  )
) WHERE candidate_row < before"""
_NEAR = "\n    UNION ALL FROM near"
_CELLS_OF_PAIRS = """
CREATE OR REPLACE TABLE cells AS
SELECT how, gold_row, candidate_row, cell.*
FROM (
  SELECT how, gold_row, candidate_row, faulty, unnest([
    {structs}
  ]) AS cell
  FROM (FROM pairs WHERE how NOT IN ('missing', 'extra'))
  -- first the few rows that are needed, so that the others are never read whole
  JOIN (FROM gold_cells WHERE n IN (SELECT gold_row FROM pairs)) AS g ON g.n = gold_row
  JOIN (FROM candidate_cells WHERE n IN (SELECT candidate_row FROM pairs)) AS c ON c.n = candidate_row
)
WHERE cell.gold <> cell.candidate OR faulty"""
_NORMALISED = """
CREATE OR REPLACE TABLE values_seen AS
SELECT * EXCLUDE (gold_text, candidate_text),
  coalesce(gold_number::VARCHAR, gold_text) AS gold_value,
  coalesce(candidate_number::VARCHAR, candidate_text) AS candidate_value
FROM (
  SELECT *,
    {gold_number} AS gold_number,
    {candidate_number} AS candidate_number,
    {gold} AS gold_text,
    {candidate} AS candidate_text
  FROM cells
  JOIN (VALUES {columns}) AS compared (col, type, tolerance) USING (col)
)"""
_DIFFERENCES = """
CREATE OR REPLACE TEMP VIEW differences_{policy} AS
SELECT *, relative_error(gold_number, candidate_number) AS error, {unknown} AS unknown_word
FROM values_seen
WHERE how IN ({hows}) AND (CASE
  WHEN gold_number IS NOT NULL AND candidate_number IS NOT NULL
  THEN NOT is_close(gold_number, candidate_number, {relative}, {absolute}){infinite}
  ELSE gold_value IS DISTINCT FROM candidate_value{or_unknown}
END)"""
_FORGIVEN = """
SELECT col, count(*) FROM values_seen
WHERE how IN ({hows}) AND NOT is_close(gold_number, candidate_number, {rounding}, {rounding_at_zero})
  AND is_close(gold_number, candidate_number, {relative}, {absolute})
GROUP BY col"""
_UNKNOWN = (
    "coalesce(type = 'boolean' AND (gold_value NOT IN ('true', 'false') OR candidate_value NOT IN ('true', 'false')),"
    " false)"
)


def cells_view(side: str, columns: Sequence[str | None]) -> str:
    """Return the view that names the compared columns by their place; None stands for one that the table lacks."""
    cells = [f"coalesce({quote(c)}, '') AS c{i}" if c is not None else f"'' AS c{i}" for i, c in enumerate(columns)]
    return _CELLS.format(side=side, cells=", ".join(cells))


def keys_table(side: str, shape: Shape, *, published: bool) -> str:
    """Return what makes one row a row: its number, its key, and a fingerprint of the rest."""
    keys = ",\n  ".join(shape.key_expressions())
    return _KEYS.format(side=side, keys=keys, fingerprint=shape.fingerprint(), faulty=shape.faulty(published)).strip()


def big_numbers(shape: Shape) -> str:
    """Return the query whether some number of a key is so big that doubles confuse it with its neighbours."""
    big = " OR ".join(f"(abs(k{j}) >= 9007199254740992 AND isfinite(k{j}))" for j in shape.numbers)
    return _BIG_NUMBERS.format(keys=", ".join(shape.key_columns(exact=False)), big=big or "false").strip()


def digits(side: str, shape: Shape) -> str:
    """Return what adds the exact digits of the key's numbers."""
    return _DIGITS.format(side=side, digits=", ".join(shape.digit_expressions())).strip()


def duplicates(side: str, shape: Shape, *, exact: bool) -> str:
    """Return the query of keys that several rows share: one row a key, with its first row and count."""
    return _DUPLICATES.format(side=side, keys=", ".join(shape.key_columns(exact))).strip()


def occurrences(side: str, shape: Shape, *, exact: bool) -> str:
    """Return what numbers the rows that share a key, so that they pair in file order."""
    return _OCCURRENCES.format(side=side, keys=", ".join(shape.key_columns(exact))).strip()


def pairs_table(shape: Shape, *, exact: bool, repeated: bool) -> str:
    """Return the alignment by equal keys: rows without partner, and pairs in which some value may differ."""
    columns = shape.key_columns(exact) + (["occurrence"] if repeated else [])
    return _PAIRS.format(same=same(columns)).strip()


def add_pairs(how: str, found: str) -> str:
    """Return what adds the pairs of table `found` in which some value may differ."""
    return _ADD_PAIRS.format(how=how, found=found).strip()


def disorder(shape: Shape, *, exact: bool, repeated: bool, near: bool) -> str:
    """Return the query of matched rows that stand before gold's predecessor: their count, and rows of the first.

    `near` says whether rows that were paired by the nearest number are among them.
    """
    columns = shape.key_columns(exact) + (["occurrence"] if repeated else [])
    return _DISORDER.format(same=same(columns), near=_NEAR if near else "").strip()


def cells_table(shape: Shape) -> str:
    """Return the cells of all pairs whose raw texts differ, one row a cell."""
    structs = [f"{{'col': {i}, 'gold': g.c{i}, 'candidate': c.c{i}}}" for i in shape.values]
    # a table without values has no cells
    return _CELLS_OF_PAIRS.format(
        structs=",\n    ".join(structs or ["{'col': 0, 'gold': '', 'candidate': ''}"])
    ).strip()


def values_table(shape: Shape) -> str:
    """Return the differing cells with both values as they are compared."""
    tolerance = dict(shape.tolerance)
    columns = [f"({i}, {literal(shape.types[i])}, {tolerance.get(i, 'NULL')}::DOUBLE)" for i in shape.values]
    types = sorted({shape.types[i] for i in shape.values} & set(NORMALISERS) - {"number"})

    def number(cell: str) -> str:
        return f"CASE WHEN type = 'number' THEN norm_number({cell}) END"

    def text(cell: str) -> str:
        cases = [f"WHEN {literal(t)} THEN {normalised(t, cell)}" for t in types]
        return f"CASE type WHEN 'number' THEN NULL {' '.join(cases)} ELSE {cell} END"

    return _NORMALISED.format(
        gold_number=number("gold"),
        candidate_number=number("candidate"),
        gold=text("gold"),
        candidate=text("candidate"),
        columns=", ".join(columns or ["(0, '', NULL::DOUBLE)"]),
    ).strip()


def differences_view(policy: Policy, hows: Sequence[str]) -> str:
    """Return the cells that differ under a policy, of the pairs that were found in these ways."""
    faults = policy.evaluator_faults
    return _DIFFERENCES.format(
        policy=policy.name,
        hows=", ".join(map(literal, hows)),
        relative=_relative(policy),
        absolute=repr(policy.absolute),
        unknown=_UNKNOWN if faults else "false",
        infinite=" OR NOT isfinite(gold_number) OR NOT isfinite(candidate_number)" if faults else "",
        or_unknown=" OR " + _UNKNOWN if faults else "",
    ).strip()


def forgiven(policy: Policy, hows: Sequence[str]) -> str:
    """Return the query of the numbers that agree under a policy though more than rounding parts them, by column."""
    return _FORGIVEN.format(
        hows=", ".join(map(literal, hows)),
        rounding=repr(ROUNDING.relative),
        rounding_at_zero=repr(ROUNDING.absolute),
        relative=_relative(policy),
        absolute=repr(policy.absolute),
    ).strip()


def _relative(policy: Policy) -> str:
    return f"coalesce(tolerance, {policy.relative!r})" if policy.own_tolerance else repr(policy.relative)
