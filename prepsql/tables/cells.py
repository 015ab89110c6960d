"""How a typed value is written as text: the one rule for files that are read and files that are written."""

from __future__ import annotations

from string import Template

from duckdb.sqltypes import DuckDBPyType

from prepsql.sqltext import fill, literal, quote

_IN_UTC = {
    "TIMESTAMP WITH TIME ZONE": Template("CAST(make_timestamp(epoch_us($cell)) AS VARCHAR) || 'Z'"),
    "TIMESTAMPTZ_NS": Template("CAST(make_timestamp_ns(epoch_ns($cell)) AS VARCHAR) || 'Z'"),
}

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


# a count of nanoseconds as DuckDB writes an interval, which itself has only microseconds
_NANOSECONDS = """concat(
  CASE WHEN cell < 0 THEN '-' END,
  CAST(to_microseconds(CAST(abs(cell::HUGEINT) // 1000000000 * 1000000 AS BIGINT)) AS VARCHAR),
  rtrim(rtrim('.' || lpad(CAST(abs(cell::HUGEINT) % 1000000000 AS VARCHAR), 9, '0'), '0'), '.'))"""


def as_text(cell: str, kind: DuckDBPyType) -> str:
    """Return the SQL of `cell`, of the DuckDB type `kind`, as text; null stays null.

    Doubles are the shortest decimals that give the same double, without an exponent and with `.0` if whole; dates
    and timestamps are ISO, those with a time zone in UTC with Z; truth values true and false; nested values JSON.
    """
    name = str(kind)
    if name in {"DOUBLE", "FLOAT"}:
        return fixed(f"CAST({cell} AS VARCHAR)")
    if name in _IN_UTC:
        return _IN_UTC[name].substitute(cell=cell)
    if kind.id in {"list", "array", "struct", "map", "union"}:
        cell = f"to_json({_in_utc(cell, kind)})"
    return f"CAST({cell} AS VARCHAR)"


def nanoseconds(cell: str) -> str:
    """Return the SQL of `cell`, a duration as a number of nanoseconds, as text like an interval's."""
    return f"CASE WHEN {cell} IS NOT NULL THEN {fill(_NANOSECONDS, cell=cell)} END"


def _in_utc(cell: str, kind: DuckDBPyType, depth: int = 0) -> str:
    """Return the SQL of a nested `cell` with its timestamps of a time zone as text with Z."""
    name = str(kind)
    if name in _IN_UTC:
        return _IN_UTC[name].substitute(cell=cell)
    if kind.id not in {"list", "array", "struct", "map"} or not any(zoned in name for zoned in _IN_UTC):
        return cell
    item = f"item_{depth}"
    if kind.id in {"list", "array"}:
        return f"list_transform({cell}, lambda {item}: {_in_utc(item, _parts(kind)[0][1], depth + 1)})"
    if kind.id == "struct":
        parts = ((key, _in_utc(f"struct_extract({cell}, {literal(key)})", part, depth)) for key, part in _parts(kind))
        return f"CASE WHEN {cell} IS NOT NULL THEN struct_pack({', '.join(f'{quote(k)} := {p}' for k, p in parts)}) END"
    key, value = (_in_utc(f"{item}.{side}", part, depth + 1) for side, part in _parts(kind))
    entries = f"list_transform(map_entries({cell}), lambda {item}: struct_pack(key := {key}, value := {value}))"
    return f"map_from_entries({entries})"


def _parts(kind: DuckDBPyType) -> list[tuple[str, DuckDBPyType]]:
    """Return the types inside a nested type, with their names; not the size of an array."""
    return [(name, part) for name, part in kind.children if isinstance(part, DuckDBPyType)]


def fixed(shown: str) -> str:
    """Return the SQL of `shown`, a double's text, without an exponent."""
    return fill(_FIXED, shown=shown)
