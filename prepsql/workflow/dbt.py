"""A dbt project of an exported workflow: a model a step, so that what people read in the workflow is what dbt shows.

Steps are views, outputs are tables. Each model begins with what it reads, as CTEs that bear the steps' names.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from string import Template

from prepsql.workflow.compile import Compiled
from prepsql.workflow.dialects.placing import spelled
from prepsql.workflow.export import Export, shown_type
from prepsql.workflow.operators.output import Output
from prepsql.workflow.relation import Relation
from prepsql.workflow.render import identifier

_READ = Template("$name AS (\n  SELECT * FROM $table\n)")


def dbt_files(export: Export) -> dict[str, str]:
    """Return the files of the project by their paths: dbt_project.yml, sources, descriptions, and a model a step."""
    project = re.sub(r"\W+", "_", export.document.name.lower()).strip("_") or "workflow"
    if project[0].isdigit():
        project = f"flow_{project}"
    files = {
        "dbt_project.yml": _yaml({
            "name": project, "version": "1.0.0", "profile": project, "model-paths": ["models"],
            "models": {project: {"+materialized": "view"}},
        }),
        "models/sources.yml": _yaml({"version": 2, "sources": _sources(export)}),
        "models/schema.yml": _yaml({"version": 2, "models": [_described(export, step) for step in export.steps]}),
    }  # fmt: skip
    return files | {f"models/{step.step.name}.sql": _model(export, step) for step in export.steps}


def _sources(export: Export) -> list[dict[str, object]]:
    """Return the tables that are read, grouped by schema."""
    groups: dict[str, list[object]] = {}
    for name, (table, relation) in export.tables.items():
        *schema, bare = table.split(".")
        groups.setdefault(".".join(schema), []).append({
            "name": name, "identifier": bare,
            "columns": _columns(export, relation),
        })  # fmt: skip
    return [
        {"name": _source_name(schema), **({"schema": schema} if schema else {}), "tables": tables}
        for schema, tables in groups.items()
    ]


def _source_name(schema: str) -> str:
    return re.sub(r"\W", "_", schema) or "inputs"


def _described(export: Export, compiled: Compiled) -> dict[str, object]:
    columns = _columns(export, compiled.relation)
    note = " ".join(compiled.step.note.split())
    return {"name": compiled.step.name, **({"description": note} if note else {}), "columns": columns}


def _columns(export: Export, relation: Relation) -> list[dict[str, str]]:
    return [
        {"name": spelled(name, export.dialect), "data_type": shown_type(kind, export.dialect)}
        for name, kind in relation.columns.items()
    ]


def _model(export: Export, compiled: Compiled) -> str:
    """Return a model: what it reads as CTEs, then its SELECT."""
    config = "{{ config(materialized='table') }}\n" if isinstance(compiled.step.operator, Output) else ""
    reads = dict.fromkeys(compiled.step.inputs.values())
    if not reads and compiled.step.name in export.tables:
        table, _ = export.tables[compiled.step.name]
        schema = ".".join(table.split(".")[:-1])
        return f"{config}SELECT\n  *\nFROM {{{{ source('{_source_name(schema)}', '{compiled.step.name}') }}}}\n"
    sql = compiled.sql
    if re.search(r"\{[{%#]", sql):
        sql = f"{{% raw %}}{sql}{{% endraw %}}"
    ctes = [
        _READ.substitute(name=identifier(name, export.dialect.name), table=_reference(export, name)) for name in reads
    ]
    return f"{config}{'WITH ' + ', '.join(ctes) if ctes else ''}\n{sql}\n".lstrip("\n")


def _reference(export: Export, name: str) -> str:
    if export.chain.done[name].sql:
        return f"{{{{ ref('{name}') }}}}"
    table, _ = export.tables[name]
    return f"{{{{ source('{_source_name('.'.join(table.split('.')[:-1]))}', '{name}') }}}}"


def _yaml(value: object) -> str:
    """Return plain values as YAML in block style; texts are JSON's, which are YAML's."""
    return "\n".join(_lines(value)) + "\n"


def _lines(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            if isinstance(part, dict | list) and part:
                yield f"{_key(key)}:"
                yield from (textwrap.indent(line, "  ") for line in _lines(part))
            else:
                yield f"{_key(key)}: {json.dumps(part, ensure_ascii=False)}"
    elif isinstance(value, list):
        for part in value:
            first, *rest = _lines(part)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
    else:
        yield json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[a-z][a-z_-]*", name) else json.dumps(name)
