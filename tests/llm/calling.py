"""A program that makes calls into a journal, and may be killed: for each line of its input it forks and does it all.

It prints the number of the process that does it, then how that ended. The client is loaded once, before.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from prepsql.llm import Endpoint, Gate, Journal, Message, Occasion, Patience, Price, RealClock, Request, open_journal

THREADS = 4


def calls(number):
    """Return what is asked: requests with their occasions, no two the same."""
    return [
        (Request((Message("user", f"Question {n}"),)), Occasion("agent", "e2e", f"task_{n % 9}", "code", attempt=n))
        for n in range(number)
    ]


def work(url, path, out, number, stream):
    clock = RealClock()
    with open_journal(path) as journal:
        endpoint = Endpoint(
            url, "tiny", stream=stream, run=journal.run, patience=Patience(tries=20, first=0.0), clock=clock,
            gate=Gate(THREADS, clock), price=Price(prompt=1, completion=1),
        )  # fmt: skip
        model = Journal(endpoint, journal)
        with closing(endpoint), ThreadPoolExecutor(THREADS) as pool:
            replies = list(pool.map(lambda call: model.complete(*call), calls(number)))
    out.write_text(json.dumps([reply.to_dict() for reply in replies]))


def load_client(url):
    """Load what the client loads with its first call, without making one."""
    import openai.resources.chat.completions  # noqa: F401

    endpoint = Endpoint(url, "tiny")
    endpoint._client.models.list()
    endpoint.close()


def main():
    url, path, out, number, stream = sys.argv[1:]
    load_client(url)
    for _ in sys.stdin:
        pid = os.fork()
        if not pid:
            work(url, Path(path), Path(out), int(number), stream == "stream")
            os._exit(0)
        print(pid, flush=True)
        print(os.waitpid(pid, 0)[1], flush=True)


if __name__ == "__main__":
    main()
