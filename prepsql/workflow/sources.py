"""Input steps as tables of DuckDB."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from glob import escape
from pathlib import Path
from string import Template
from typing import Any

import duckdb

from prepsql.errors import InputError, PrepsqlError, WorkflowError
from prepsql.sqltext import create_as, drop, literal, named, quote, select
from prepsql.tables import Table, read, safe_types, sniff_encoding, typed_sql
from prepsql.tables.names import unique_names
from prepsql.workflow.describe import type_fault
from prepsql.workflow.document import Step
from prepsql.workflow.operators.base import duplicates
from prepsql.workflow.operators.input import Input
from prepsql.workflow.problem import Problem, did_you_mean, listing
from prepsql.workflow.relation import HIDDEN, Relation

_LONGEST_NAME = 255
_LINE_END = re.compile("\r\n|\r|\n")
_ORDINAL = f"{HIDDEN}number"
_NULL_WORD = Template("CASE WHEN list_contains([$words], lower(trim($cell))) THEN '' ELSE $cell END")


# what a reader puts right without anybody having to look
_HARMLESS = frozenset(
    ["blank lines", "line ends", "delimiter", "directive", "encoding", "trailing delimiter", "header only"]
)


def table_names(steps: Mapping[str, Step]) -> dict[str, str]:
    """Return the name of each input step's table: the file's stem, unless a step or another file has it."""
    taken = {name.lower() for name in steps}
    names: dict[str, str] = {}
    for step in steps.values():
        if isinstance(step.operator, Input):
            stem = Path(step.operator.path).stem if step.operator.path else f"{step.name}_data"
            name, number = stem, 2
            if name.lower() in taken:
                name = f"{stem}_file"
            while name.lower() in taken:
                name, number = f"{stem}_{number}", number + 1
            taken.add(name.lower())
            names[step.name] = name
    return names


def load_sources(
    con: duckdb.DuckDBPyConnection, steps: Mapping[str, Step], folder: Path, *, confined: bool = False
) -> tuple[dict[str, Relation], list[Problem]]:
    """Make a table of each input step, in the order of the steps; return relations by step, and what can't be read.

    `confined`: a path that leads out of `folder` can't be read.
    """
    relations: dict[str, Relation] = {}
    problems: list[Problem] = []
    for step_name, name in table_names(steps).items():
        step = steps[step_name]
        assert isinstance(step.operator, Input)
        if step.operator.path is None and step.operator.data is None:
            continue
        if (given := step.operator.path) is not None and not can_name_a_file(given):
            problems.append(Problem(step_name, "path", "bad_input", f"{given[:60]!r} can't be a file's name", ""))
            continue
        try:
            if confined:
                _stay_inside(folder, step.operator)
            relations[step_name] = _load(con, step.operator, name, folder)
        except WorkflowError as wrong:
            problems += [replace(p, step=step_name) for p in wrong.problems if isinstance(p, Problem)]
        except PrepsqlError as wrong:
            problems.append(_unread(step_name, step.operator, folder, wrong))
    return relations, problems


def can_name_a_file(path: str) -> bool:
    """Return whether any file system has files of such names: none has them with NUL, or parts above 255 bytes."""
    return "\0" not in path and all(len(part.encode(errors="replace")) <= _LONGEST_NAME for part in Path(path).parts)


def _unread(step: str, given: Input, folder: Path, wrong: PrepsqlError) -> Problem:
    """Return the problem of a file that can't be read; one of that name elsewhere or of a like name may be meant."""
    near, path = "", given.path or ""
    if not (folder / path).exists() and folder.is_dir():
        elsewhere = sorted([*folder.glob(f"*/{escape(Path(path).name)}"), *folder.glob(escape(Path(path).name))])
        beside = [found.name for found in sorted(folder.iterdir())]
        near = f"did you mean '{elsewhere[0].relative_to(folder)}'?" if elsewhere else did_you_mean(path, beside)
    message = str(wrong).replace(f"{folder}/", "").replace(f"{folder}:", f"{path}:")
    return Problem(step, "path", "bad_input", message, near)


def _stay_inside(folder: Path, given: Input) -> None:
    if given.path is not None and not (folder / given.path).resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{given.path}: not one of the inputs; name a file of their folder")


def _load(con: duckdb.DuckDBPyConnection, given: Input, name: str, folder: Path) -> Relation:
    if given.data is not None:
        return _inline(con, given.data, name)
    path = folder / (given.path or "")
    if given.format == "lines":
        return _lines(con, path, name, given.encoding)
    raw = _read(con, given, path, f"{name} as text")
    _check_types(given)
    columns = _chosen(given, raw)
    text = raw.name
    if given.null_words:
        words = ", ".join(literal(word.strip().lower()) for word in given.null_words)
        cells = [
            named(_NULL_WORD.substitute(words=words, cell=quote(c)), c) if c in columns else quote(c)
            for c in raw.columns
        ]
        text = f"{name} without null words"
        con.execute(create_as(text, select(cells, raw.name))).fetchall()
    types = _types(con, given, text, columns)
    query = select(map(quote, columns), text) if given.types == "text" else typed_sql(text, types)
    try:
        con.execute(create_as(name, query)).fetchall()
    except duckdb.ConversionException as bad:
        raise _bad_cell(con, raw, text, types, bad) from bad
    for used in {text, raw.name}:
        con.execute(drop(used)).fetchall()
    noticed = tuple(f"{path.name}: {entry}" for entry in raw.ledger.entries if entry.kind not in _HARMLESS)
    return replace(relation_of(con, name), notes=noticed)


