"""A workflow as SQL for another database: one query an output, views, or a dbt project."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

import duckdb

from prepsql.errors import ConfigError, WriteError
from prepsql.scratch import scratch_folder
from prepsql.workflow.compile import Chain, Compiled
from prepsql.workflow.dialects import Dialect, NotPortable, dialect_of
from prepsql.workflow.dialects.placing import rows_of, spelled
from prepsql.workflow.document import Document, Step
from prepsql.workflow.operators.input import Input
from prepsql.workflow.operators.join import Join
from prepsql.workflow.operators.output import Output
from prepsql.workflow.operators.script import Script
from prepsql.workflow.prepare import ask, install_used, refused
from prepsql.workflow.problem import Problem, did_you_mean, listing
from prepsql.workflow.relation import Relation
from prepsql.workflow.render import identifier
from prepsql.workflow.settings import Settings, connect
from prepsql.workflow.sources import load_sources
from prepsql.workflow.statement import statement

Form = Literal["query", "views", "dbt"]
FORMS: tuple[str, ...] = get_args(Form)


@dataclass(frozen=True)
class Export:
    """A workflow in a dialect: each step's SELECT in order, the tables that it reads, and what the reader must know.

    `tables` are the input steps (and script steps that became tables) by name, with their table's name and columns.
    """

    document: Document
    dialect: Dialect
    chain: Chain
    tables: Mapping[str, tuple[str, Relation]]
    remarks: tuple[str, ...]

    @property
    def steps(self) -> list[Compiled]:
        """The steps that are SELECTs, each after those it reads."""
        return [self.chain.done[step.name] for step in self.chain if self.chain.done[step.name].sql]

    @property
    def outputs(self) -> list[Compiled]:
        """The output steps."""
        return [compiled for compiled in self.steps if isinstance(compiled.step.operator, Output)]

    def queries(self) -> dict[str, str]:
        """Return one query an output, by the output's path, each with a header that says what it reads."""
        return {
            compiled.step.params[
                "path"
            ]: f"{self.header(compiled)}{self._ended(self.chain.ancestors(compiled.step.name))}"
            for compiled in self.outputs
        }

    def views(self) -> str:
        """Return the statements that make each step a view, those it reads before it.

        Raises ConfigError where a view would have the name of the table that it reads.
        """
        for name, (table, _) in self.tables.items():
            if table == name and self.chain.done[name].sql:
                raise ConfigError(
                    f"the view of step '{name}' would have its table's name; give the table another (--table)"
                )
        made = [
            f"{note}{self.dialect.view.format(identifier(c.step.name, self.dialect.name), c.sql)};"
            for c in self.steps
            for note in [f"-- {_line(c.step.note)}\n" if c.step.note else ""]
        ]
        return self.header(None) + "\n\n".join(made) + "\n"

    def files(self, form: str) -> dict[str, str]:
        """Return the files of a form by their paths: a query an output, one file of views, or a dbt project."""
        check_form(form)
        if form == "dbt":
            from prepsql.workflow.dbt import dbt_files

            return dbt_files(self)
        if form == "views":
            return {"views.sql": self.views()}
        return {f"{Path(path).stem}.sql": query for path, query in self.queries().items()}

    def text(self, form: str, output: str | None = None) -> str:
        """Return a form as one text; of the query of one `output`, or of all. Raises ConfigError for other names."""
        if form == "dbt":
            return "\n".join(f"-- {path}\n{text}" for path, text in self.files(form).items())
        queries = self.queries()
        if output is not None and output not in queries:
            raise ConfigError(f"no output {output!r} (has: {listing(list(queries))})")
        if form == "query" and output is not None:
            return queries[output]
        return "\n".join(self.files(form).values())

    def header(self, output: Compiled | None) -> str:
        """Return the comment above a query: what it makes, the tables it reads with their columns, what it presumes."""
        above = {c.step.name for c in self.chain.ancestors(output.step.name)} if output else set(self.chain.done)
        sources = {source for name in above for source in self.chain.steps[name].inputs.values()} | above
        title = self.document.name or "workflow"
        lines = [f"{title}: {output.step.params['path']}, for {self.dialect.name}" if output else
                 f"{title}, for {self.dialect.name}"]  # fmt: skip
        for name, (table, relation) in self.tables.items():
            if name in sources:
                columns = ", ".join(
                    f"{identifier(spelled(c, self.dialect), self.dialect.name)} {shown_type(k, self.dialect)}"
                    for c, k in relation.columns.items()
                )
                lines += _wrapped(f"reads {qualified(table, self.dialect)} ({columns})")
        for sentence in (*self.dialect.expects, *self.remarks):
            lines += _wrapped(sentence)
        return "".join(f"-- {line}\n" for line in lines)

    def _ended(self, steps: Sequence[Compiled]) -> str:
        return f"{statement(steps, self.dialect.name)}{self.dialect.end};\n"


