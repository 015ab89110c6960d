"""Passes over a draft that leave its outputs as they are and make it read well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from prepsql.translate.draft import Draft
from prepsql.translate.polish.columns import Columns, columns_of
from prepsql.translate.polish.fold import fold_choices
from prepsql.translate.polish.merge import merge_projects
from prepsql.translate.polish.name import name_steps
from prepsql.translate.polish.prune import prune_columns
from prepsql.translate.polish.reach import drop_unreached
from prepsql.translate.polish.twins import join_twins

Pass = Callable[[Draft, Columns], Draft]

PASSES: Sequence[Pass] = (drop_unreached, join_twins, prune_columns, drop_unreached, fold_choices, merge_projects,
                          name_steps)  # fmt: skip
"""In this order; each gives a draft with the same outputs. The columns are those of the draft as it was written."""


def polish(draft: Draft, inputs: Path) -> Draft:
    """Return the draft without what no output needs, its projects joined where that helps a reader.

    Notes stay, at the step that took over. Where not all columns are known, as after a script that declares none,
    columns aren't pruned.
    """
    columns = columns_of(draft, inputs) or {}
    for each in PASSES:
        draft = each(draft, columns)
    return draft
