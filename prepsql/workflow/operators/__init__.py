"""The eleven operators (paper, Table 4), in the order of a typical workflow."""

from collections.abc import Mapping

from prepsql.workflow.operators.aggregate import Aggregate
from prepsql.workflow.operators.base import Operator
from prepsql.workflow.operators.dedup import Dedup
from prepsql.workflow.operators.filter import Filter
from prepsql.workflow.operators.input import Input
from prepsql.workflow.operators.join import Join
from prepsql.workflow.operators.output import Output
from prepsql.workflow.operators.pivot import Pivot
from prepsql.workflow.operators.project import Project
from prepsql.workflow.operators.script import Script
from prepsql.workflow.operators.sort import Sort
from prepsql.workflow.operators.union import Union

OPERATORS: Mapping[str, type[Operator]] = {
    operator.kind: operator
    for operator in (Input, Project, Filter, Join, Union, Aggregate, Sort, Pivot, Dedup, Output, Script)
}
"""Each operator's class by its kind."""
