"""The calls of one run, each on disk before its reply is handed over, so that a run that resumes pays none again.

The file is JSON lines: first `{"journal": 1, "run": …}`, then one line a reply with key, occasion, request and reply.
"""

from __future__ import annotations

import fcntl
import json
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from pydantic import ValidationError

from prepsql.errors import RecordError, WriteError
from prepsql.llm.budget import Spent
from prepsql.llm.capped import most_of, spent_by
from prepsql.llm.keys import call_key
from prepsql.llm.model import Model, Occasion, Reply, Request
from prepsql.llm.prices import Price
from prepsql.llm.single import Single
from prepsql.llm.stored import packed, request_of, sync_folder, unpacked

VERSION = 1


class JournalFile:
    """An open journal; `open_journal` makes it. `run` is the run's own random name, the same when it resumes."""

    def __init__(
        self, path: Path, file: BinaryIO, run: str, kept: dict[str, tuple[Occasion, Reply]], vague: dict[str, Request]
    ) -> None:
        self.path = path
        self.run = run
        self._vague = vague
        self._file = file
        self._kept = kept
        self._lock = Lock()

    def find(self, key: str) -> Reply | None:
        """Return the reply of a call that was answered before, with its first source, or None."""
        with self._lock:
            found = self._kept.get(key)
        return found[1] if found else None

    def entries(self) -> tuple[tuple[Occasion, Reply], ...]:
        """Return all calls that were answered, oldest first, each with its first source."""
        with self._lock:
            return tuple(self._kept.values())

    def spent(self, prices: Mapping[str, Price | None]) -> Iterator[tuple[Occasion, Spent]]:
        """Yield what each call that was paid before this run resumed counts; `prices` are those of the roles' models.

        It is what it counted then: without usage what it might have taken.
        """
        for key, (occasion, reply) in self._kept.items():
            if reply.source != "cache":
                most = most_of(self._vague[key], prices.get(occasion.role)) if key in self._vague else None
                yield occasion, spent_by(reply.usage, most)

    def add(self, key: str, model: str, request: Request, occasion: Occasion, reply: Reply) -> None:
        """Append a call; it is on disk when this returns. Raises WriteError where there is no room."""
        line = packed(key, model, request, occasion, reply) + "\n"
        with self._lock:
            _append(self.path, self._file, line)
            self._kept[key] = occasion, reply


class Journal:
    """A model whose calls are kept in the journal of a run.

    A call is known by occasion and request. One that was answered before this run resumed has its reply from the
    journal: with the usage of the call that was paid, and source "journal".
    """

    def __init__(self, model: Model, journal: JournalFile) -> None:
        self._model = model
        self._journal = journal
        self._single = Single()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def complete(self, request: Request, occasion: Occasion) -> Reply:
        """Answer from the journal, else ask the model.

        Raises what the model raises, and WriteError where the reply can't be kept.
        """
        key = call_key(self.name, request, occasion)
        with self._single.turn(key):
            kept = self._journal.find(key)
            if kept is not None:
                return replace(kept, source="journal")
            reply = self._model.complete(request, occasion)
            self._journal.add(key, self.name, request, occasion, reply)
            return reply


@contextmanager
def open_journal(path: Path) -> Iterator[JournalFile]:
    """Open a run's journal, new or to be resumed, and close it in any case.

    A last line that a killed run left half is cut off; a damaged one is as none. Raises RecordError where another
    process holds the file or it is no journal, WriteError where it can't be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b", buffering=0)
    except OSError as wrong:
        raise WriteError(f"cannot open the journal {path}: {wrong.strerror}") from wrong
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as wrong:
            raise RecordError(f"{path}: another process is writing it: wait until it is done") from wrong
        yield JournalFile(path, file, *_read(path, file))


def holds_replies(path: Path) -> bool:
    """Return whether a journal is there and holds a reply."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return len(list(islice(file, 2))) > 1


def _read(path: Path, file: BinaryIO) -> tuple[str, dict[str, tuple[Occasion, Reply]], dict[str, Request]]:
    """Return the run's name, its calls by key, and the requests of those whose usage isn't known."""
    file.seek(0)
    lines = file.read()
    whole = lines.rfind(b"\n") + 1
    if whole < len(lines):
        file.truncate(whole)
    head, *rest = lines[:whole].splitlines() or [b""]
    if not head:
        run = uuid.uuid4().hex
        _append(path, file, json.dumps({"journal": VERSION, "run": run}) + "\n")
        sync_folder(path.parent)
        return run, {}, {}
    kept: dict[str, tuple[Occasion, Reply]] = {}
    vague: dict[str, Request] = {}
    for line in rest:
        if entry := unpacked(line):
            key, occasion, reply = entry
            kept[key] = occasion, reply
            if None in (reply.usage.prompt_tokens, reply.usage.completion_tokens):
                with suppress(KeyError, ValidationError):
                    vague[key] = request_of(line)
    return _run_of(path, head), kept, vague


def _run_of(path: Path, head: bytes) -> str:
    with suppress(ValueError, TypeError, KeyError):
        said = json.loads(head)
        if said["journal"] == VERSION:
            return str(said["run"])
    raise RecordError(f"{path} is no journal of version {VERSION}: choose another folder for the run")


def _append(path: Path, file: BinaryIO, line: str) -> None:
    size = os.fstat(file.fileno()).st_size
    try:
        rest = memoryview(line.encode())
        while rest:
            rest = rest[file.write(rest) :]
        os.fsync(file.fileno())
    except OSError as wrong:
        with suppress(OSError):
            file.truncate(size)
        raise WriteError(
            f"the journal {path} can't be written ({wrong.strerror or wrong}): free some space, then resume the run"
        ) from wrong
