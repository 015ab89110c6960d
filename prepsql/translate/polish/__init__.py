"""Passes over a draft that leave its outputs as they are and make it read well."""

from __future__ import annotations

from pathlib import Path

from prepsql.translate.draft import Draft


def polish(draft: Draft, inputs: Path) -> Draft:
    """Return the draft, polished."""
    return draft
