"""Names of calls: hashes of all that makes two of them the same call."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from prepsql.llm.model import Occasion, Request


def cache_key(base_url: str, model: str, request: Request, repeat: int) -> str:
    """Return the key of a reply that any run may use: what was asked of whom, and which repeat it is for."""
    return _hash({"base_url": base_url, "model": model, "request": request.to_dict(), "repeat": repeat})


def call_key(model: str, request: Request, occasion: Occasion, run: str = "") -> str:
    """Return the key of one call of one run: what was asked, and what for."""
    return _hash({"model": model, "request": request.to_dict(), "occasion": asdict(occasion), "run": run})


def _hash(what: Mapping[str, Any]) -> str:
    text = json.dumps(what, sort_keys=True, ensure_ascii=True, default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a request holds a {type(value).__name__}, which JSON doesn't know")
