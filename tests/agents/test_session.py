"""Conversations: budget, rounds, the summary, JSON lines, and the offline user over the release."""

import importlib.util
import io
import json
import socket
from pathlib import Path

import pytest

from prepsql.agents.simulators import OVER_BUDGET, Answer, Secrets, Service, Session, budget
from prepsql.agents.simulators.client import Client
from prepsql.agents.simulators.session import write_summary
from prepsql.errors import InputError, ModelError, WriteError
from prepsql.evaluate.task import Ambiguity

SPEC = importlib.util.spec_from_file_location(
    "simulator", Path(__file__).resolve().parents[2] / "bench" / "simulator.py"
)
bench = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(bench)


def secrets(entries=3):
    kb = [Ambiguity(f"{n}_x", "Row-level concept", "n", "filter", "s", "i", "r", {}) for n in range(entries)]
    return Secrets(kb, "Please sum up.", "Sums.")


class Echo:
    """Says the question again."""

    name = "echo"

    def __init__(self):
        self.histories = []

    def answer(self, question, history):
        self.histories.append(len(history))
        return Answer(question, "hit", f"you said {question}", "0_x")


@pytest.mark.parametrize(("entries", "most"), [(0, 0), (1, 3), (4, 10), (9, 23), (10, 25), (11, 25), (26, 26)])
def test_the_budget_is_two_and_a_half_an_entry_capped_but_never_below_the_entries(entries, most):
    assert budget(entries) == most


def test_questions_over_the_budget_are_dropped_in_order_and_recorded(tmp_path):
    session = Session(secrets(), Echo(), folder=tmp_path)
    assert session.start_session() == {
        "query": "Please sum up.", "rounds": 3, "per_round": 10,
        "questions_used": 0, "max_questions": 8, "questions_left": 8, "rounds_left": 3,
    }  # fmt: skip
    session.ask([f"q{n}" for n in range(6)])
    told = session.ask(["a", " ", "b", "c"])
    assert [one["sub_question"] for one in told["answers"]] == ["a", "b"]
    assert (told["dropped"], told["questions_left"]) == (["c"], 0)
    assert [(one.number, one.round) for one in session.asked[-2:]] == [(8, 2), (9, 2)]
    assert session.asked[-1].answer.classification == OVER_BUDGET
    summary = json.loads((tmp_path / "clarify" / "summary.json").read_text())
    assert (summary["questions_used"], summary["max_questions"], len(summary["qa_history"])) == (8, 8, 8)
    assert summary["qa_history"][6] == {
        "sub_question": "a",
        "classification": "hit",
        "answer": "you said a",
        "ref": "0_x",
    }
    assert [path.name for path in (tmp_path / "clarify").iterdir()] == ["summary.json"]


def test_a_round_has_ten_questions_and_there_are_three_rounds():
    session = Session(secrets(20), Echo())
    assert len(session.ask([f"q{n}" for n in range(12)])["dropped"]) == 2
    session.ask("one")
    session.ask("two")
    last = session.ask(["three", "four"])
    assert (last["answers"], last["dropped"], last["rounds_left"]) == ([], ["three", "four"], 0)
    assert session.questions_used == 12


def test_the_simulator_sees_what_was_said_before_and_an_agent_no_ref():
    echo = Echo()
    session = Session(secrets(), echo)
    told = session.ask(["a", "b"])
    assert echo.histories == [0, 1]
    assert set(told["answers"][0]) == {"sub_question", "classification", "answer"}


def test_questions_must_be_texts_and_the_folder_writable(tmp_path):
    with pytest.raises(InputError, match="list of texts"):
        Session(secrets(), Echo()).ask([1])
    (tmp_path / "clarify").write_text("")
    with pytest.raises(WriteError, match=r"summary\.json: can't be written .*; make space"):
        Session(secrets(), Echo(), folder=tmp_path).ask("a")


def test_a_summary_that_cannot_be_written_leaves_the_older_one_and_says_what_to_do(tmp_path, monkeypatch):
    write_summary(tmp_path, {"questions_used": 1})

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(WriteError, match=r"\(No space left on device\); free some$"):
        write_summary(tmp_path, {"questions_used": 2}, "free some")
    assert json.loads((tmp_path / "clarify" / "summary.json").read_text()) == {"questions_used": 1}
    assert [path.name for path in (tmp_path / "clarify").iterdir()] == ["summary.json"]


def test_the_guard_stands_before_every_answer():
    class Leaky(Echo):
        def answer(self, question, history):
            return Answer(question, "hit", "```sql\nSELECT 1\n```", "0_x")

    session = Session(secrets(), Leaky())
    assert session.ask("code?")["answers"][0]["classification"] == "refuse_illegal"
    assert session.summary()["qa_history"][0]["note"] == "withheld: a code fence"


def lines(service, *requests):
    out = io.BytesIO()
    service.serve(io.BytesIO(b"\n".join(requests) + b"\n"), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_json_lines_are_answered_one_by_one_and_faults_are_told():
    start, ask, no, odd, bad, stop = lines(
        Service(Session(secrets(), Echo())),
        b'{"op": "start_session"}', b'{"op": "ask", "questions": ["a"]}', b"[]", b'{"op": "fly"}',
        b'{"op": "ask", "questions": [3]}', b'{"op": "stop"}', b'{"op": "ask", "questions": ["late"]}',
    )  # fmt: skip
    assert (start["ok"], start["max_questions"]) == (True, 8)
    assert ask["answers"][0]["answer"] == "you said a"
    assert "one JSON object a line" in no["error"]
    assert "no operation 'fly'" in odd["error"]
    assert "list of texts" in bad["error"]
    assert stop == {"ok": True}


def test_a_line_without_end_ends_the_conversation():
    (said,) = lines(Service(Session(secrets(), Echo())), b"x" * 1_000_001)
    assert "more than 1000000 bytes" in said["error"]


def test_a_model_out_of_reach_is_kept_as_a_fault_and_not_told():
    class Gone(Echo):
        def answer(self, question, history):
            raise ModelError("no endpoint at http://secret")

    service = Service(Session(secrets(), Gone()))
    (said,) = lines(service, b'{"op": "ask", "questions": ["a"]}')
    assert said == {"ok": False, "error": "the user can't be reached any more"}
    assert isinstance(service.fault, ModelError)


def test_an_agent_asks_through_a_socket_even_after_another_broke_off(tmp_path, monkeypatch):
    session = Session(secrets(), Echo())
    with Service(session).listening(tmp_path / "s") as path:
        with socket.socket(socket.AF_UNIX) as rude:
            rude.connect(str(path))
            rude.send(b"{")
        monkeypatch.setenv("PREPSQL_SIMULATOR", str(path))
        client = Client()
        assert client.start_session()["max_questions"] == 8
        assert client.ask("a")["answers"][0]["answer"] == "you said a"
        with pytest.raises(ValueError, match="list of texts"):
            client.ask([1])
        client.close()
    assert not path.exists()
    assert session.questions_used == 1


def test_a_socket_needs_a_free_path(tmp_path):
    with (
        pytest.raises(InputError, match="name a new file"),
        Service(Session(secrets(), Echo())).listening(tmp_path / "none" / "s"),
    ):
        pass


@pytest.mark.slow
def test_the_offline_user_over_the_release(prepbench):
    measure = bench.Measure(prepbench)
    right, held, refused = measure.right(""), measure.right("held"), measure.refused("")
    assert (len(right), len(held), len(refused)) == (300, 100, 100)
    assert sum(right) >= 255
    assert sum(held) >= 75
    assert sum(one for one, _ in refused) >= 95
    assert measure.wrongly_refused() <= 3
