"""What the figures' statements share, as views over the tables of a report, and how they round money."""

from __future__ import annotations

MEASURES = {
    "e2e-code": "E2E-Code",
    "e2e-workflow": "E2E-Workflow",
    "disambiguate": "Disambig",
    "codegen": "CodeGen",
    "direct": "Direct",
    "codegen-noprofile": "NoProfile",
    "translate": "Translation",
    "reference-sql": "SQL",
    "reference-pandas": "pandas",
    "reference-workflow": "workflow",
}
"""What is measured → its heading, in the order of the paper's Table 6, then what its figures add, then solutions."""

VIEWS = (
    # a sum of dollars hangs in its last digits on the order of what is added, and a half would be rounded either way
    """CREATE MACRO money(usd) AS round(usd, 12)""",
    # the runs that are records: of them is known what happened in each task
    """CREATE VIEW recorded AS SELECT DISTINCT run FROM runs WHERE version IS NOT NULL""",
    # what is judged in a setting in a way; a run in the setting e2e is measured twice
    """CREATE VIEW measures AS FROM (VALUES
        ('e2e-code', 'e2e', 'code'), ('e2e-code', 'e2e-code', 'code'),
        ('e2e-workflow', 'e2e', 'workflow'), ('e2e-workflow', 'e2e-workflow', 'workflow'),
        ('disambiguate', 'disambiguate', 'questions'),
        ('codegen', 'codegen', 'code'), ('direct', 'direct', 'code'),
        ('codegen-noprofile', 'codegen-noprofile', 'code'),
        ('translate', 'translate', 'workflow'),
        ('reference-sql', 'reference', 'sql'), ('reference-pandas', 'reference', 'pandas'),
        ('reference-workflow', 'reference', 'workflow')
    ) AS measures(measure, setting, way)""",
    # the stages whose calls a measure costs; what the simulator answers (`answer`) is counted apart
    """CREATE VIEW paths AS
        SELECT measure, setting, stage
        FROM (VALUES
            ('e2e-code', ['e2e', 'e2e-code'], ['clarify', 'answer', 'profile', 'code']),
            ('e2e-workflow', ['e2e', 'e2e-workflow'], ['clarify', 'answer', 'profile', 'code', 'translate']),
            ('disambiguate', ['disambiguate', 'e2e', 'e2e-code', 'e2e-workflow'], ['clarify', 'answer']),
            ('codegen', ['codegen'], ['profile', 'code']), ('direct', ['direct'], ['profile', 'code']),
            ('codegen-noprofile', ['codegen-noprofile'], ['code']), ('translate', ['translate'], ['translate'])
        ) AS paths(measure, settings, stages), unnest(settings) AS s(setting), unnest(stages) AS t(stage)""",
    # one row an outcome; `passed` is the reading of the policy that the report was asked for
    """CREATE VIEW tries AS
        SELECT
            run, measure, task, setting, repeat, way, result,
            result IS NOT DISTINCT FROM 'infrastructure' AS fault, coalesce(v.passed, false) AS passed
        FROM outcomes
        JOIN measures USING (setting, way)
        LEFT JOIN (FROM verdicts WHERE policy = getvariable('policy')) AS v
            USING (run, task, setting, repeat, way)""",
    # one row a task that was judged: the share of its repeats that passed; faults of the machine aren't judged
    """CREATE VIEW scores AS
        SELECT run, measure, task, avg(passed::INTEGER) AS score
        FROM tries
        WHERE NOT fault AND way <> 'questions'
        GROUP BY ALL""",
    # one row a conversation that came to its end, of the setting nearest to `disambiguate` that the run has
    """CREATE VIEW conversations AS
        SELECT run, task, setting, repeat, max_questions
        FROM clarified
        JOIN (
            SELECT run, task, setting, repeat
            FROM outcomes
            GROUP BY ALL
            HAVING NOT coalesce(
                bool_and(result IS NOT DISTINCT FROM 'infrastructure') FILTER (way = 'questions'),
                bool_and(result IS NOT DISTINCT FROM 'infrastructure')
            )
        ) AS judged USING (run, task, setting, repeat)
        QUALIFY dense_rank() OVER (
            PARTITION BY run
            ORDER BY list_position(['disambiguate', 'e2e', 'e2e-code', 'e2e-workflow'], setting)
        ) = 1""",
    # one row a question that was asked in them; what was over the budget never was
    """CREATE VIEW asked AS
        SELECT q.run, q.task, q.setting, q.repeat, q.number, q.classification, e.entry, e.kind
        FROM questions AS q
        JOIN conversations USING (run, task, setting, repeat)
        LEFT JOIN task_entries AS e
            ON q.classification = 'hit' AND q.run = e.run AND q.task = e.task AND q.ref = e.entry
        WHERE q.classification IS DISTINCT FROM 'over_budget'""",
    """CREATE VIEW task_kinds AS
        SELECT run, task, kind, count(*) AS entries
        FROM task_entries
        GROUP BY ALL""",
)
"""The statements that make the views, and a macro, in the order in which they need each other."""
