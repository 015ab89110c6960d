"""The wire format of chat completions: a request as parameters, an answer as text, end and tokens.

Knows no client: parameters and answers are plain values as they stand in JSON.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from prepsql.llm.model import Finish, Request
from prepsql.llm.patience import Fault, may_come_again

OPTIONAL = ("response_format", "stream_options", "temperature", "seed", "max_tokens")
"""Parameters that an endpoint may not know; the call is made without those that it refuses."""

_FORMS = ("response_format", "stream_options")
TOO_LONG = "context_length_exceeded"
"""The code of a refusal because a request is longer than the model's context."""

_LENGTHS = re.compile(
    r"maximum context|context[ _-](length|window|size)|prompt is too long|too many (input )?tokens|reduce the length"
)
_NUMBERS = ("temperature", "seed", "max_tokens")
_ABOUT_A_NUMBER = re.compile(
    r"too (large|small|high|low|long)|(must|should) be|(less|greater) than|at (most|least)|between|exceed"
)
_EVENT = (b"data:", b"event:", b"id:", b"retry:", b":")
_FINISHES: Mapping[str, Finish] = {
    "length": "length", "max_tokens": "length", "content_filter": "filter", "safety": "filter", "refusal": "filter",
}  # fmt: skip
_MOST_TOKENS = 2**31 - 1
_SCHEMA_WORDS = "Answer with one JSON value that fits this JSON Schema, and with nothing else:"


def parameters(model: str, request: Request, *, stream: bool, without: frozenset[str]) -> dict[str, Any]:
    """Return a request as parameters, leaving out or replacing the optional ones in `without`.

    Without `response_format` the schema goes into the last message; without `max_tokens` the bound is sent under its
    newer name, `max_completion_tokens`.
    """
    messages = [{"role": message.role, "content": _sendable(message.content)} for message in request.messages]
    sent: dict[str, Any] = {"model": model, "messages": messages, "stream": stream}
    optional: dict[str, Any] = {"temperature": request.temperature, "seed": request.seed}
    if stream:
        optional["stream_options"] = {"include_usage": True}
    if request.max_tokens is not None:
        name = "max_completion_tokens" if "max_tokens" in without else "max_tokens"
        sent[name] = request.max_tokens
    if request.schema is not None and "response_format" in without:
        schema = json.dumps(request.schema, ensure_ascii=False)
        messages[-1] = {**messages[-1], "content": f"{messages[-1]['content']}\n\n{_SCHEMA_WORDS}\n{schema}"}
    elif request.schema is not None:
        named = {"name": "reply", "schema": request.schema, "strict": _is_strict(request.schema)}
        optional["response_format"] = {"type": "json_schema", "json_schema": named}
    return sent | {name: value for name, value in optional.items() if value is not None and name not in without}


