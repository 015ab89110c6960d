"""The tables of a run's record, `record.duckdb`: what the runner writes and a report reads.

Keys are what stands before the first column that describes. A task × setting × repeat is written in one transaction.

    runs             one row: `settings` has suite, engine, agent, model, simulator, language, repeats, …
    tasks            one row a task; `entries` counts its knowledge base, `steps` its preparation steps (null: unknown)
    task_entries     one row an entry of a task's knowledge base, with its kind of ambiguity
    task_patterns    one row a pattern of irregularity (HI RI FV SV MV) known of a task
    outcomes         one row a thing judged: `way` is code or workflow (agents), questions (disambiguate), or, of the
                     setting reference, sql, pandas or workflow; `result` is a `Result`, null where it isn't known how
                     a try failed; `seconds` is wall time
    verdicts         one row an outcome and policy of the comparator; none where no tables came out
    differences      one row an example of what differs from gold, at most 100 a verdict that fails: `what` is cell,
                     missing row, extra row, shared key or missing column, `total` how many there are of it; `gold` and
                     `candidate` are the cells as they stand in the files. Whoever sees these rows sees gold
    attempts         one row an attempt of a stage (profile, code, translate), with the text that was run; `not proven`
                     are steps that weren't taken in the place of a script
    questions        one row a question; those over the budget are `over_budget` and have no answer; `ref` is the id of
                     the entry that a `hit` matched
    clarified        one row a conversation, with its budget
    notes            one row a text that the agent worked from: request or code, specification, profile; and one that
                     says whose the workflow is and whether it's proven (`workflow`)
    stages           one row a stage of a model's agent, and one for `judge`, the comparison; `seconds` is wall time,
                     waiting for a model included
    calls            one row a call of a model by role (agent, simulator); null tokens or `usd` are unknown, never none
    left_out         one row a parameter that a model's endpoint refused, so that calls were made without it
"""

from __future__ import annotations

VERSION = 3
"""The version of these tables, as `runs.version` says it."""

SCHEMA = {
    "runs": """CREATE TABLE IF NOT EXISTS runs (
        version INTEGER, prepsql VARCHAR, started TIMESTAMPTZ, finished TIMESTAMPTZ, settings JSON
    )""",
    "tasks": """CREATE TABLE IF NOT EXISTS tasks (
        task VARCHAR, entries INTEGER, steps INTEGER, PRIMARY KEY (task)
    )""",
    "task_entries": """CREATE TABLE IF NOT EXISTS task_entries (
        task VARCHAR, entry VARCHAR, kind VARCHAR, PRIMARY KEY (task, entry)
    )""",
    "task_patterns": """CREATE TABLE IF NOT EXISTS task_patterns (
        task VARCHAR, pattern VARCHAR, PRIMARY KEY (task, pattern)
    )""",
    "outcomes": """CREATE TABLE IF NOT EXISTS outcomes (
        task VARCHAR, setting VARCHAR, repeat INTEGER, way VARCHAR,
        digest VARCHAR, language VARCHAR, result VARCHAR, message VARCHAR, seconds DOUBLE,
        PRIMARY KEY (task, setting, repeat, way)
    )""",
    "verdicts": """CREATE TABLE IF NOT EXISTS verdicts (
        task VARCHAR, setting VARCHAR, repeat INTEGER, way VARCHAR, policy VARCHAR,
        passed BOOLEAN, error_type VARCHAR, reason VARCHAR, message VARCHAR,
        PRIMARY KEY (task, setting, repeat, way, policy)
    )""",
    "differences": """CREATE TABLE IF NOT EXISTS differences (
        task VARCHAR, setting VARCHAR, repeat INTEGER, way VARCHAR, number INTEGER,
        policy VARCHAR, file VARCHAR, what VARCHAR, total INTEGER, col VARCHAR, key VARCHAR,
        gold_row INTEGER, candidate_row INTEGER, gold VARCHAR, candidate VARCHAR,
        PRIMARY KEY (task, setting, repeat, way, number)
    )""",
    "attempts": """CREATE TABLE IF NOT EXISTS attempts (
        task VARCHAR, setting VARCHAR, repeat INTEGER, stage VARCHAR, attempt INTEGER,
        result VARCHAR, message VARCHAR, seconds DOUBLE, text VARCHAR,
        PRIMARY KEY (task, setting, repeat, stage, attempt)
    )""",
    "questions": """CREATE TABLE IF NOT EXISTS questions (
        task VARCHAR, setting VARCHAR, repeat INTEGER, number INTEGER,
        round INTEGER, question VARCHAR, classification VARCHAR, ref VARCHAR, answer VARCHAR,
        PRIMARY KEY (task, setting, repeat, number)
    )""",
    "clarified": """CREATE TABLE IF NOT EXISTS clarified (
        task VARCHAR, setting VARCHAR, repeat INTEGER, max_questions INTEGER,
        PRIMARY KEY (task, setting, repeat)
    )""",
    "notes": """CREATE TABLE IF NOT EXISTS notes (
        task VARCHAR, setting VARCHAR, repeat INTEGER, name VARCHAR, text VARCHAR,
        PRIMARY KEY (task, setting, repeat, name)
    )""",
    "stages": """CREATE TABLE IF NOT EXISTS stages (
        task VARCHAR, setting VARCHAR, repeat INTEGER, stage VARCHAR, seconds DOUBLE,
        PRIMARY KEY (task, setting, repeat, stage)
    )""",
    "calls": """CREATE TABLE IF NOT EXISTS calls (
        task VARCHAR, setting VARCHAR, repeat INTEGER, stage VARCHAR, role VARCHAR, attempt INTEGER,
        model VARCHAR, prompt_tokens INTEGER, completion_tokens INTEGER, usd DOUBLE, seconds DOUBLE, source VARCHAR,
        finish VARCHAR, PRIMARY KEY (task, setting, repeat, stage, role, attempt)
    )""",
    "left_out": """CREATE TABLE IF NOT EXISTS left_out (
        model VARCHAR, parameter VARCHAR, PRIMARY KEY (model, parameter)
    )""",
}
"""Table → the statement that makes it."""
