"""Fuzzy joins: each left row with the right row whose text is most like its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prepsql.workflow.exchange.builder import Builder, column
from prepsql.workflow.exchange.params import Params
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.reserved import column_name

_SCORES = {
    "jaro_winkler": "jaro_winkler_similarity(lower(x), lower(y))",
    "jaro": "jaro_similarity(lower(x), lower(y))",
    "levenshtein": "edit_similarity(lower(x), lower(y))",
    "name": "name_similarity(x, y)",
}


def is_fuzzy(params: Params) -> bool:
    """Return whether a join matches texts that are only alike."""
    return bool(params.get("fuzzy", also=("fuzzy_on", "approximate"))) or params.get("how") == "fuzzy"


def fuzzy_join(build: Builder, step: str, sources: Mapping[str, Any], params: Params) -> str:
    """Return the steps of a fuzzy join: number the left rows, join what is alike enough, keep the most alike."""
    left, right = str(sources["left"]), str(sources["right"])
    on = params.names("on", also=("by", "keys"))
    left_key = (params.names("left_on", also=("left_key", "left_keys")) or on)[0]
    right_key = (params.names("right_on", also=("right_key", "right_keys")) or on)[0]
    threshold = float(params.get("threshold", 0.85, also=("min_score", "cutoff", "score_cutoff")))
    threshold = threshold / 100 if threshold > 1 else threshold
    scorer = str(params.get("scorer", "jaro_winkler", also=("similarity", "metric", "method", "algorithm")))
    score = _SCORES.get(scorer, _SCORES["jaro_winkler"])
    how = str(params.get("how", "left"))
    score_name = str(params.get("score_column", "_score", also=("score", "score_col")))
    row = "_left_row"

    known = build.columns[left]
    entry = {"as": row, "expr": "row_number() OVER ()"}
    numbered = build.add(
        build.name(f"{step}_left"), "project", {"in": left}, {"compute": [entry]}, {**known, row: column(row)}
    )
    other = "_match" if right_key in known or right_key == left_key else right_key
    rename = {right_key: other} if other != right_key else None
    renamed = build.add(
        build.name(f"{step}_right"), "project", {"in": right}, {"rename": rename}, {}
    ) if rename else right  # fmt: skip
    alike = bind(
        score, x=f"{column_name(numbered)}.{column_name(left_key)}", y=f"{column_name(renamed)}.{column_name(other)}"
    )
    given = {
        "how": "inner" if how == "inner" else "left",
        "condition": f"{alike} >= {threshold}",
        "suffixes": ["_x", "_y"],
    }
    pairs = build.add(build.name(f"{step}_pairs"), "join", {"left": numbered, "right": renamed}, given, {})
    compared = bind(score, x=column_name(left_key), y=column_name(other))
    scored = build.add(
        build.name(f"{step}_scored"), "project", {"in": pairs}, {"compute": [{"as": score_name, "expr": compared}]}, {}
    )
    best = build.add(
        build.name(f"{step}_best"), "dedup", {"in": scored},
        {"keys": [row], "keep": "first", "order_by": [{"expr": column_name(score_name), "asc": False}]}, {},
    )  # fmt: skip
    drop = [row] + ([score_name] if score_name == "_score" else [])
    build.tell(step, "split", f"fuzzy join: pairs with {scorer} at least {threshold:g}, the best of each left row")
    return build.add(build.name(step), "project", {"in": best}, {"drop": drop}, {})
