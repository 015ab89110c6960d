"""The SQL of a comparison, as templates over a shape; `compare_sql` shows what `compare` runs."""

from __future__ import annotations

from collections.abc import Sequence

from prepsql.compare.policy import Policy
from prepsql.compare.shape import NORMALISERS, Shape, normalised, same
from prepsql.sqltext import quote

_CELLS = "CREATE OR REPLACE VIEW {side}_cells AS\nSELECT rowid AS n, {cells}\nFROM {side}"
_KEYS = """
CREATE OR REPLACE TABLE {side}_keys AS
SELECT n, {keys},
  {fingerprint} AS fingerprint,
  {faulty} AS faulty,
  0 AS occurrence
FROM {side}_cells"""
_BIG_NUMBERS = """
SELECT count(*) > 0 FROM (FROM gold_keys UNION ALL FROM candidate_keys) WHERE {big}"""
_DIGITS = """
CREATE OR REPLACE TABLE {side}_keys AS
SELECT k.*, {digits}
FROM {side}_keys AS k JOIN {side}_cells USING (n)"""
_OCCURRENCES = """
CREATE OR REPLACE TABLE {side}_keys AS
SELECT * REPLACE (row_number() OVER (PARTITION BY {keys} ORDER BY n) - 1 AS occurrence)
FROM {side}_keys"""
_DUPLICATES = """
SELECT min(n) AS first_row, count(*) AS rows
FROM {side}_keys
GROUP BY {keys}
HAVING count(*) > 1"""
_PAIRS = """
CREATE OR REPLACE TABLE pairs AS
SELECT
  CASE WHEN c.n IS NULL THEN 'missing' WHEN g.n IS NULL THEN 'extra' ELSE 'equal' END AS how,
  g.n AS gold_row, c.n AS candidate_row,
  coalesce(g.faulty OR c.faulty, false) AS faulty
FROM gold_keys AS g
FULL JOIN candidate_keys AS c ON {same}
WHERE g.n IS NULL OR c.n IS NULL OR g.fingerprint <> c.fingerprint OR g.faulty OR c.faulty"""
_ADD_PAIRS = """
INSERT INTO pairs
SELECT '{how}', gold_row, candidate_row, g.faulty OR c.faulty
FROM {found}
JOIN gold_keys AS g ON g.n = gold_row
JOIN candidate_keys AS c ON c.n = candidate_row
WHERE g.fingerprint <> c.fingerprint OR g.faulty OR c.faulty"""
_DISORDER = """
SELECT count(*) FROM (
  SELECT c.n < lag(c.n) OVER (ORDER BY g.n) AS back
  FROM gold_keys AS g JOIN candidate_keys AS c ON {same}
) WHERE back"""
_CELLS_OF_PAIRS = """
CREATE OR REPLACE TABLE cells AS
SELECT how, gold_row, candidate_row, cell.*
FROM (
  SELECT how, gold_row, candidate_row, faulty, unnest([
    {structs}
  ]) AS cell
  FROM pairs
  JOIN gold_cells AS g ON g.n = gold_row
  JOIN candidate_cells AS c ON c.n = candidate_row
)
WHERE cell.gold <> cell.candidate OR (faulty AND cell.type IN ('number', 'boolean'))"""
_NORMALISED = """
CREATE OR REPLACE TABLE values_seen AS
SELECT *,
  coalesce(gold_number::VARCHAR, {gold}) AS gold_value,
  coalesce(candidate_number::VARCHAR, {candidate}) AS candidate_value
FROM (
  SELECT *,
    CASE WHEN type = 'number' THEN norm_number(gold) END AS gold_number,
    CASE WHEN type = 'number' THEN norm_number(candidate) END AS candidate_number
  FROM cells
)"""
_DIFFERENCES = """
CREATE OR REPLACE TEMP VIEW differences_{policy} AS
SELECT *, relative_error(gold_number, candidate_number) AS error, {unknown} AS unknown_word
FROM values_seen
WHERE how IN ({hows}) AND (CASE
  WHEN gold_number IS NOT NULL AND candidate_number IS NOT NULL
  THEN NOT is_close(gold_number, candidate_number, coalesce(tolerance, {relative}), {absolute}){infinite}
  ELSE gold_value IS DISTINCT FROM candidate_value{or_unknown}
END)"""
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
    return _BIG_NUMBERS.format(big=big or "false").strip()


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


def disorder(shape: Shape, *, exact: bool, repeated: bool) -> str:
    """Return the count of matched rows that stand before their predecessor."""
    columns = shape.key_columns(exact) + (["occurrence"] if repeated else [])
    return _DISORDER.format(same=same(columns)).strip()


def cells_table(shape: Shape) -> str:
    """Return the cells of all pairs whose raw texts differ, one row a cell."""
    tolerance = dict(shape.tolerance)
    structs = [
        f"{{'col': {i}, 'type': {_text(shape.types[i])}, 'tolerance': {tolerance.get(i, 'NULL')}::DOUBLE, "
        f"'gold': g.c{i}, 'candidate': c.c{i}}}"
        for i in shape.values
    ]
    # a table without values has no cells
    empty = "{'col': 0, 'type': '', 'tolerance': NULL::DOUBLE, 'gold': '', 'candidate': ''}"
    return _CELLS_OF_PAIRS.format(structs=",\n    ".join(structs or [empty])).strip()


def values_table(shape: Shape) -> str:
    """Return the differing cells with both values as they are compared."""
    types = sorted({shape.types[i] for i in shape.values} & set(NORMALISERS) - {"number"})

    def choose(cell: str) -> str:
        cases = [f"WHEN {_text(t)} THEN {normalised(t, cell)}" for t in types]
        return f"CASE type WHEN 'number' THEN NULL {' '.join(cases)} ELSE {cell} END"

    return _NORMALISED.format(gold=choose("gold"), candidate=choose("candidate")).strip()


def differences_view(policy: Policy, hows: Sequence[str]) -> str:
    """Return the cells that differ under a policy, of the pairs that were found in these ways."""
    faults = policy.evaluator_faults
    return _DIFFERENCES.format(
        policy=policy.name,
        hows=", ".join(map(_text, hows)),
        relative=repr(policy.relative),
        absolute=repr(policy.absolute),
        unknown=_UNKNOWN if faults else "false",
        infinite=" OR NOT isfinite(gold_number) OR NOT isfinite(candidate_number)" if faults else "",
        or_unknown=" OR " + _UNKNOWN if faults else "",
    ).strip()


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
