"""A server that speaks the wire format of chat completions, and misbehaves as it is told.

It bills a call once per Idempotency-Key and gives the same reply to each later one, as endpoints with such keys do.
"""

import hashlib
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LONG = " and so on" * 20


@dataclass(frozen=True)
class Call:
    """A call as it arrived; `number` counts the calls with its key from 1."""

    key: str
    number: int
    body: dict
    at: float
    headers: dict


@dataclass(frozen=True)
class Move:
    """What the server does: answer, or an HTTP status, or something worse."""

    kind: str = "answer"  # answer, cut, broken, slow, drip, silent, error_in_stream, no_choices
    status: int = 200
    headers: dict = field(default_factory=dict)
    error: dict | str | bytes = "out of order"
    usage: bool = True
    finish: str | None = "stop"
    text: str | None = None
    seconds: float = 0.0


ANSWER = Move()


def refuse(status, error="no", **headers):
    return Move("status", status, {name.replace("_", "-"): value for name, value in headers.items()}, error)


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """Say nothing of callers that went away."""


class Wire:
    """The server; `plan` says what it does with each call."""

    def __init__(self, plan=lambda call: ANSWER, key=None):
        self.plan = plan
        self.key = key
        self.calls = []
        self.paid = Counter()
        self.said = {}
        self.under_way = 0
        self.most_under_way = 0
        self.lock = threading.Lock()
        self.server = _Quiet(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def keys(self):
        return [call.key for call in self.calls]

    def arrive(self, headers, body):
        with self.lock:
            key = headers.get("Idempotency-Key", "")
            number = 1 + sum(call.key == key for call in self.calls)
            call = Call(key, number, body, time.monotonic(), dict(headers))
            self.calls.append(call)
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        return call

    def leave(self):
        with self.lock:
            self.under_way -= 1

    def generate(self, call, move):
        """Return the text of a call, billing it unless its key was billed before."""
        with self.lock:
            if call.key not in self.said or not call.key:
                self.paid[call.key] += 1
                self.said[call.key] = move.text if move.text is not None else echo(call.body["messages"])
            return self.said[call.key]


def echo(messages):
    """Return the reply that the server gives to messages: no two have the same."""
    said = json.dumps([[m["role"], m["content"]] for m in messages])
    return f"echo {hashlib.sha256(said.encode()).hexdigest()[:16]}{LONG}"


def tokens(text):
    return len(text.split())


def _handler(wire):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 16

        def log_message(self, *_):
            pass

        def date_time_string(self, timestamp=None):
            return "Mon, 30 Nov 2026 12:00:00 GMT"

        def do_GET(self):
            self.whole(
                {"object": "list", "data": [{"id": "tiny", "object": "model"}, {"id": "large", "object": "model"}]}
            )

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            call = wire.arrive(self.headers, body)
            try:
                if wire.key and self.headers.get("Authorization") != f"Bearer {wire.key}":
                    self.move(call, refuse(401, f"wrong key: {self.headers.get('Authorization')}"))
                elif not self.path.endswith("/v1/chat/completions"):
                    self.move(call, refuse(404, "no such page"))
                else:
                    self.move(call, wire.plan(call))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
            finally:
                wire.leave()

        def move(self, call, move):
            if move.kind == "status" and isinstance(move.error, bytes):
                self.whole(move.error, move.status, move.headers)
                return
            if move.kind == "status":
                error = (
                    move.error if isinstance(move.error, dict) else {"message": move.error, "type": "e", "code": None}
                )
                self.whole({"error": error}, move.status, move.headers)
                return
            if move.kind == "silent":
                time.sleep(move.seconds)
            text = wire.generate(call, move)
            if bool(call.body.get("stream")) != (move.kind == "other_way"):
                self.stream(call, move, text)
            else:
                self.piece(call, move, text)

        def whole(self, said, status=200, headers=()):
            data = said if isinstance(said, bytes) else json.dumps(said, ensure_ascii=False).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            for name, value in dict(headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def used(self, call, text):
            return {
                "prompt_tokens": sum(tokens(m["content"]) for m in call.body["messages"]),
                "completion_tokens": tokens(text),
                "total_tokens": 0,
                "prompt_tokens_details": {"cached_tokens": 1},
            }

        def piece(self, call, move, text):
            message = {"role": "assistant", "content": text}
            said = {
                "id": "c",
                "object": "chat.completion",
                "created": 1,
                "model": call.body["model"] + "-001",
                "choices": [{"index": 0, "message": message, "finish_reason": move.finish}],
            }
            if move.kind == "no_choices":
                said["choices"] = []
            if move.usage:
                said["usage"] = self.used(call, text)
            data = json.dumps(said, ensure_ascii=False).encode()
            if move.kind == "broken":
                self.whole(data[: len(data) // 2] + b"}")
            elif move.kind in ("cut", "drip", "cut_unsaid"):
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                if move.kind != "cut_unsaid":
                    self.send_header("Content-Length", str(len(data)))
                self.send_header("Connection", "close")
                self.end_headers()
                self.close_connection = True
                if move.kind == "drip":
                    for at in range(len(data)):
                        self.wfile.write(data[at : at + 1])
                        self.wfile.flush()
                        time.sleep(move.seconds)
                else:
                    self.wfile.write(data[: len(data) // 2])
            else:
                self.whole(data)

        def stream(self, call, move, text):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            parts = text.split(" ")
            for number, part in enumerate(parts):
                if move.kind in ("cut", "cut_unsaid", "no_choices") and number == len(parts) // 2:
                    return
                if move.kind == "broken" and number == 2:
                    self.wfile.write(b'data: {"choices": [{"delta": \n\n')
                    return
                if move.kind == "error_in_stream" and number == 2:
                    self.event(call, {"error": {"message": "overloaded", "code": 529}})
                    return
                self.event(
                    call,
                    {
                        "choices": [
                            {
                                "index": 0,
                                "delta": {"content": part if not number else " " + part},
                                "finish_reason": None,
                            }
                        ]
                    },
                )
                if move.kind == "drip":
                    time.sleep(move.seconds)
            self.event(call, {"choices": [{"index": 0, "delta": {}, "finish_reason": move.finish}]})
            if move.kind == "cut_after_finish":
                self.wfile.write(b'data: {"choi')
                return
            if move.usage and (call.body.get("stream_options") or {}).get("include_usage"):
                self.event(call, {"choices": [], "usage": self.used(call, text)})
            self.wfile.write(b"data: [DONE]\n\n")

        def event(self, call, said):
            said = {
                "id": "c",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": call.body["model"] + "-001",
                **said,
            }
            self.wfile.write(b"data: " + json.dumps(said, ensure_ascii=False).encode() + b"\n\n")
            self.wfile.flush()

    return Handler