def relation_of(con: duckdb.DuckDBPyConnection, name: str) -> Relation:
    """Return a table of DuckDB as a relation; its row numbers are at hand, also where a column is called rowid."""
    table = con.table(quote(name))
    columns = {column: str(kind) for column, kind in zip(table.columns, table.types, strict=True)}
    _check_names(columns)
    relation = Relation(name, columns)
    return numbered(con, relation) if "rowid" in map(str.lower, columns) else relation


def numbered(con: duckdb.DuckDBPyConnection, relation: Relation) -> Relation:
    """Return a table with its rows' numbers in a hidden column, which steps after it can carry on."""
    if relation.hidden:
        return relation
    rows = Template("SELECT *, row_number() OVER () AS $number FROM $table")
    query = rows.substitute(number=quote(_ORDINAL), table=quote(relation.name))
    con.execute(create_as(relation.name, query)).fetchall()
    return replace(relation, hidden={_ORDINAL: "BIGINT"})


def _check_names(columns: Iterable[str]) -> None:
    columns = list(columns)
    for one, other in duplicates(columns):
        message = f"'{one}' and '{other}' are one name to SQL"
        raise WorkflowError(message, (Problem("", "data", "duplicate_column", message, "rename one of them"),))
    for column in columns:
        if column.lower().startswith(HIDDEN):
            raise WorkflowError(
                f"column {column!r}: names that begin with {HIDDEN} are prepsql's own",
                (Problem("", "path", "bad_name", f"column '{column}' begins with {HIDDEN}, as prepsql's own do",
                         "rename it in the file"),),
            )  # fmt: skip


def _read(con: duckdb.DuckDBPyConnection, given: Input, path: Path, name: str) -> Table:
    """Read the file as text, with the header where the parameters say it is."""
    header: int | None = None
    if not given.has_header:
        header = 0
    elif isinstance(given.header, int):
        header = given.header + given.skip
    elif given.skip:
        header = given.skip + 1
    rows = given.header if isinstance(given.header, list) else None
    table = read(
        path, con, name, delimiter=given.delimiter, encoding=given.encoding, sheet=given.sheet,
        format="sheet" if given.format == "xlsx" else given.format,
        header=0 if rows else header,
    )  # fmt: skip
    skipped = max(rows) + given.skip if rows else given.skip if not given.has_header else 0
    if not skipped:
        return table
    names = _merged(con, table, [row + given.skip for row in rows]) if rows else list(table.columns)
    pairs = zip(table.columns, names, strict=True)
    cut = Template("$select WHERE rowid >= $first ORDER BY rowid")
    query = cut.substitute(select=select([named(quote(old), new) for old, new in pairs], name), first=skipped)
    made = f"{name} below its header"
    con.execute(create_as(made, query)).fetchall()
    con.execute(drop(name)).fetchall()
    return replace(table, name=made, columns=tuple(names), rows=max(0, table.rows - skipped))


def _merged(con: duckdb.DuckDBPyConnection, table: Table, rows: list[int]) -> list[str]:
    """Return names made of several rows' cells; an empty cell of an upper row goes on from its left neighbour."""
    lines = []
    if max(rows) > table.rows:
        message = f"there is no line {max(rows)}; the file has {table.rows}"
        raise WorkflowError(message, (Problem("", "header", "bad_value", message, "name the lines of the header"),))
    for position, row in enumerate(rows):
        pick = Template("$select WHERE rowid = $row").substitute(
            select=select(map(quote, table.columns), table.name), row=row - 1
        )
        found = con.execute(pick).fetchall()
        cells = [str(cell or "").strip() for cell in (found[0] if found else ("",) * len(table.columns))]
        if position < len(rows) - 1:
            for i in range(1, len(cells)):
                cells[i] = cells[i] or cells[i - 1]
        lines.append(cells)
    return unique_names([" ".join(filter(None, parts)) for parts in zip(*lines, strict=True)])[0]


def _check_types(given: Input) -> None:
    """Raise WorkflowError where a declared type isn't one."""
    found = tuple(
        Problem("", f"types.{name}", "wrong_type", *fault)
        for name, kind in (given.types.items() if isinstance(given.types, dict) else ())
        if (fault := type_fault(kind))
    )
    if found:
        raise WorkflowError(found[0].message, found)


