"""Replies kept in a folder for any run: a call that was answered once is answered from there."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from prepsql.llm.keys import cache_key
from prepsql.llm.model import Model, Occasion, Reply, Request
from prepsql.llm.single import Single
from prepsql.llm.stored import packed, unpacked, write_whole

_log = logging.getLogger(__name__)


class Cached:
    """A model whose replies are kept in `folder`, one file a key.

    The key is made of base URL, model, messages, schema, temperature, max_tokens, seed and repeat. Only whole replies
    (finish "stop") are kept, never an error. A damaged entry is as none. A reply from here has the usage of the call
    that was paid, and source "cache". Where the folder can't be written the reply is handed over all the same.
    """

    def __init__(self, model: Model, folder: Path, base_url: str = "") -> None:
        self._model = model
        self._folder = folder
        self._base_url = base_url
        self._single = Single()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def complete(self, request: Request, occasion: Occasion) -> Reply:
        """Answer from the folder, else ask the model. Raises what the model raises."""
        key = cache_key(self._base_url, self.name, request, occasion.repeat)
        with self._single.turn(key):
            kept = self._read(key)
            if kept is not None:
                return replace(kept, source="cache")
            reply = self._model.complete(request, occasion)
            if reply.finish == "stop":
                self._keep(key, request, occasion, reply)
            return reply

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"

    def _read(self, key: str) -> Reply | None:
        try:
            found = unpacked(self._path(key).read_bytes())
        except OSError:
            return None
        whole = found is not None and found[0] == key and found[2].finish == "stop"
        return found[2] if found and whole else None

    def _keep(self, key: str, request: Request, occasion: Occasion, reply: Reply) -> None:
        try:
            write_whole(self._path(key), packed(key, self.name, request, occasion, reply))
        except OSError as wrong:
            _log.warning("the cache %s can't be written: %s", self._folder, wrong.strerror or wrong)