def export(
    document: Document, folder: Path, dialect: str, *, tables: Mapping[str, str] | None = None,
    external_scripts: bool = False,
) -> Export:  # fmt: skip
    """Return a checked document in a dialect.

    Input files are read (from `folder`) where an input step doesn't declare its columns with their types, and for a
    pivot without column_values. `tables` maps input steps, or their paths, to tables of the database; by default a
    table has its step's name. A script step is a fault, or with `external_scripts` a table that the user supplies.
    Raises WorkflowError with a problem for each step that the dialect can't say.
    """
    target = dialect_of(dialect)
    steps, problems = _without_scripts(document.steps, external_scripts)
    names = _table_names(document.steps, steps, tables or {})
    with scratch_folder("flow") as scratch, connect(Settings(), scratch) as con:
        install_used(con, document)
        declared = {s.name: r for s in steps.values() if (r := _declared(s, document.steps[s.name])) is not None}
        files = {name: step for name, step in steps.items() if name not in declared}
        sources, unread = load_sources(con, files, folder)
        problems += unread
        answers = _Answers(con, frozenset(sources))
        plain = Chain(steps, declared | sources, exact=False, ask=answers)
        problems += [problem for step in plain for problem in plain.add(step).problems]
        chain = plain
        if not problems and target.name != "duckdb":
            chain = Chain(steps, declared | sources, dialect=dialect, exact=False, ask=answers.again)
            for step in chain:
                problems += chain.add(step).problems
    problems += _unknown(chain, problems)
    reads = {name: (names[name], chain.sources[name]) for name, step in steps.items() if step.kind == "input"}
    problems += _place_tables(chain, target, names) + _one_name(chain, target)
    if problems:
        raise refused(list(dict.fromkeys(problems)))
    inline = {name for name, step in steps.items() if step.params.get("data") and document.steps[name].kind == "input"}
    reads = {name: read for name, read in reads.items() if name not in inline}
    return Export(document, target, chain, reads, _remarks(chain, target))


def qualified(table: str, dialect: Dialect) -> str:
    """Return a table's name, which may have its schema before it, as the dialect's SQL has it."""
    return ".".join(identifier(part, dialect.name) for part in table.split("."))


class _Answers:
    """Asks the files once what a pivot's columns are, and remembers."""

    def __init__(self, con: duckdb.DuckDBPyConnection, loaded: frozenset[str]) -> None:
        self.con, self.loaded = con, loaded
        self.known: dict[tuple[str, str], Sequence[tuple[Any, ...]] | None] = {}

    def __call__(self, chain: Chain, name: str, question: str) -> Sequence[tuple[Any, ...]] | None:
        above = {c.step.name for c in chain.ancestors(name)}
        if any(chain.steps[step].kind == "input" and step not in self.loaded for step in above):
            return None
        self.known[name, question] = ask(self.con, chain, name, question)
        return self.known[name, question]

    def again(self, chain: Chain, name: str, question: str) -> Sequence[tuple[Any, ...]] | None:
        """Return what was answered before."""
        return self.known.get((name, question))


def _without_scripts(given: Mapping[str, Step], external: bool) -> tuple[dict[str, Step], list[Problem]]:
    """Return the steps from which the outputs are made, script steps as inputs, and the problems of those."""
    wanted: dict[str, Step] = {}
    problems: list[Problem] = []
    left = [name for name, step in given.items() if step.kind == "output"]
    while left:
        name = left.pop()
        if name in wanted:
            continue
        step = given[name]
        if isinstance(step.operator, Script):
            if not external:
                problems.append(Problem(name, "", "not_portable", "a script step isn't SQL that another database runs",
                                        "say it by other steps, or make it a table: --external-scripts"))  # fmt: skip
            elif step.operator.columns is None or step.operator.scalar:
                problems.append(Problem(name, "columns", "missing_parameter", "which columns the table has isn't known",
                                        "declare columns, and have no scalar script"))  # fmt: skip
            step = replace(step, kind="input", inputs={}, operator=Input(path=f"{name}.csv"))
        wanted[name] = step
        left += step.inputs.values()
    return {name: wanted[name] for name in given if name in wanted}, problems


def _declared(step: Step, given: Step) -> Relation | None:
    """Return an input's columns where the step says them all with their types, so that no file is needed."""
    if isinstance(given.operator, Script):
        known = given.operator.columns if not given.operator.scalar else None
        columns = {name: _canonical(kind) for name, kind in (known or {}).items()}
        return Relation(step.name, columns, open=known is None)
    operator = step.operator
    if not isinstance(operator, Input) or operator.data is not None:
        return None
    if operator.format == "lines":
        return Relation(step.name, {"raw": "VARCHAR", "line": "BIGINT"})
    if operator.columns is None or isinstance(operator.types, str):
        return None if operator.columns is None or operator.types == "safe" else Relation(
            step.name, dict.fromkeys(operator.columns, "VARCHAR")
        )  # fmt: skip
    kinds = {name.lower(): kind for name, kind in operator.types.items()}
    if not {name.lower() for name in operator.columns} <= set(kinds):
        return None
    return Relation(step.name, {name: _canonical(kinds[name.lower()]) for name in operator.columns})


