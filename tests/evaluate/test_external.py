"""A program as an agent: what it gets, how it asks, what is taken from it, and what it can't see."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from prepsql.agents import Answered, Brief, Tried
from prepsql.agents.external import ExternalAgent
from prepsql.sandbox import Status

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="an agent's command needs bubblewrap")


@dataclass
class NotedDesk:
    """Notes what an agent does."""

    questions_left: int = 3
    rounds_left: int = 2
    done: list[tuple[str, ...]] = field(default_factory=list)
    left: dict[str, dict[str, str]] = field(default_factory=dict)

    def ask(self, questions):
        self.rounds_left -= 1
        self.questions_left -= len(questions)
        return [Answered(one, "hit", f"{one} Yes.") for one in questions]

    def run_code(self, text, language):
        self.done.append(("code", language, text))
        return Tried(Status.OK, "", 0.1)

    def run_flow(self, text):
        self.done.append(("flow", text))
        return Tried(Status.OK, "", 0.1)

    def leave(self, judged, folder):
        self.left[judged] = {path.name: path.read_text() for path in sorted(folder.glob("output_*.csv"))}

    def fail(self, stage, text, result, message):
        self.done.append(("fail", stage, result, message))


@pytest.fixture
def brief(tmp_path):
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "gold.csv").write_text("secret\n1\n")
    (tmp_path / "suite" / "input_01.csv").write_text("a\n1\n")
    stages = ("clarify", "profile", "code", "translate")
    return Brief("task", "e2e", 1, "Double a.", (tmp_path / "suite" / "input_01.csv",), stages)


def work(brief, tmp_path, program, **changes):
    script = tmp_path / "agent.py"
    script.write_text(program)
    desk = NotedDesk()
    agent = ExternalAgent((sys.executable, str(script)), (tmp_path / "suite",), **changes)
    agent.work(brief, desk)
    return desk


def test_it_asks_and_leaves_tables(brief, tmp_path):
    desk = work(
        brief,
        tmp_path,
        """
import json, sys
from pathlib import Path
told = json.loads(Path("task.json").read_text())
print("chatter", flush=True)
print(json.dumps({"ask": [Path("request.md").read_text(), str(told["questions_left"])]}), flush=True)
answers = json.loads(sys.stdin.readline())
out = Path("solution/cand"); out.mkdir()
(out / "output_01.csv").write_text(answers["answers"][0]["answer"] + str(answers["questions_left"]))
(Path("solution") / "workflow.json").write_text(Path("inputs/input_01.csv").read_text())
""",
    )
    assert desk.left == {"code": {"output_01.csv": "Double a. Yes.1"}}
    assert desk.done == [("flow", "a\n1\n")]


def test_a_request_of_another_form_is_answered_with_an_error(brief, tmp_path):
    desk = work(
        brief,
        tmp_path,
        """
import json, sys
wrong = '{"ask": "Is it so?"}', '{"op": "start_session"}', '{"ask": [1]}'
for line in (*wrong, '[1]', '{"op": "log"}', '{"ask": ["Is it?"]}'):
    print(line, flush=True)
told = [json.loads(sys.stdin.readline()) for _ in range(4)]
open("solution/solution.sql", "w").write(json.dumps(["error" in one for one in told]))
""",
        seconds=20.0,
    )
    assert desk.done == [("code", "sql", "[true, true, true, false]")]
    assert desk.questions_left == 2


def test_code_that_it_leaves_is_run(brief, tmp_path):
    desk = work(brief, tmp_path, "open('solution/solution.py', 'w').write('def solve(tables): ...')")
    assert desk.done == [("code", "pandas", "def solve(tables): ...")]


def test_what_is_hidden_can_not_be_read(brief, tmp_path):
    desk = work(
        brief,
        tmp_path,
        f"""
import json, os
seen = [os.path.join(folder, name) for folder, _, names in os.walk({str(tmp_path)!r}) for name in names]
pids = [name for name in os.listdir("/proc") if name.isdigit()]
open("solution/solution.sql", "w").write(json.dumps([seen, len(pids) < 6]))
""",
    )
    ((_, _, told),) = desk.done
    seen, alone = json.loads(told)
    assert alone
    assert [Path(path).name for path in seen] == ["agent.py"]


@pytest.mark.parametrize(("program", "result"), [
    ("import sys; sys.exit('no idea')", "failed to run"),
    ("import time; time.sleep(60)", "timed out"),
])  # fmt: skip
def test_one_that_fails_is_told(brief, tmp_path, program, result):
    desk = work(brief, tmp_path, program, seconds=2.0)
    assert sorted((stage, told) for _, stage, told, _ in desk.done) == [("code", result), ("translate", result)]
    message = desk.done[0][3]
    assert "no idea" in message or "wasn't done after 2 s" in message


def test_links_are_not_followed(brief, tmp_path):
    desk = work(brief, tmp_path, "import os; os.symlink('/etc/passwd', 'solution/solution.sql')")
    assert desk.done == []
    assert json.dumps(desk.left) == "{}"
