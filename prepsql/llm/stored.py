"""A reply as it stands on disk, and writing a file so that it's whole or not there."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from prepsql.llm.model import Occasion, Reply, Request

_REPLY = TypeAdapter(Reply)
_REQUEST = TypeAdapter(Request)
_OCCASION = TypeAdapter(Occasion)


def packed(key: str, model: str, request: Request, occasion: Occasion, reply: Reply) -> str:
    """Return an entry as one line of JSON: what was asked, what for, and what came back."""
    what = {"occasion": asdict(occasion), "request": request.to_dict(), "reply": reply.to_dict()}
    said = {"key": key, "model": model, **what}
    return json.dumps(said, ensure_ascii=True, default=dict)


def unpacked(line: bytes) -> tuple[str, Occasion, Reply] | None:
    """Return key, occasion and reply of an entry, None where it isn't whole."""
    try:
        said: Any = json.loads(line)
        if not isinstance(said, Mapping) or not isinstance(said.get("key"), str):
            return None
        return said["key"], _OCCASION.validate_python(said["occasion"]), _REPLY.validate_python(said["reply"])
    except (ValueError, KeyError, RecursionError, ValidationError):
        return None


def request_of(line: bytes) -> Request:
    """Return what was asked in an entry that is whole."""
    return _REQUEST.validate_python(json.loads(line)["request"])


def write_whole(path: Path, text: str) -> None:
    """Write a file, which is on disk and whole when this returns, or raises OSError and isn't there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have a folder's own entries on disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