def _canonical(kind: str) -> str:
    """Return a type as DuckDB calls it: DECIMAL(18,2), not NUMERIC(18, 2)."""
    from prepsql.workflow.describe import type_of

    return type_of(f"CAST(NULL AS {kind})", Relation("nothing", {"x": "INTEGER"}))


def _table_names(given: Mapping[str, Step], steps: Mapping[str, Step], tables: Mapping[str, str]) -> dict[str, str]:
    """Return the table of each input step. Raises ConfigError where `tables` names no input."""
    inputs = {name: step.params.get("path", name) for name, step in steps.items() if step.kind == "input"}
    known = {*inputs, *inputs.values(), *given}
    for key in tables:
        if key not in known:
            near = did_you_mean(key, [*inputs, *inputs.values()])
            raise ConfigError(
                f"table for {key!r}: no such input (has: {listing(list(inputs))}){'; ' + near if near else ''}"
            )
    return {name: tables.get(name, tables.get(path, name)) for name, path in inputs.items()}


def _unknown(chain: Chain, problems: Sequence[Problem]) -> list[Problem]:
    """Return the steps whose columns depend on data that aren't there."""
    return [
        Problem(name, "", "unknown_columns", "which columns it makes depends on the data",
                "give column_values, or the folder of the inputs")
        for name, compiled in chain.done.items()
        if not compiled.sql and not problems
    ][:1]  # fmt: skip


def _place_tables(chain: Chain, dialect: Dialect, names: Mapping[str, str]) -> list[Problem]:
    """Let each input stand for its table: nothing where the table has the step's name, else a SELECT from it."""
    problems = []
    for name, table in names.items():
        compiled = chain.done[name]
        data = compiled.step.params.get("data")
        if data and compiled.step.kind == "input" and "code" not in compiled.step.params:
            try:
                sql = rows_of(data, compiled.relation, dialect)
            except NotPortable as no:
                problems.append(Problem(name, "data", "not_portable", f"{dialect.name} can't say it: {no}", no.mend))
                continue
        elif compiled.relation.hidden:
            sql = compiled.sql.replace(
                f"FROM {identifier(chain.sources[name].name)}", f"FROM {qualified(table, dialect)}"
            )
        else:
            sql = "" if table == name else f"SELECT\n  *\nFROM {qualified(table, dialect)}"
        chain.done[name] = replace(compiled, sql=sql)
    return problems


def _one_name(chain: Chain, dialect: Dialect) -> list[Problem]:
    """Return the steps in which two columns would have one name in the dialect."""
    problems = []
    for name, compiled in chain.done.items():
        seen: dict[str, str] = {}
        for column in compiled.relation.columns:
            other = seen.setdefault(spelled(column, dialect).lower(), column)
            if other != column:
                message = f"'{other}' and '{column}' would have one name in {dialect.name}"
                problems.append(Problem(name, "", "not_portable", message, "rename one in a project step before"))
    return problems


def _remarks(chain: Chain, dialect: Dialect) -> tuple[str, ...]:
    """Return what the query does otherwise than the workflow: names that can't be, checks that it doesn't do."""
    columns = [column for compiled in chain.done.values() for column in compiled.relation.columns]
    found = [
        f"the column '{_line(column)}' is called '{spelled(column, dialect)}' here"
        for column in dict.fromkeys(columns)
        if spelled(column, dialect) != column
    ]
    for name, compiled in chain.done.items():
        if isinstance(compiled.step.operator, Join) and compiled.step.operator.validate_:
            found.append(f"not checked here: the keys of join '{name}' are {compiled.step.operator.validate_}")
    return tuple(found)


def shown_type(kind: str, dialect: Dialect) -> str:
    """Return one of DuckDB's types as the dialect calls it."""
    size = kind.removeprefix("DECIMAL(").removesuffix(")").split(",") if kind.startswith("DECIMAL(") else ["", ""]
    name = dialect.types.get("DECIMAL" if size[0] else kind, kind)
    return name.replace("{p}", size[0]).replace("{s}", size[1])


def _line(text: str) -> str:
    return " ".join(text.split())


def _wrapped(text: str) -> Iterable[str]:
    return textwrap.wrap(_line(text), 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def check_form(form: str) -> None:
    """Raise ConfigError where there is no such form."""
    if form not in FORMS:
        raise ConfigError(f"no form {form!r} (has: {', '.join(FORMS)})")


def write_files(folder: Path, files: Mapping[str, str]) -> tuple[Path, ...]:
    """Write files into a folder, and return their paths. Raises WriteError where that can't be."""
    paths = []
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            paths.append(path)
    except OSError as bad:
        raise WriteError(f"{folder}: can't be written ({bad.strerror or bad}); name a folder that is writable") from bad
    return tuple(paths)
