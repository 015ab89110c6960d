"""Running a workflow: one statement an output, cut where a script step or a check needs rows."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from prepsql.errors import InputError, WriteError
from prepsql.scratch import scratch_folder
from prepsql.sqltext import create_as, drop, named, quote, select
from prepsql.tables import write_csv
from prepsql.workflow.blame import cells_error, explain
from prepsql.workflow.compile import Chain
from prepsql.workflow.document import Document, Step
from prepsql.workflow.operators.base import Scope, ordering
from prepsql.workflow.operators.dedup import Dedup
from prepsql.workflow.operators.input import Input
from prepsql.workflow.operators.join import Join
from prepsql.workflow.operators.output import Output
from prepsql.workflow.operators.script import Script
from prepsql.workflow.prepare import ask, compiled_chain, install_used, refused
from prepsql.workflow.relation import OrderKey
from prepsql.workflow.script_step import run_script
from prepsql.workflow.settings import Settings, connect
from prepsql.workflow.sources import can_name_a_file, load_sources, numbered, put_table, relation_of
from prepsql.workflow.statement import statement
from prepsql.workflow.validate import validate
from prepsql.workflow.watch import watched

if TYPE_CHECKING:
    import pyarrow as pa

_PREVIEW = 5


@dataclass(frozen=True)
class StepTrace:
    """What one step did: rows in by port, rows out, seconds, columns added and dropped, its first rows."""

    name: str
    kind: str
    rows_in: dict[str, int]
    rows_out: int
    seconds: float
    added: tuple[str, ...]
    dropped: tuple[str, ...]
    preview: tuple[tuple[Any, ...], ...]
    remark: str = ""


@dataclass(frozen=True)
class Run:
    """What a run left: the files, and what each step did where it was traced. `asked` are pivots' columns by step.

    `notes` are what was noticed while the input files were read: short rows, a footer, a quote that isn't closed.
    """

    outputs: tuple[Path, ...]
    rows: tuple[int, ...]
    seconds: float
    steps: tuple[StepTrace, ...] = ()
    asked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the run as plain values, for JSON."""
        return asdict(self) | {"outputs": [str(path) for path in self.outputs]}


def run_document(document: Document, folder: Path, out: Path, settings: Settings, *, trace: bool = False) -> Run:
    """Run a checked document on the files in `folder`, and leave its outputs in `out`, all or none."""
    start = time.monotonic()
    _spare_inputs(document, folder, out)
    with scratch_folder("flow") as scratch, connect(settings, scratch) as con:
        with watched(con, settings.seconds, settings.stop) as over:
            install_used(con, document)
            sources, problems = load_sources(con, document.steps, folder, confined=bool(settings.hidden))
            con.execute("SET enable_external_access = false; SET lock_configuration = true").fetchall()
            chain = compiled_chain(con, document, sources)
            problems += chain.problems
            if problems:
                raise refused(problems)
            runner = _Runner(con, chain, scratch, replace(settings, stop=over), trace)
            runner.run()
        return runner.finish(out, time.monotonic() - start)


def _spare_inputs(document: Document, folder: Path, out: Path) -> None:
    """Raise InputError where an output would take the place of an input."""
    steps = [step.operator for step in document.steps.values()]
    paths = (step.path for step in steps if isinstance(step, Input) and step.path)
    read = {(folder / path).resolve() for path in paths if can_name_a_file(path)}
    for step in steps:
        if isinstance(step, Output) and can_name_a_file(step.path) and (out / step.path).resolve() in read:
            raise InputError(f"{out / step.path}: an input of the workflow; name another folder for its outputs")


def run_statements(document: Document, folder: Path) -> dict[str, str]:
    """Return the statement of each output, by its path."""
    with scratch_folder("flow") as scratch, connect(Settings(), scratch) as con:
        install_used(con, document)
        sources, problems = load_sources(con, document.steps, folder)
        chain = compiled_chain(con, document, sources)
        problems += chain.problems
        if problems:
            raise refused(problems)
        outputs = [step for step in chain if isinstance(step.operator, Output)]
        return {str(step.params["path"]): statement(chain.ancestors(step.name, whole=True)) for step in outputs}


def _shared(chain: Chain) -> set[str]:
    """Return the last steps that several outputs share: kept as tables, what leads to them is worked out once."""
    ends: dict[str, set[str]] = {name: set() for name in chain.steps}
    shared: set[str] = set()
    for step in reversed(list(chain)):
        own = ends[step.name] or {step.name}
        for source in step.inputs.values():
            ends[source] |= own
    for step in chain:
        for source in step.inputs.values():
            if len(ends[step.name]) < len(ends[source]) and not isinstance(chain.steps[source].operator, Input):
                shared.add(source)
    return shared


