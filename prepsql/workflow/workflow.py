"""A workflow as people hold it: load, check, show its SQL, run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Event
from typing import Any

from prepsql.sandbox import Limits, Server
from prepsql.scratch import scratch_folder
from prepsql.workflow.checks import CHECKS, read_document
from prepsql.workflow.compile import Chain
from prepsql.workflow.document import Document, read_json
from prepsql.workflow.export import Export, Form, check_form, export, write_files
from prepsql.workflow.expression import parse_all
from prepsql.workflow.prepare import compiled_chain, install_used, refused, texts_of
from prepsql.workflow.problem import Problem
from prepsql.workflow.run import Run, run_document, run_statements
from prepsql.workflow.settings import Settings, connect
from prepsql.workflow.sources import load_sources
from prepsql.workflow.watch import watched


@dataclass(frozen=True)
class Workflow:
    """A DAG of named steps, as its JSON says it (docs/workflows.md); checked when asked, not when made.

    `folder` is where its input files are looked for by default: beside the file that it was loaded from.

    >>> flow = Workflow({"nodes": {"main": {"kind": "input", "params": {"data": [{"id": 1}]}}}})
    >>> [problem.code for problem in flow.check()]
    ['no_output']
    """

    document: Mapping[str, Any]
    folder: Path = field(default=Path(), compare=False)

    @classmethod
    def load(cls, path: str | Path) -> Workflow:
        """Return the workflow of a JSON file; one that is a dict already is `Workflow(document)`.

        Raises InputError where it can't be read, WorkflowError where it isn't JSON; other faults are `check`'s.
        """
        path = Path(path)
        return cls(read_json(path), path.parent)

    def save(self, path: str | Path) -> None:
        """Write the document as JSON."""
        text = json.dumps(self.document, ensure_ascii=False, indent=2)
        Path(path).write_text(f"{text}\n", encoding="utf-8")

    @cached_property
    def _read(self) -> tuple[Document, tuple[Problem, ...]]:
        document = read_document(self.document)
        parse_all(texts_of(document))
        return document, (*document.problems, *(p for check in CHECKS for p in check(document)))

    @property
    def name(self) -> str:
        """The workflow's name, '' where it has none."""
        return self._read[0].name

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of the steps, in the document's order."""
        return tuple(self._read[0].steps)

    def check(self, inputs: str | Path | None = None) -> list[Problem]:
        """Return every problem, in the order of the steps; none means that it can run. No step runs.

        The input files are read for their columns' names and types, from `inputs` or the workflow's own folder; a
        pivot without column_values asks them which columns it makes. With faults of form (shape, references, circles)
        steps are checked as far as their inputs are known.
        """
        return self._check(self._inputs(inputs), Settings())

    def columns(self, inputs: str | Path | None = None) -> dict[str, dict[str, str]]:
        """Return for each step, in the document's order, the columns that it gives, with their DuckDB types.

        Input files are read as by `check`. Of a step with a problem it's what is known; '?' is an unknown type.
        """
        chain, _ = self._chain(self._inputs(inputs), Settings())
        return {name: dict(chain.done[name].relation.columns) for name in self._read[0].steps if name in chain.done}

    def _check(self, folder: Path, settings: Settings) -> list[Problem]:
        document, problems = self._read
        chain, unread = self._chain(folder, settings)
        place = {name: position for position, name in enumerate(document.steps)}
        found = [*problems, *unread, *chain.problems]
        return sorted(dict.fromkeys(found), key=lambda problem: place.get(problem.step, -1))

    def _chain(self, folder: Path, settings: Settings) -> tuple[Chain, list[Problem]]:
        document = self._read[0]
        with (
            scratch_folder("flow") as scratch, connect(settings, scratch) as con,
            watched(con, settings.seconds, settings.stop),
        ):  # fmt: skip
            install_used(con, document)
            sources, unread = load_sources(con, document.steps, folder, confined=bool(settings.hidden))
            return compiled_chain(con, document, sources), unread

    def run(
        self, inputs: str | Path | None = None, out: str | Path = ".", *, trace: bool = False,
        memory_limit: str | None = None, threads: int | None = None, accept_risk: bool = False,
        limits: Limits | None = None, hidden: Sequence[Path] = (), stop: Event | None = None,
        server: Server | None = None,
    ) -> Run:  # fmt: skip
        """Run it on the files in `inputs` (its own folder by default), and leave its outputs in `out`, all or none.

        The same inputs give the same bytes. Raises WorkflowError for problems, before any row moves, and for a step
        that fails: it names the step, the cause, up to five rows, and the step's SQL. With `trace` each step is kept
        as a table for the time that it is needed, and `Run.steps` tells rows, seconds and columns.

        `limits` bound a run that isn't trusted: TimeLimitError or MemoryLimitError ends it. `hidden` paths stay
        unreadable to scripts, and input steps then read from `inputs` alone. Setting `stop` from another thread ends
        the run with a PrepsqlError. Scripts run in jobs of the `server` where there is one.
        """
        document, problems = self._read
        settings = Settings(memory_limit, threads, accept_risk, limits, hidden, stop, server)
        if problems:
            raise refused(self._check(self._inputs(inputs), settings))
        return run_document(document, self._inputs(inputs), Path(out), settings, trace=trace)

    def statements(self, inputs: str | Path | None = None) -> dict[str, str]:
        """Return the SQL that a run sends to DuckDB, by output path; rows are numbered where order depends on it.

        A script step stands as a table of its name. Raises WorkflowError as `run` does.
        """
        document, problems = self._read
        if problems:
            raise refused(self.check(inputs))
        return run_statements(document, self._inputs(inputs))

    def sql(
        self, dialect: str = "duckdb", inputs: str | Path | None = None, *, output: str | None = None,
        form: Form = "query", tables: Mapping[str, str] | None = None, external_scripts: bool = False,
    ) -> str:  # fmt: skip
        """Return it as SQL for a database (docs/export.md): a query an output, or only for the path `output`.

        `form` is `query`, `views` (a view a step) or `dbt` (the files of a project, one after the other). `tables` maps
        input steps, or their paths, to the database's tables; by default a table has its step's name. Input files
        (from `inputs`, by default the workflow's own folder) are read only where a step doesn't declare its columns.
        With `external_scripts` a script step's result is a table that the user supplies. Raises WorkflowError with a
        problem for each step that the dialect can't say exactly.
        """
        check_form(form)
        return self.export(dialect, inputs, tables=tables, external_scripts=external_scripts).text(form, output)

    def export(
        self, dialect: str = "duckdb", inputs: str | Path | None = None, *, tables: Mapping[str, str] | None = None,
        external_scripts: bool = False,
    ) -> Export:  # fmt: skip
        """Return it in a dialect, step by step; parameters and errors are those of `sql`."""
        document, problems = self._read
        if problems:
            raise refused(self.check(inputs))
        return export(document, self._inputs(inputs), dialect, tables=tables, external_scripts=external_scripts)

    def export_dbt(
        self, folder: str | Path, dialect: str = "duckdb", inputs: str | Path | None = None, *,
        tables: Mapping[str, str] | None = None, external_scripts: bool = False,
    ) -> tuple[Path, ...]:  # fmt: skip
        """Write a dbt project into a folder, and return its files; parameters and errors are those of `sql`.

        A step is a model, a view, with its note as its description; an output is a table.
        """
        made = self.export(dialect, inputs, tables=tables, external_scripts=external_scripts)
        return write_files(Path(folder), made.files("dbt"))

    def to_dict(self) -> dict[str, Any]:
        """Return the document."""
        return dict(self.document)

    def _inputs(self, inputs: str | Path | None) -> Path:
        return self.folder if inputs is None else Path(inputs)