def _chosen(given: Input, raw: Table) -> list[str]:
    folded = {name.lower(): name for name in raw.columns}
    wanted = [(f"columns[{position}]", name) for position, name in enumerate(given.columns or ())]
    wanted += [(f"types.{name}", name) for name in (given.types if isinstance(given.types, dict) else ())]
    lacking = [(where, name) for where, name in wanted if name.lower() not in folded]
    if lacking:
        raise WorkflowError(
            f"{raw.path}: no column {lacking[0][1]!r}",
            tuple(
                Problem("", where, "missing_column", f"no column '{name}' (has: {listing(raw.columns)})",
                        did_you_mean(name, raw.columns))
                for where, name in lacking
            ),
        )  # fmt: skip
    return [folded[name.lower()] for name in given.columns] if given.columns else list(raw.columns)


def _types(con: duckdb.DuckDBPyConnection, given: Input, text: str, columns: list[str]) -> dict[str, str]:
    if given.types == "text":
        return dict.fromkeys(columns, "VARCHAR")
    declared = {k.lower(): v for k, v in given.types.items()} if isinstance(given.types, dict) else {}
    rest = [column for column in columns if column.lower() not in declared]
    safe = safe_types(con, text, rest) if rest else {}
    return {column: declared.get(column.lower()) or safe[column] for column in columns}


def _bad_cell(
    con: duckdb.DuckDBPyConnection, raw: Table, text: str, types: Mapping[str, str], bad: duckdb.Error
) -> WorkflowError:
    """Return which cells don't fit their declared type: the column, and up to five lines with their values."""
    probe = Template(
        "SELECT rowid, $cell FROM $table WHERE nullif($cell, '') IS NOT NULL AND TRY_CAST($cell AS $kind) IS NULL "
        "ORDER BY rowid LIMIT 5"
    )
    for column, kind in types.items():
        query = probe.substitute(cell=quote(column), table=quote(text), kind=kind)
        rows = con.execute(query).fetchall() if kind != "VARCHAR" else []
        if rows:
            shown = ", ".join(f"line {raw.line(row)}: {value!r}" for row, value in rows)
            message = f"column '{column}' has cells that aren't {kind} ({shown})"
            return WorkflowError(
                message,
                (Problem("", f"types.{column}", "wrong_type", message,
                         "leave the type out and cast in a project step with errors: null"),),
            )  # fmt: skip
    return WorkflowError(str(bad), (Problem("", "types", "wrong_type", " ".join(str(bad).split())),))


def _lines(con: duckdb.DuckDBPyConnection, path: Path, name: str, encoding: str | None) -> Relation:
    """Make a table of a text file's lines; they end as an editor's do: by LF, CR LF or CR."""
    import pyarrow as pa

    try:
        text = path.read_bytes().decode(encoding or sniff_encoding(path).name).removeprefix("\ufeff")
    except OSError as bad:
        raise InputError(f"{path}: can't be read ({bad.strerror or bad})") from bad
    except (UnicodeError, LookupError) as bad:
        raise InputError(f"{path}: can't be read as {encoding}; leave encoding out, or name the file's") from bad
    lines = _LINE_END.split(text)
    if not lines[-1]:
        lines.pop()
    table = pa.table({"raw": pa.array(lines, pa.string()), "line": pa.array(range(1, len(lines) + 1), pa.int64())})
    return put_table(con, name, table)


def _inline(con: duckdb.DuckDBPyConnection, data: list[dict[str, Any]], name: str) -> Relation:
    """Make a table of rows that stand in the workflow; a column that a row lacks is null."""
    import pyarrow as pa

    columns = list(dict.fromkeys(key for row in data for key in row))
    if not columns:
        fault = Problem("", "data", "bad_value", "data has no columns", 'give rows such as {"id": 1, "name": "a"}')
        raise WorkflowError("data has no columns", (fault,))
    arrays = {}
    for column in columns:
        values = [row.get(column) for row in data]
        try:
            arrays[column] = pa.array(values)
        except (OverflowError, UnicodeEncodeError) as bad:
            what = "a number beyond 64 bits" if isinstance(bad, OverflowError) else "text that isn't Unicode"
            fault = Problem("", "data", "bad_value", f"column '{column}' holds {what}", "give the values as text")
            raise WorkflowError(fault.message, (fault,)) from bad
        except (pa.ArrowInvalid, pa.ArrowTypeError) as mixed:
            kinds = ", ".join(sorted({type(value).__name__ for value in values if value is not None}))
            fault = Problem("", "data", "bad_value", f"column '{column}' mixes kinds of values ({kinds})",
                            "make them all text, or all numbers")  # fmt: skip
            raise WorkflowError(fault.message, (fault,)) from mixed
    table = pa.table(arrays)
    nulls = [i for i, field in enumerate(table.schema) if pa.types.is_null(field.type)]
    for i in nulls:
        table = table.set_column(i, columns[i], table.column(i).cast(pa.string()))
    return put_table(con, name, table)


def put_table(con: duckdb.DuckDBPyConnection, name: str, table: Any) -> Relation:
    """Make a table of Arrow's, rows in its order."""
    _check_names(table.column_names)
    con.register("arriving", table)
    try:
        con.execute(create_as(name, "SELECT * FROM arriving")).fetchall()
    finally:
        con.unregister("arriving")
    return relation_of(con, name)
