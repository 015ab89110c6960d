"""The SQL of a comparison, to read or to run elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from prepsql.compare.tables import gold_files, load_files
from prepsql.macros import create_sql
from prepsql.sqltext import literal

_LOAD = "CREATE OR REPLACE TABLE {side} AS\nFROM read_csv({path}, header = true, all_varchar = true, names = {names})"
_SUMMARY = """
SELECT col, count(*) AS differing, max(error) FILTER (isfinite(error)) AS largest_error
FROM differences_{policy} GROUP BY col ORDER BY col"""
_UNMATCHED = "SELECT how, count(*) AS rows FROM pairs GROUP BY how"


def compare_sql(
    gold: str | Path, candidate: str | Path, policy: str = "paper", key: Sequence[str] | None = None
) -> str:
    """Return the SQL that `compare` runs, as one DuckDB script.

    For folders it is rendered from gold's config and the headers alone; two files are read, for their types. What
    Python decides on the way is left out: keys beyond 2^53, repeated keys, and the pairing of near numbers.
    """
    paths, reading = (Path(gold), Path(candidate)), find_policy(policy)
    check_paths(*paths, key)
    script = create_sql(MACROS)
    if key:
        with workspace() as con:
            config, tables, infer = load_files(con, *paths, key)
            types = infer(tuple(t for _, t in config.columns), range(len(config.columns)))
        names = [name for name, _ in config.columns]
        config = replace(config, columns=tuple(zip(names, types, strict=True)))
        script += _statements(config, paths, (tables[0].columns, tables[1].columns), reading)
    else:
        for name, entry in gold_files(*paths).items():
            outputs = (paths[0] / name, paths[1] / name)
            # without a candidate, the SQL is that of one with gold's columns
            found = [output_columns(path) for path in outputs if path.is_file()]
            script += _statements(entry, outputs, (found[0], found[-1]), reading)
    return "".join(f"{statement};\n\n" for statement in script).rstrip()


def _statements(
    config: TableConfig,
    paths: tuple[Path, Path],
    columns: tuple[Mapping[str, str], Mapping[str, str]],
    policy: Policy,
) -> list[str]:
    """Return the statements for one pair of tables, a comment on what is what first."""
    absent = tuple(i for i, (name, _) in enumerate(config.columns) if name not in columns[1])
    shape = Shape.of(config, absent)
    legend = "\n".join(
        f"-- c{i} is {' '.join(name.split())} ({type_})" for i, (name, type_) in enumerate(config.columns)
    )
    loads = [
        _LOAD.format(side=side, path=literal(str(path)), names=f"[{', '.join(map(literal, found.values()))}]")
        for side, path, found in zip(SIDES, paths, columns, strict=True)
    ]
    found_by = ["equal", "near"] if policy.alignment == "nearest" else ["equal"]
    return [
        f"-- {paths[0].name} by {', '.join(' '.join(part.split()) for part in config.key)}\n{legend}\n{loads[0]}",
        loads[1],
        *(
            statement
            for side, found in zip(SIDES, columns, strict=True)
            for statement in (
                statements.cells_view(side, [found.get(name) for name, _ in config.columns]),
                statements.keys_table(side, shape, published=policy.evaluator_faults),
            )
        ),
        *(statements.duplicates(side, shape, exact=False) for side in SIDES),
        statements.pairs_table(shape, exact=False, repeated=False),
        _UNMATCHED,
        statements.cells_table(shape),
        statements.values_table(shape),
        statements.differences_view(policy, found_by),
        _SUMMARY.format(policy=policy.name).strip(),
    ]
