"""A model behind an endpoint that speaks the chat completions of OpenAI's interface, through the `openai` package."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from prepsql.errors import ModelError, NoAnswers
from prepsql.llm.clock import Clock, RealClock
from prepsql.llm.gate import Gate
from prepsql.llm.keys import call_key
from prepsql.llm.model import Occasion, Reply, Request, Usage
from prepsql.llm.patience import Fault, Patience, asked_wait, may_come_again, tried
from prepsql.llm.prices import Price
from prepsql.llm.settings import plain_address
from prepsql.llm.wire import TOO_LONG, Answer, error_text, parameters, read, refused_parameter, tells_too_long

if TYPE_CHECKING:
    import ssl

    import httpx2
    import openai

_log = logging.getLogger(__name__)

NO_KEY = "none"
"""What is sent as key where the user gave none: endpoints on one's own machine want none, but the client does."""

_CONNECT_SECONDS = 20.0
_HEADERS = frozenset({
    "host", "accept", "accept-encoding", "connection", "content-type", "content-length", "transfer-encoding",
    "user-agent", "authorization", "idempotency-key",
})  # fmt: skip
_MENDS = {
    401: "give a valid key with PREPSQL_API_KEY",
    402: "the account has no credit left: top it up, then resume the run",
    403: "the key may not use this model: give another with PREPSQL_API_KEY, or another model",
    413: "the request is too long for this model: choose one with a longer context",
}
_DEAF = frozenset({401, 402, 404})
_V1 = "PREPSQL_BASE_URL (--base-url) ends in /v1 for most endpoints"


