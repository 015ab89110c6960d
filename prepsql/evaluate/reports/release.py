"""A folder with outcomes of PrepBench's release as a source of a report: its CSV files in the record's tables.

The files tell of each task and model whether it passed, not what was asked or run. What they count becomes rows whose
words are null: a knowledge-base entry `<kind> 1`, …, and a question for each that was counted. Cost isn't in them.

| file | column | becomes |
|---|---|---|
| rq2_task_status.csv | raw_profile_passed, profile_passed | the settings direct and codegen |
| rq3_task_status.csv | e2e_code_passed | e2e-code, with its conversation: questions_used, max_questions, qa_* |
| rq4_task_status.csv | full_passed | codegen-noprofile |
| rq5_task_status.csv | flow_outcome | translate: execok-pass is correct, execok-fail wrong, execerror failed to run |
| processing_steps.csv | processing_steps | preparation steps |
| irregularity_labels.csv, here or beside the folder | patterns | patterns of irregularity |
| rq*_plot_data*.csv | model_label | the models' names |
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Final

import duckdb

from prepsql.errors import RecordError
from prepsql.evaluate.suites.labels import LABELS, STEPS
from prepsql.sqltext import literal

KIND_COLUMNS: Final = {
    "single_table_grounding": "Single-table reference",
    "multi_table_alignment": "Multi-table alignment",
    "aggregate_rule": "Group-level concept",
    "non_aggregate_rule": "Row-level concept",
    "operation_incomplete": "Operation incomplete",
    "operation_inconsistent": "Operation inconsistent",
    "operation_boundary": "Operation boundary",
}
"""The word for a kind of ambiguity in the release's columns → its name."""

_PASSED: Final = (
    ("rq2_task_status.csv", "raw_profile_passed", "direct"),
    ("rq3_task_status.csv", "raw_profile_passed", "direct"),
    ("rq2_task_status.csv", "profile_passed", "codegen"),
    ("rq4_task_status.csv", "profile_passed", "codegen"),
    ("rq3_task_status.csv", "e2e_code_passed", "e2e-code"),
    ("rq4_task_status.csv", "full_passed", "codegen-noprofile"),
)
_CONVERSATIONS: Final = "rq3_task_status.csv"
_WORKFLOWS: Final = "rq5_task_status.csv"
STATUS_FILES: Final = ("rq2_task_status.csv", "rq3_task_status.csv", "rq4_task_status.csv", "rq5_task_status.csv")
"""The files of which at least one makes a folder such a source."""

_TRUTHS: Final = ("true", "false")
_OUTCOMES: Final = {"execok-pass": "correct", "execok-fail": "wrong", "execerror": "failed to run"}

_READ = Template("CREATE OR REPLACE TEMP TABLE file AS FROM read_csv($path, all_varchar = true, header = true)")
_STRANGE = Template(
    'SELECT "case", $column FROM file JOIN picked USING (model) WHERE lower($column) NOT IN ($words) LIMIT 1'
)
_ADD_PASSED = Template("""
    INSERT INTO outcomes BY NAME
    SELECT run, "case" AS task, $setting AS setting, 1 AS repeat, 'code' AS way,
        CASE WHEN lower($column) = 'true' THEN 'correct' END AS result
    FROM file
    JOIN picked USING (model)
    WHERE $column IS NOT NULL AND NOT EXISTS (
        FROM outcomes AS o WHERE o.run = picked.run AND o.task = "case" AND o.setting = $setting
    )""")
_ADD_WORKFLOWS = """
    INSERT INTO outcomes BY NAME
    SELECT run, "case" AS task, 'translate' AS setting, 1 AS repeat, 'workflow' AS way,
        CASE flow_outcome WHEN 'execok-pass' THEN 'correct' WHEN 'execok-fail' THEN 'wrong' ELSE 'failed to run' END
            AS result
    FROM file
    JOIN picked USING (model)
    WHERE flow_outcome IS NOT NULL"""
