"""What tests look at: the cells of an output, the scripts of a draft."""

from __future__ import annotations

import csv
import io
from typing import Any

from prepsql.translate.draft import Draft


def cells(text: str) -> list[list[str]]:
    """Return the cells of an output."""
    return list(csv.reader(io.StringIO(text)))


def script_steps(draft: Draft) -> list[dict[str, Any]]:
    """Return the script steps of a draft."""
    return [node for node in draft.document["nodes"].values() if node["kind"] == "script"]


def scripts(draft: Draft) -> list[str]:
    """Return the code of a draft's scripts."""
    return [node["params"]["code"] for node in script_steps(draft)]
