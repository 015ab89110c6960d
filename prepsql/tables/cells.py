"""How a typed value is written as text: the one rule for files that are read and files that are written."""

from __future__ import annotations

from prepsql.sqltext import fill

# DuckDB's shortest text of a double, `shown`, with its exponent written out
_FIXED = """CASE
  WHEN shown IS NULL OR strpos(shown, 'e') = 0 THEN shown
  WHEN strpos(shown, 'e-') > 0 THEN concat(
    CASE WHEN prefix(shown, '-') THEN '-' END,
    '0.',
    repeat('0', TRY_CAST(split_part(shown, 'e-', 2) AS BIGINT) - 1),
    replace(ltrim(split_part(shown, 'e', 1), '-'), '.', ''))
  ELSE concat(
    rpad(replace(split_part(shown, 'e', 1), '.', ''),
      CAST(TRY_CAST(split_part(shown, 'e', 2) AS INTEGER) + 1 + (prefix(shown, '-'))::INTEGER AS INTEGER), '0'),
    '.0')
END"""


def as_text(cell: str, kind: str) -> str:
    """Return the SQL of `cell`, of the DuckDB type `kind`, as text; null stays null.

    Doubles are the shortest decimals that give the same double, without an exponent and with `.0` if whole; dates
    and timestamps are ISO, those with a time zone in UTC with Z; truth values true and false; nested values JSON.
    """
    if kind in {"DOUBLE", "FLOAT"}:
        return fixed(f"CAST({cell} AS VARCHAR)")
    if kind == "TIMESTAMP WITH TIME ZONE":
        return f"CAST(make_timestamp(epoch_us({cell})) AS VARCHAR) || 'Z'"
    if kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
        cell = f"to_json({cell})"
    return f"CAST({cell} AS VARCHAR)"


def fixed(shown: str) -> str:
    """Return the SQL of `shown`, a double's text, without an exponent."""
    return fill(_FIXED, shown=shown)