_ADD_VERDICTS = """
    INSERT INTO verdicts BY NAME
    SELECT run, task, setting, repeat, way, 'paper' AS policy, result IS NOT DISTINCT FROM 'correct' AS passed
    FROM outcomes
    JOIN picked USING (run)
    WHERE result IS DISTINCT FROM 'failed to run'"""
_ADD_CLARIFIED = """
    INSERT INTO clarified BY NAME
    SELECT run, "case" AS task, 'e2e-code' AS setting, 1 AS repeat, max_questions::INTEGER AS max_questions
    FROM file
    JOIN picked USING (model)
    WHERE max_questions IS NOT NULL"""
_ADD_ENTRIES = Template("""
    INSERT INTO task_entries BY NAME
    SELECT run, "case" AS task, $kind || ' ' || n AS entry, $kind AS kind
    FROM file
    JOIN picked USING (model), unnest(range(1, coalesce($slots::INTEGER, 0) + 1)) AS t(n)""")
# the first questions hit an entry each, those beyond `hits` the first entry again
_ADD_HITS = Template("""
    INSERT INTO questions BY NAME
    SELECT run, "case" AS task, 'e2e-code' AS setting, 1 AS repeat, $base + n AS number, 'hit' AS classification,
        $kind || ' ' || CASE WHEN n <= $hits::INTEGER THEN n ELSE 1 END AS ref
    FROM file
    JOIN picked USING (model), unnest(range(1, coalesce($questions::INTEGER, 0) + 1)) AS t(n)""")
_ADD_OTHERS = """
    INSERT INTO questions BY NAME
    SELECT run, "case" AS task, 'e2e-code' AS setting, 1 AS repeat, n AS number
    FROM file
    JOIN picked USING (model)
    LEFT JOIN (SELECT run, task AS "case", count(*) AS hits FROM questions GROUP BY ALL) AS q USING (run, "case"),
        unnest(range(1, questions_used::INTEGER - coalesce(hits, 0) + 1)) AS t(n)"""
_ADD_TASKS = """
    INSERT INTO tasks BY NAME
    SELECT run, task, entries::INTEGER AS entries, try_cast(processing_steps AS INTEGER) AS steps
    FROM (SELECT DISTINCT run, task FROM outcomes JOIN picked USING (run))
    LEFT JOIN (SELECT run, task, count(*) AS entries FROM task_entries GROUP BY run, task) AS e USING (run, task)
    LEFT JOIN file ON task IN (file.id, 'case_' || file.id)"""
_ADD_PATTERNS = """
    INSERT INTO task_patterns BY NAME
    SELECT DISTINCT run, "case" AS task, trim(pattern) AS pattern
    FROM file, picked, unnest(string_split(patterns, '|')) AS t(pattern)
    WHERE pattern <> ''"""


def is_release(folder: Path) -> bool:
    """Return whether a folder has any of the release's outcomes."""
    return any((folder / name).is_file() for name in STATUS_FILES)


def models_of(con: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, str]:
    """Return the models of the outcomes by their ids, each with its name where the figures' files tell one."""
    models: dict[str, str] = {}
    for name in STATUS_FILES:
        if _read(con, folder / name, ("model", "case")):
            models |= {
                model: model for (model,) in con.execute("SELECT DISTINCT model FROM file ORDER BY ALL").fetchall()
            }
    names: dict[str, str] = {}
    for path in sorted(folder.glob("rq*_plot_data*.csv")):
        _read(con, path, ("model", "model_label"))
        names |= dict(con.execute("SELECT model, model_label FROM file").fetchall())
    # in the order of the figures
    return {m: names[m] for m in names if m in models} | {m: m for m in models if m not in names}