class Endpoint:
    """A model at a base URL, like https://api.openai.com/v1 or http://localhost:8080/v1.

    A reply that wasn't whole, a rate limit, a fault of the endpoint or of the network is tried again (`patience`),
    with the same `Idempotency-Key`: a hash of request, occasion and `run`, so that an endpoint that keeps such keys
    bills none twice. `seconds` bounds one try: from the beginning to the last byte that arrives, and a silence within
    it. `gate` is shared with other models of the same endpoint.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        stream: bool = False,
        seconds: float = 300.0,
        price: Price | None = None,
        patience: Patience | None = None,
        gate: Gate | None = None,
        clock: Clock | None = None,
        run: str = "",
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.base_url = base_url
        self.name = model
        self.stream = stream
        self.seconds = seconds
        self.price = price
        self._key = api_key or NO_KEY
        self._patience = patience or Patience()
        self._clock = clock or RealClock()
        self._gate = gate or Gate(8, self._clock)
        self._run = run
        self._chance = chance
        self._without: frozenset[str] = frozenset()
        self._answered = False
        self._waits = False
        self._made: openai.OpenAI | None = None
        self._lock = Lock()

    @property
    def left_out(self) -> tuple[str, ...]:
        """Parameters that this endpoint has refused and that calls leave out since, by name."""
        return tuple(sorted(self._without))

    def complete(self, request: Request, occasion: Occasion) -> Reply:
        """Answer a request.

        Raises ModelError where the endpoint can't be reached or refuses it, NoAnswers where it never answered a call.
        """
        key = call_key(self.name, request, occasion, self._run)
        try:
            reply = tried(
                lambda: self._try(request, key),
                where=self._where,
                patience=self._patience, gate=self._gate, clock=self._clock, chance=self._chance,
            )  # fmt: skip
        except NoAnswers as deaf:
            if self._answered:
                raise ModelError(str(deaf)) from deaf
            raise
        self._answered = True
        return reply

    @property
    def _where(self) -> str:
        return f"model {self.name} at {plain_address(self.base_url)}"

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            if self._made is not None:
                self._made.close()
                self._made = None

    @property
    def _client(self) -> openai.OpenAI:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    def _make(self) -> openai.OpenAI:
        import openai

        timeout = openai.Timeout(self.seconds, connect=min(self.seconds, _CONNECT_SECONDS))
        return openai.OpenAI(
            base_url=self.base_url, api_key=self._key, max_retries=0, timeout=timeout,
            default_headers={"Authorization": self._bearer},
            http_client=openai.DefaultHttpxClient(
                timeout=timeout, verify=_trusted(), event_hooks={"request": [self._tidy]}
            ),
        )  # fmt: skip

    @property
    def _bearer(self) -> str:
        return f"Bearer {self._key}"

    def _tidy(self, sent: httpx2.Request) -> None:
        """Take out of a request what the client found in OPENAI_* variables, which may be for another endpoint."""
        for name in list(sent.headers):
            if name not in _HEADERS and not name.startswith("x-stainless-"):
                del sent.headers[name]

    def _try(self, request: Request, key: str) -> Reply:
        """Make one try, without parameters that the endpoint refuses; these are remembered once it took the call."""
        without = self._without
        while True:
            sent = parameters(self.name, request, stream=self.stream, without=without)
            began = self._clock.now()
            try:
                answer = self._send(sent, key)
            except Fault as fault:
                fault.args = (self._hide(str(fault)),)
                refused = None if fault.too_long else refused_parameter(fault.status, str(fault), sent)
                if refused is None:
                    self._tell_wait(fault)
                    raise
                without |= {refused}
                continue
            self._remember(without)
            return self._reply(answer, self._clock.now() - began)

    def _tell_wait(self, fault: Fault) -> None:
        """Say once that the first calls wait for an endpoint: there would be nothing to see."""
        with self._lock:
            tell = fault.deaf and fault.again and not (self._answered or self._waits) and self._patience.tries > 1
            self._waits |= tell
        if tell:
            _log.warning("%s: %s: trying again", self._where, fault)

    def _remember(self, without: frozenset[str]) -> None:
        with self._lock:
            new = without - self._without
            self._without |= without
        if new:
            _log.warning("%s refuses %s: calls do without", self._where, ", ".join(sorted(new)))

    def _reply(self, answer: Answer, seconds: float) -> Reply:
        tokens = answer.prompt_tokens, answer.completion_tokens
        usd = self.price.usd(*tokens, answer.cached_tokens) if self.price else None
        finish = answer.finish or "stop"
        return Reply(answer.text, finish, Usage(*tokens, usd), answer.model or self.name, seconds, "paid")

    def _send(self, sent: dict[str, Any], key: str) -> Answer:
        calls = self._client.chat.completions.with_streaming_response
        headers = {"Idempotency-Key": key}
        ends = self._clock.now() + self.seconds
        with self._faults(), calls.create(**sent, extra_headers=headers) as raw:
            return read(self._in_time(raw.iter_bytes(), ends))

    def _in_time(self, pieces: Iterable[bytes], ends: float) -> Iterator[bytes]:
        with self._faults():
            for piece in pieces:
                if self._clock.now() > ends:
                    raise self._late()
                yield piece

    def _late(self) -> Fault:
        return Fault(f"no whole answer within {self.seconds:g} s", again=True, mend="allow more with PREPSQL_SECONDS")

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn the client's errors into faults."""
        import httpx2
        import openai

        try:
            yield
        except (openai.APITimeoutError, httpx2.TimeoutException) as wrong:
            raise self._late() from wrong
        except (openai.APIConnectionError, httpx2.RequestError) as wrong:
            raise Fault(
                f"no connection, or it broke ({_reason(wrong)})", again=True, deaf=True,
                mend="see whether the endpoint runs, and whether PREPSQL_BASE_URL is right, then resume the run",
            ) from wrong  # fmt: skip
        except openai.APIStatusError as wrong:
            raise self._refusal(wrong) from None  # its text may hold the key

    def _refusal(self, wrong: openai.APIStatusError) -> Fault:
        status, headers = wrong.status_code, wrong.response.headers
        text = error_text(wrong.body if wrong.body is not None else wrong.response.text)
        spent = status == 429 and wrong.code == "insufficient_quota"
        again = may_come_again(status) and not spent
        mend = _MENDS[402] if spent else _MENDS.get(status, "")
        if status == 404:
            mend = self._what_is_there()
        wait = asked_wait(headers, self._clock.wall()) if again else None
        too_long = status == 413 or (status == 400 and (wrong.code == TOO_LONG or tells_too_long(text)))
        if too_long:
            mend = _MENDS[413]
        return Fault(
            f"HTTP {status}: {text}", again=again, status=status, wait=wait, mend=mend, too_long=too_long,
            deaf=spent or status in _DEAF,
        )  # fmt: skip

    def _what_is_there(self) -> str:
        import openai

        try:
            names = sorted(model.id for model in self._client.with_options(timeout=10.0).models.list().data)
        except (openai.OpenAIError, ValueError, AttributeError, TypeError):
            return f"no such address or model: {_V1}; see the endpoint's models"
        if self.name in names:
            return f"the endpoint has the model, but not at this address: {_V1}"
        shown = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
        return f"choose a model that it has with PREPSQL_MODEL or --model ({shown or 'it lists none'})"

    def _hide(self, text: str) -> str:
        return text if self._key == NO_KEY else text.replace(self._key, "…")


@cache
def _trusted() -> ssl.SSLContext:
    """Return the certificates that are trusted, loaded once for all endpoints."""
    import httpx2

    return httpx2.create_ssl_context()


def _reason(wrong: BaseException) -> str:
    cause = wrong.__cause__
    return " ".join(str(cause).split()) or type(cause).__name__ if cause else str(wrong)