def _sendable(text: str) -> str:
    """Return text without halves of characters, which no JSON on the wire can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_strict(schema: Any) -> bool:
    """Return whether each object of a schema names all its keys and requires them, as strict decoding demands."""
    if isinstance(schema, Mapping):
        if "properties" in schema or schema.get("type") == "object":
            if schema.get("additionalProperties") is not False:
                return False
            if set(schema.get("required", ())) != set(schema.get("properties", {})):
                return False
        return all(_is_strict(value) for value in schema.values())
    return not isinstance(schema, list) or all(_is_strict(value) for value in schema)


@dataclass
class Answer:
    """What an answer said; tokens are None where it gave none. `finish` is None until the answer has ended."""

    text: str = ""
    finish: Finish | None = None
    model: str | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None

    def usage(self, usage: Any) -> None:
        """Take over the tokens of a `usage` object."""
        if isinstance(usage, Mapping):
            details = usage.get("prompt_tokens_details")
            cached = details.get("cached_tokens") if isinstance(details, Mapping) else None
            self.prompt_tokens = _count(usage.get("prompt_tokens"))
            self.completion_tokens = _count(usage.get("completion_tokens"))
            self.cached_tokens = _count(cached if cached is not None else usage.get("prompt_cache_hit_tokens"))


def read(pieces: Iterable[bytes]) -> Answer:
    """Read an answer: one JSON object, or server-sent events, which of them the endpoint chose. Raises Fault."""
    rest = iter(pieces)
    begin = b""
    while len(begin) < len(max(_EVENT, key=len)) and (piece := next(rest, b"")):
        begin = (begin + piece).lstrip()
    whole = itertools.chain([begin], rest)
    return read_stream(whole) if begin.startswith(_EVENT) else read_object(whole)


def read_object(pieces: Iterable[bytes]) -> Answer:
    """Read an answer that is one JSON object. Raises Fault where it is none."""
    body = b"".join(pieces)
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as wrong:
        raise Fault(f"the answer is not JSON ({_shown(body)})", again=True) from wrong
    answer = Answer()
    choice = _choice(said)
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise Fault(f"the answer has no message ({_shown(body)})", again=True)
    _note(answer, said, choice)
    answer.finish = answer.finish or "stop"  # some endpoints leave it out
    answer.text = _text(message.get("content"))
    if not answer.text and message.get("refusal"):
        answer.text, answer.finish = _text(message["refusal"]), "filter"
    return answer


def read_stream(pieces: Iterable[bytes]) -> Answer:
    """Read an answer that comes as server-sent events. Raises Fault where it ends before its end.

    An answer that is whole but whose tokens didn't come any more is an answer.
    """
    answer = Answer()
    parts: list[str] = []
    refused: list[str] = []
    try:
        for chunk in _events(pieces):
            choice = _choice(chunk, needed=False)
            delta = choice.get("delta") if choice else None
            if isinstance(delta, Mapping):
                parts.append(_text(delta.get("content")))
                refused.append(_text(delta.get("refusal")))
            _note(answer, chunk, choice)
    except Fault:
        if answer.finish is None:
            raise
    if answer.finish is None:
        raise Fault("the answer was cut off: its stream ended early", again=True)
    answer.text = "".join(parts)
    if not answer.text and any(refused):
        answer.text, answer.finish = "".join(refused), "filter"
    return answer


def _events(pieces: Iterable[bytes]) -> Iterator[Any]:
    """Yield what the events of a stream hold, up to the one that says [DONE]."""
    for line in _lines(pieces):
        if line.startswith(b"data:"):
            data = line[5:].strip()
            if data == b"[DONE]":
                return
            try:
                yield json.loads(data)
            except (ValueError, RecursionError) as wrong:
                raise Fault(f"a piece of the answer is not JSON ({_shown(data)})", again=True) from wrong


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
    yield rest


def refused_parameter(status: int | None, message: str, sent: Mapping[str, Any]) -> str | None:
    """Return which optional parameter of a call may be why an endpoint refused it, None where it can be none.

    That is the one that its message names, unless the message is about the number that was sent; a schema is taken
    for it where none is named. Some endpoints call a form that they don't know a fault of their own (500): then it must
    be named.
    """
    said = message.lower()
    if status == 500:
        return next((name for name in _FORMS if name in sent and name in said), None)
    if status not in (400, 422):
        return None
    named = next((name for name in OPTIONAL if name in sent and name in said), None)
    if named in _NUMBERS and _ABOUT_A_NUMBER.search(said):
        return None
    return named or ("response_format" if "response_format" in sent else None)


def tells_too_long(message: str) -> bool:
    """Return whether a refusal says that the request is longer than the model's context.

    >>> tells_too_long("This model's maximum context length is 4096 tokens."), tells_too_long("no such model")
    (True, False)
    """
    return _LENGTHS.search(message.lower()) is not None


def _choice(said: Any, *, needed: bool = True) -> Mapping[str, Any]:
    if not isinstance(said, Mapping):
        raise Fault(f"the answer is no JSON object ({_shown(said)})", again=True)
    if said.get("error"):
        raise _error(said)
    choices = said.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        choice: Mapping[str, Any] = choices[0]
        if choice.get("finish_reason") == "error":
            raise Fault("the endpoint says that generating failed", again=True)
        return choice
    if needed:
        raise Fault(f"the answer has no choices ({_shown(said)})", again=True)
    return {}


def _error(said: Mapping[str, Any]) -> Fault:
    """Return the fault that stands in an answer, with the HTTP status that some endpoints put there as its code."""
    code = said["error"].get("code") if isinstance(said["error"], Mapping) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else None
    words = f"the endpoint says: {error_text(said)}"
    return Fault(words, again=status is None or may_come_again(status), status=status)


def _note(answer: Answer, said: Mapping[str, Any], choice: Mapping[str, Any]) -> None:
    answer.usage(said.get("usage"))
    if isinstance(said.get("model"), str):
        answer.model = said["model"]
    reason = choice.get("finish_reason")
    if isinstance(reason, str) and reason:
        answer.finish = _FINISHES.get(reason.lower(), "stop")


def error_text(body: Any) -> str:
    """Return what an error's body says, on one line of at most 300 characters."""
    error = body.get("error", body) if isinstance(body, Mapping) else body
    if isinstance(error, Mapping):
        error = error.get("message") or error.get("detail") or json.dumps(dict(error), default=str)
    return _shown(error)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _count(tokens: Any) -> int | None:
    whole = isinstance(tokens, int) and not isinstance(tokens, bool) and 0 <= tokens <= _MOST_TOKENS
    return tokens if whole else None


def _shown(what: Any) -> str:
    text = what.decode(errors="replace") if isinstance(what, bytes) else str(what)
    line = " ".join(text.split())
    return line if len(line) <= 300 else line[:299] + "…"
