"""The SQL of a comparison, to read or to run elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from prepsql.compare import statements
from prepsql.compare.config import TableConfig
from prepsql.compare.facts import SIDES
from prepsql.compare.policy import Policy, find_policy
from prepsql.compare.reading import output_columns
from prepsql.compare.run import check_paths
from prepsql.compare.session import MACROS, workspace
from prepsql.compare.shape import Shape
from prepsql.compare.tables import as_raw, gold_files, load_files
from prepsql.compare.words import one_line
from prepsql.macros import create_sql
from prepsql.sqltext import literal
from prepsql.tables import Table

_LOAD = """
CREATE OR REPLACE TABLE {side} AS
FROM read_csv({path}, delim = {delimiter}, header = true, all_varchar = true, names = {names})"""
_READ = """
-- Not in this script: make table {side}, all columns text, of {path}
-- as prepsql.read does (in Python: prepsql.read(path, con, '{side}')). DuckDB's read_csv doesn't: {why}."""
_RENAMED = "\n-- Its column rowid is named {name} here."
_PAIRS_HOLD = "-- only the rows that may differ: without a partner, or with some cell of another text or value"
_OUTSIDE = {
    "nearest": """
-- Not in this script: policy paper now pairs the missing and extra rows whose keys' numbers lie within 2 %, nearest
-- first, and adds those pairs as 'near'. Here they stay missing and extra.""",
    "sequential": """
-- Not in this script: policy published now lets each gold row, in file order, take the one candidate row whose key's
-- numbers lie within 2 %, and stops where none or several do. Here rows meet by equal keys alone.""",
}
_SUMMARY = """
SELECT col, count(*) AS differing, max(error) FILTER (isfinite(error)) AS largest_error
FROM differences_{policy} GROUP BY col ORDER BY col"""
_UNMATCHED = "SELECT how, count(*) AS rows FROM pairs GROUP BY how"


def compare_sql(
    gold: str | Path,
    candidate: str | Path,
    policy: str = "paper",
    key: str | Sequence[str] | None = None,
    *,
    types: Mapping[str, str] | None = None,
) -> str:
    """Return the SQL that `compare` runs, as one DuckDB script.

    For folders it is rendered from gold's config and the headers alone; two files are read, for their types. Left out
    is what Python decides on the way. Comments stand where that is the pairing of near numbers, or the reading of a
    file that read_csv would read otherwise than `prepsql.read`; keys beyond 2^53 and repeated keys just meet as they
    are.
    """
    paths, reading = (Path(gold), Path(candidate)), find_policy(policy)
    parts = (key,) if isinstance(key, str) else tuple(key or ())
    check_paths(*paths, parts, types)
    script = create_sql(MACROS)
    if parts:
        with workspace() as con:
            config, tables, infer = load_files(con, *paths, parts, types or {})
            found = infer(tuple(t for _, t in config.columns), range(len(config.columns)))
        config = replace(config, columns=tuple(zip((name for name, _ in config.columns), found, strict=True)))
        loads = [_load_file(side, table) for side, table in zip(SIDES, tables, strict=True)]
        script += _statements(paths[0].name, config, loads, [as_raw(table).columns for table in tables], reading)
    else:
        for name, entry in gold_files(paths[0]).items():
            outputs = (paths[0] / name, paths[1] / name)
            # without the candidate's file, the SQL is that of one with gold's columns
            headers = [output_columns(path) for path in outputs if path.is_file()]
            columns = [headers[0], headers[-1]]
            loads = [_load(side, path, c.values()) for side, path, c in zip(SIDES, outputs, columns, strict=True)]
            script += _statements(name, entry, loads, columns, reading)
    return "\n\n".join(map(_ended, script))


def _ended(statement: str) -> str:
    """Return a statement with its semicolon, which a comment alone doesn't have."""
    return statement if statement.splitlines()[-1].startswith("--") else f"{statement};"


def _load(side: str, path: Path, names: Iterable[str], delimiter: str = ",") -> str:
    columns = ", ".join(map(literal, names))
    return _LOAD.format(side=side, path=literal(str(path)), names=f"[{columns}]", delimiter=literal(delimiter)).strip()


def _load_file(side: str, table: Table) -> str:
    """Return the statement for a delimited text that holds nothing to mend; of any other file, what it is."""
    ledger = table.ledger
    mended = sorted({entry.kind for entry in ledger.entries} - {"delimiter"})
    if ledger.delimiter and not mended:
        return _load(side, table.path, as_raw(table).columns.values(), ledger.delimiter)
    why = f"it is {ledger.format}" if not ledger.delimiter else ", ".join(mended)
    renamed = [_RENAMED.format(name=new) for old, new in as_raw(table).columns.items() if new != old]
    return "".join([_READ.format(side=side, path=one_line(str(table.path)), why=why).strip(), *renamed])


def _statements(
    name: str, config: TableConfig, loads: Sequence[str], columns: Sequence[Mapping[str, str]], policy: Policy
) -> list[str]:
    """Return the statements for one pair of tables, a comment on what is what first."""
    absent = tuple(i for i, (column, _) in enumerate(config.columns) if column not in columns[1])
    shape = Shape.of(config, absent)
    legend = "\n".join(f"-- c{i} is {one_line(column)} ({type_})" for i, (column, type_) in enumerate(config.columns))
    found_by = ["equal", "near"] if policy.alignment == "nearest" else ["equal"]
    return [
        f"-- {one_line(name)} by {', '.join(map(one_line, config.key))}\n{legend}\n{loads[0]}",
        loads[1],
        *(
            statement
            for side, found in zip(SIDES, columns, strict=True)
            for statement in (
                statements.cells_view(side, [found.get(column) for column, _ in config.columns]),
                statements.keys_table(side, shape, published=policy.evaluator_faults),
            )
        ),
        *(statements.duplicates(side, shape, exact=False) for side in SIDES),
        f"{_PAIRS_HOLD}\n{statements.pairs_table(shape, exact=False, repeated=False)}",
        *([_OUTSIDE[policy.alignment].strip()] if shape.numbers and policy.alignment in _OUTSIDE else []),
        _UNMATCHED,
        statements.cells_table(shape),
        statements.values_table(shape),
        statements.differences_view(policy, found_by),
        _SUMMARY.format(policy=policy.name).strip(),
    ]