def copy_release(con: duckdb.DuckDBPyConnection, folder: Path, runs: Mapping[str, tuple[int, str]]) -> None:
    """Append what the files say of some models to the report's tables; `runs` has each one's number and label.

    Raises RecordError where a file lacks a column or holds something else than the release's words.
    """
    con.execute("CREATE OR REPLACE TEMP TABLE picked (model VARCHAR, run INTEGER)")
    con.executemany("INSERT INTO picked VALUES (?, ?)", [(model, run) for model, (run, _) in runs.items()])
    con.executemany(
        "INSERT INTO runs BY NAME SELECT ? AS run, ? AS label, ? AS folder, json_object('model', ?) AS settings",
        [(run, label, str(folder), model) for model, (run, label) in runs.items()],
    )
    for name, column, setting in _PASSED:
        if _read(con, folder / name, ("model", "case", column)):
            _check(con, folder / name, column, _TRUTHS)
            con.execute(_ADD_PASSED.substitute(column=column, setting=literal(setting)))
    if _read(con, folder / _WORKFLOWS, ("model", "case", "flow_outcome")):
        _check(con, folder / _WORKFLOWS, "flow_outcome", tuple(_OUTCOMES))
        con.execute(_ADD_WORKFLOWS)
    con.execute(_ADD_VERDICTS)
    _copy_conversations(con, folder / _CONVERSATIONS)
    if not _read(con, folder / STEPS, ("id", "processing_steps")):
        con.execute("CREATE OR REPLACE TEMP TABLE file (id VARCHAR, processing_steps VARCHAR)")
    con.execute(_ADD_TASKS)
    for path in (folder / LABELS, folder.resolve().parent / LABELS):
        if _read(con, path, ("case", "patterns")):
            con.execute(_ADD_PATTERNS)
            break


def _copy_conversations(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    counts = [f"qa_{what}_{kind}" for kind in KIND_COLUMNS for what in ("questions", "unique_hits", "total_slots")]
    wanted = ("model", "case", "questions_used", "max_questions", *counts)
    if not _read(con, path, wanted):
        return
    for column in wanted[2:]:
        _check_counts(con, path, column)
    con.execute(_ADD_CLARIFIED)
    for at, (word, kind) in enumerate(KIND_COLUMNS.items(), 1):
        parts = {"kind": literal(kind), "base": str(1000 * at), "slots": f"qa_total_slots_{word}"}
        con.execute(_ADD_ENTRIES.substitute(parts))
        con.execute(_ADD_HITS.substitute(parts, hits=f"qa_unique_hits_{word}", questions=f"qa_questions_{word}"))
    con.execute(_ADD_OTHERS)


def _read(con: duckdb.DuckDBPyConnection, path: Path, columns: tuple[str, ...]) -> bool:
    """Make the table `file` of a CSV file, or return False where there is none."""
    if not path.is_file():
        return False
    try:
        con.execute(_READ.substitute(path=literal(str(path))))
    except duckdb.Error as wrong:
        first = str(wrong).partition("\n")[0]
        raise RecordError(f"{path} can't be read as CSV ({first}): take it from the release again") from wrong
    has = [name for (name, *_) in con.execute("DESCRIBE file").fetchall()]
    missing = [column for column in columns if column not in has]
    if missing:
        raise RecordError(f"{path} lacks {', '.join(missing)} (has: {', '.join(has)}): take it from the release again")
    return True


def _check(con: duckdb.DuckDBPyConnection, path: Path, column: str, words: tuple[str, ...]) -> None:
    strange = con.execute(_STRANGE.substitute(column=column, words=", ".join(map(literal, words)))).fetchone()
    if strange:
        raise RecordError(f"{path}: {column} of {strange[0]} is {strange[1]!r}; wanted {' or '.join(words)}")


def _check_counts(con: duckdb.DuckDBPyConnection, path: Path, column: str) -> None:
    query = Template(
        'SELECT "case", $column FROM file WHERE try_cast($column AS UINTEGER) IS NULL AND $column IS NOT NULL'
    )
    strange = con.execute(query.substitute(column=column)).fetchone()
    if strange:
        raise RecordError(f"{path}: {column} of {strange[0]} is {strange[1]!r}; wanted a count")