class _Runner:
    """One run on one connection."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, chain: Chain, scratch: Path, settings: Settings, trace: bool
    ) -> None:
        self.con, self.chain, self.scratch, self.settings, self.trace = con, chain, scratch, settings, trace
        # what comes after a script is compiled anew, on the columns that it really gives
        self.again = any(step.kind == "script" for step in chain.steps.values())
        self.made: list[tuple[Path, int, str]] = []
        self.traces: list[StepTrace] = []
        self.counts: dict[str, int] = {}
        self.shared = _shared(chain)
        self.left = dict.fromkeys(chain.steps, 0)
        for step in chain.steps.values():
            for source in step.inputs.values():
                self.left[source] += 1

    def run(self) -> None:
        """Run every step, in an order in which each has its inputs."""
        for step in self.chain:
            start = time.monotonic()
            remark = ""
            if isinstance(step.operator, Script):
                self._script(step, step.operator)
            else:
                compiled = self.chain.add(step) if self.again else self.chain.done[step.name]
                if compiled.problems:
                    raise refused(compiled.problems)
                if isinstance(step.operator, Join) and step.operator.validate_:
                    self._keep_inputs(step)
                    validate(self.con, step, self._scope(step))
                if isinstance(step.operator, Output):
                    self._write(step, step.operator)
                elif self.trace or step.name in self.shared:
                    remark = self._keep(step)
            if self.trace:
                self._record(step, time.monotonic() - start, remark)

    def finish(self, out: Path, seconds: float) -> Run:
        """Move the outputs to their places."""
        paths = []
        try:
            out.mkdir(parents=True, exist_ok=True)
            for made, _, name in self.made:
                staged = out / f".{made.name}.{os.getpid()}.part"
                shutil.copyfile(made, staged)
                paths.append((staged, out / name))
            for staged, place in paths:
                staged.replace(place)
        except OSError as bad:
            for staged, _ in paths:
                staged.unlink(missing_ok=True)
            why = bad.strerror or bad
            raise WriteError(f"{out}: can't be written ({why}); name a folder that is there and writable") from bad
        asked = tuple(
            (step.name, tuple(self.chain.done[step.name].relation.columns)[len(step.params.get("index", ())) :])
            for step in self.chain
            if step.kind == "pivot" and step.params.get("mode") == "wider" and not step.params.get("column_values")
        )
        rows = tuple(count for _, count, _ in self.made)
        notes = tuple(dict.fromkeys(note for source in self.chain.sources.values() for note in source.notes))
        return Run(tuple(place for _, place in paths), rows, round(seconds, 3), tuple(self.traces), asked, notes)

    def _scope(self, step: Step) -> Scope:
        return Scope(step.name, {port: self.chain.done[s].relation for port, s in step.inputs.items()})

    def _execute(self, name: str, sql: str) -> None:
        try:
            self.con.execute(sql).fetchall()
        except duckdb.Error as bad:
            raise explain(self.con, self.chain, name, bad) from bad

    def _keep(self, step: Step) -> str:
        """Make a step's result a table, which stands for the chain that made it; nothing where it is one already."""
        if self.chain.done[step.name].kept:
            return ""
        remark = ""
        if isinstance(step.operator, Dedup) and step.operator.order_by:
            question = step.operator.ties(self._scope(step))
            ties = ask(self.con, self.chain, step.inputs["in"], question) if question else None
            if ties and ties[0][0]:
                count = ties[0][0]
                remark = f"{count:,} {'tie' if count == 1 else 'ties'} broken by the order of rows"
        self._execute(step.name, create_as(step.name, statement(self.chain.ancestors(step.name))))
        self.chain.put(step, self.chain.done[step.name].relation)
        return remark

    def _keep_inputs(self, step: Step) -> None:
        for source in step.inputs.values():
            self._keep(self.chain.steps[source])

    def _write(self, step: Step, output: Output) -> None:
        path = self.scratch / f"{len(self.made)}.csv"
        query = statement(self.chain.ancestors(step.name))
        try:
            count = write_csv(self.con.sql(query), path)
        except duckdb.Error as bad:
            raise explain(self.con, self.chain, step.name, bad) from bad
        self.made.append((path, count, output.path))
        self.counts[step.name] = count

    def _script(self, step: Step, script: Script) -> None:
        """Run a script step on its inputs' rows, and keep what it gives as a table."""
        tables = {port: self._rows(source) for port, source in step.inputs.items()}
        relation = put_table(self.con, step.name, run_script(step, script, tables, self.settings))
        types = {name: kind for name, kind in (script.columns or {}).items() if relation.columns.get(name) != kind}
        if types:
            cells = [named(f"CAST({quote(c)} AS {types[c]})", c) if c in types else quote(c) for c in relation.columns]
            try:
                self.con.execute(create_as(step.name, select(cells, step.name))).fetchall()
            except duckdb.Error as bad:
                raise cells_error(self.con, step.name, types) from bad
            relation = relation_of(self.con, step.name)
        relation = numbered(self.con, relation)
        self.chain.put(step, replace(relation, order=tuple(map(OrderKey, relation.hidden))))

    def _rows(self, name: str) -> pa.Table:
        """Return a step's visible columns as Arrow, rows in their order."""
        relation = self.chain.done[name].relation
        order = ordering(relation.order)
        columns = ", ".join(map(quote, relation.columns))
        last = f"SELECT {columns} FROM {quote(name)}{f' ORDER BY {order}' if order else ''}"  # noqa: S608
        before = self.chain.ancestors(name)
        try:
            return self.con.sql(statement(before, last=last) if before else last).to_arrow_table()
        except duckdb.Error as bad:
            raise explain(self.con, self.chain, name, bad) from bad

    def _record(self, step: Step, seconds: float, remark: str) -> None:
        relation = self.chain.done[step.name].relation
        preview: list[tuple[Any, ...]] = []
        if self.chain.done[step.name].kept:
            table = self.con.table(quote(step.name))
            self.counts[step.name] = table.count("*").fetchall()[0][0]
            preview = table.project(", ".join(map(quote, relation.columns))).limit(_PREVIEW).fetchall()
        before = [column for source in step.inputs.values() for column in self.chain.done[source].relation.columns]
        self.traces.append(
            StepTrace(
                step.name, step.kind, {port: self.counts.get(s, 0) for port, s in step.inputs.items()},
                self.counts.get(step.name, 0), round(seconds, 4),
                tuple(c for c in relation.columns if c not in before) if step.inputs else (),
                tuple(c for c in dict.fromkeys(before) if c not in relation.columns), tuple(preview), remark,
            )
        )  # fmt: skip
        for source in step.inputs.values():
            self.left[source] -= 1
            if not self.left[source]:
                self._execute(step.name, drop(source))
