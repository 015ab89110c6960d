"""The journal: what was paid is on disk before it's handed over, and never paid again, whenever the run is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from prepsql.errors import ModelError, RecordError, WriteError
from prepsql.llm import Journal, Patience, open_journal
from prepsql.llm.model import Reply, Usage
from tests.llm import calling
from tests.llm.conftest import ask, in_turn, when
from tests.llm.server import ANSWER, Move, Wire, refuse

ROOT = Path(__file__).resolve().parent.parent.parent
REPLY = Reply("x", "stop", Usage(1, 2, 0.5), "tiny-001", 0.1, "paid")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run" / "calls.jsonl"


def test_a_run_that_resumes_has_the_replies_that_it_paid(endpoint, wire, path, stream):
    wire.plan = lambda call: Move(finish="length")  # was paid as well
    with open_journal(path) as journal:
        first = Journal(endpoint(stream=stream), journal).complete(ask(), when())
    with open_journal(path) as journal:
        model = Journal(endpoint(stream=stream), journal)
        again = model.complete(ask(), when())
        assert again == replace(first, source="journal")
        assert journal.entries() == ((when(), first),)
        assert model.complete(ask(), when(attempt=2)).source == "paid"
        assert model.complete(ask("other"), when()).source == "paid"
    assert len(wire.calls) == 3


def test_a_run_keeps_its_name_and_another_has_another(path, tmp_path):
    with open_journal(path) as journal:
        name = journal.run
    with open_journal(path) as journal:
        assert journal.run == name
    with open_journal(tmp_path / "other.jsonl") as journal:
        assert journal.run != name


def test_a_reply_is_on_disk_when_it_is_handed_over(endpoint, path, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr("os.fsync", lambda fd: (synced.append(path.read_bytes()), real(fd))[1])
    with open_journal(path) as journal:
        reply = Journal(endpoint(), journal).complete(ask(), when())
        assert json.loads(synced[-1].splitlines()[-1])["reply"]["text"] == reply.text


def test_an_error_is_not_kept(endpoint, wire, path):
    wire.plan = in_turn(refuse(500))
    with open_journal(path) as journal:
        model = Journal(endpoint(patience=Patience(tries=1)), journal)
        with pytest.raises(ModelError):
            model.complete(ask(), when())
        assert model.complete(ask(), when()).source == "paid"


def test_a_half_written_last_line_is_cut_off(path):
    with open_journal(path) as journal:
        for n in range(3):
            journal.add(f"key {n}", "tiny", ask(), when(attempt=n), REPLY)
    whole = path.read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    for cut in (1, 2, len(last) // 2, len(last) - 1):
        path.write_bytes(whole[:-cut])
        with open_journal(path) as journal:
            assert journal.find("key 1") == REPLY
            assert journal.find("key 2") is None
            journal.add("key 2", "tiny", ask(), when(attempt=2), REPLY)
        assert path.read_bytes() == whole


def test_a_half_written_first_line_is_a_new_journal(path):
    path.parent.mkdir()
    path.write_text('{"journal": 1, "ru')
    with open_journal(path) as journal:
        journal.add("key", "tiny", ask(), when(), REPLY)
    with open_journal(path) as journal:
        assert journal.find("key") == REPLY


def test_a_damaged_line_costs_itself_alone(path):
    with open_journal(path) as journal:
        for n in range(3):
            journal.add(f"key {n}", "tiny", ask(), when(attempt=n), REPLY)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = b"\x00" * 40 + b"\n"
    path.write_bytes(b"".join(lines))
    with open_journal(path) as journal:
        assert [bool(journal.find(f"key {n}")) for n in range(3)] == [True, False, True]


def test_one_process_at_a_time(path):
    with open_journal(path), pytest.raises(RecordError, match="another process is writing it"), open_journal(path):
        pass


@pytest.mark.parametrize("text", ["task,setting\n", '{"journal": 99, "run": "x"}\n', "[]\n"])
def test_another_file_is_left_alone(path, text):
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(RecordError, match="is no journal of version 1"), open_journal(path):
        pass
    assert path.read_text() == text


def test_no_place_for_it(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError, match="cannot open the journal"), open_journal(tmp_path / "file" / "calls.jsonl"):
        pass


def test_a_full_disk_is_said_and_leaves_whole_lines(endpoint, path, monkeypatch):
    real = os.fsync
    with open_journal(path) as journal:
        model = Journal(endpoint(), journal)
        model.complete(ask(), when())
        before = path.read_bytes()
        monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(WriteError, match=r"can't be written \(No space left on device\): free some space"):
            model.complete(ask(), when(attempt=2))
        assert path.read_bytes() == before
        monkeypatch.setattr("os.fsync", real)
        model.complete(ask(), when(attempt=2))
    with open_journal(path) as journal:
        assert len(journal.entries()) == 2


def test_threads_at_once_keep_every_reply(endpoint, wire, path):
    with open_journal(path) as journal, ThreadPoolExecutor(12) as pool:
        model = Journal(endpoint(calls=12), journal)
        # each is asked for twice at about the same time
        list(pool.map(lambda n: model.complete(ask(str(n // 2)), when(attempt=n // 2)), range(80)))
    with open_journal(path) as journal:
        assert len(journal.entries()) == 40
    assert len(wire.calls) == 40


class Caller:
    """The program that makes the calls, `calling.py`, and how to kill it."""

    def __init__(self, wire, folder, number, stream):
        self.journal, self.out = folder / "calls.jsonl", folder / "replies.json"
        command = [sys.executable, calling.__file__, wire.url, self.journal, self.out, str(number), stream]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def start(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def ended(self):
        return int(self.process.stdout.readline())

    def kept(self):
        lines = self.journal.read_bytes() if self.journal.exists() else b""
        return [json.loads(line)["key"] for line in lines[: lines.rfind(b"\n") + 1].splitlines()[1:]]

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


def rough(call):
    """Return what the server does: mostly answer after some milliseconds, sometimes badly."""
    chance = Random(f"{call.body['messages']} {call.number}")
    time.sleep(chance.uniform(0.001, 0.012))
    if chance.random() > 0.15:
        return ANSWER
    return chance.choice([refuse(500), refuse(429), Move("cut"), Move("broken")])


@pytest.mark.parametrize("way", ["whole", "stream"])
def test_killed_at_twenty_moments_nothing_is_lost_and_nothing_paid_twice(tmp_path, way):
    number, chance = 160, Random(way)
    wire, undisturbed = Wire(rough), Wire()
    caller = Caller(wire, tmp_path, number, way)
    sent_before = []  # after each kill: what the journal held, and how many calls the server had seen
    try:
        for _ in range(20):
            seen = len(wire.calls) + chance.randrange(1, 12)
            pid = caller.start()
            until = time.monotonic() + 20
            while len(wire.calls) < seen and time.monotonic() < until:
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.01))
            os.kill(pid, signal.SIGKILL)
            assert os.waitstatus_to_exitcode(caller.ended()) == -signal.SIGKILL
            while wire.under_way:  # what the dead had sent may still arrive
                time.sleep(0.001)
            sent_before.append((set(caller.kept()), len(wire.calls)))
        assert len({len(kept) for kept, _ in sent_before} - {0, number}) > 10
        assert not caller.out.exists()
        caller.start()
        assert caller.ended() == 0
        calling.work(undisturbed.url, tmp_path / "calm.jsonl", tmp_path / "calm.json", number, way == "stream")
    finally:
        caller.close()
        wire.close()
        undisturbed.close()
    assert lasting(caller.out) == lasting(tmp_path / "calm.json")
    assert len(lasting(caller.out)) == len(set(caller.kept())) == len(caller.kept()) == number
    assert len(wire.paid) == number
    assert set(wire.paid.values()) == {1}
    assert {reply["source"] for reply in json.loads(caller.out.read_text())} == {"journal", "paid"}
    for kept, seen in sent_before:
        # the server's keys know the run as well, so calls are told by what they asked
        asked = {call.body["messages"][0]["content"] for call in wire.calls[seen:]}
        assert not asked & {text for key, text in of_keys(caller).items() if key in kept}


def lasting(out):
    """Return of replies what doesn't depend on when they came."""
    return [{k: v for k, v in r.items() if k not in ("seconds", "source")} for r in json.loads(out.read_text())]


def of_keys(caller):
    lines = caller.journal.read_text().splitlines()[1:]
    return {e["key"]: e["request"]["messages"][0]["content"] for e in map(json.loads, lines)}
