"""A program as an agent: what it gets, how it asks, what is taken from it, and what it can't see."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer

import pytest

from prepsql.agents import Answered, Brief, Tried
from prepsql.agents.external import ExternalAgent
from prepsql.errors import SandboxError
from prepsql.evaluate.contender import by_command
from prepsql.evaluate.runner import Plan, run
from prepsql.evaluate.suites import open_suite
from prepsql.llm.settings import ModelSettings
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


@pytest.mark.parametrize(("link", "to"), [
    ("solution/solution.sql", "gold.csv"), ("solution/workflow.json", "gold.csv"), ("solution", ""),
    ("solution/cand", ""), ("solution/flow_cand", ""),
])  # fmt: skip
def test_links_are_not_followed(brief, tmp_path, link, to):
    suite = tmp_path / "suite"
    for name in ("output_01.csv", "solution.sql", "workflow.json"):
        (suite / name).write_text("secret")
    program = f"import os; os.path.isdir({link!r}) and os.rmdir({link!r}); os.symlink({str(suite / to)!r}, {link!r})"
    desk = work(brief, tmp_path, program)
    assert desk.done == []
    assert json.dumps(desk.left) == "{}"


def test_what_hides_things_can_not_be_taken_off(brief, tmp_path):
    suite = tmp_path / "suite"
    desk = work(
        brief,
        tmp_path,
        f"""
import os, subprocess
subprocess.run(["umount", "-l", {str(suite)!r}])
subprocess.run(["unshare", "-rm", "umount", "-l", {str(suite)!r}])
subprocess.run(["mount", "--bind", {str(tmp_path)!r}, "inputs"])
open("solution/solution.sql", "w").write(repr([os.listdir({str(suite)!r}), os.listdir("inputs")]))
""",
    )
    assert [text for *_, text in desk.done] == ["[[], ['input_01.csv']]"]


def test_it_sees_no_other_run_no_cache_no_history_and_no_other_agent(suite_copy, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    others = [tmp_path / "scratch" / f"prepsql-agents-{os.getuid()}" / "prepsql-agent-x" / "code.sql",
              tmp_path / "cache" / "ab" / "abc.json", tmp_path / "runs" / "first" / "record.duckdb",
              tmp_path / ".git" / "HEAD"]  # fmt: skip
    for path in others:
        path.parent.mkdir(parents=True)
        path.write_text("secret")
    seen = tmp_path / "seen.json"
    agent = tmp_path / "agent.py"
    agent.write_text(f"""
import json
from pathlib import Path
Path({str(seen)!r}).write_text(json.dumps([str(p) for p in Path({str(tmp_path)!r}).rglob("*") if p.is_file()]))
""")
    suite = open_suite(suite_copy).select(("adds_up",))
    program = ExternalAgent((sys.executable, str(agent)), suite.secret)
    contender = by_command(program, ModelSettings(cache=tmp_path / "cache"), "offline")
    run(Plan(suite, contender=contender, names=("direct",)), tmp_path / "runs" / "second")
    inside = {Path(path).name for path in json.loads(seen.read_text())}
    assert inside == {"agent.py", ".lock", "request.md", "task.json", "input_01.csv"}


def test_where_nothing_is_left_the_verdict_names_what_was_looked_for(suite_copy, tmp_path):
    agent = by_command(ExternalAgent(("true",)), ModelSettings(), "offline")
    verdicts = run(Plan(suite=open_suite(suite_copy).select(("adds_up",)), contender=agent), tmp_path / "run")
    assert [(verdict.way, verdict.result.value) for verdict in verdicts] == [
        ("code", "not found"), ("workflow", "not found"),
    ]  # fmt: skip
    for verdict, wanted in zip(
        verdicts, (("cand", "solution.sql", "solution.py"), ("flow_cand", "workflow.json")), strict=True
    ):
        assert all(f"solution/{name}" in verdict.message for name in wanted)


def test_a_conversation_that_is_broken_off_is_told_as_such(suite_copy, tmp_path):
    program = tmp_path / "agent.py"
    program.write_text("import sys\nprint('no idea', file=sys.stderr)\nsys.exit(5)\n")
    agent = by_command(ExternalAgent((sys.executable, str(program))), ModelSettings(), "offline")
    suite = open_suite(suite_copy).select(("adds_up",))
    (verdict,) = run(Plan(suite=suite, contender=agent, names=("disambiguate",)), tmp_path / "run")
    assert (verdict.result, verdict.message) == ("failed to run", "the agent ended with code 5: no idea")


def test_the_history_of_a_worktree_is_elsewhere(suite_copy, tmp_path):
    (tmp_path / "main" / ".git" / "worktrees" / "suite").mkdir(parents=True)
    (tmp_path / "main" / ".git" / "worktrees" / "suite" / "commondir").write_text("../..\n")
    (suite_copy / ".git").write_text(f"gitdir: {tmp_path / 'main' / '.git' / 'worktrees' / 'suite'}\n")
    found = [path.resolve() for path in open_suite(suite_copy).secret]
    assert found[:2] == [suite_copy, tmp_path / "main" / ".git"]


def test_one_at_work_ends_with_the_run(brief, tmp_path):
    script = tmp_path / "agent.py"
    script.write_text("import time; time.sleep(60)")
    agent = ExternalAgent((sys.executable, str(script)), (tmp_path / "suite",))
    Timer(0.5, agent.stop).start()
    desk = NotedDesk()
    with pytest.raises(SandboxError, match="stopped"):
        agent.work(brief, desk)
    assert desk.done == []


# the child ends by itself, so that nothing is left over
DETACHED = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"], start_new_session=True)
"""


@pytest.mark.parametrize(("then", "told"), [
    ("time.sleep(60)", ["timed out", "timed out"]),
    ("print('{\"ask\": [\"' + 'x' * 200 + '\"]}\\n' * 2000, flush=True); time.sleep(60)", ["timed out", "timed out"]),
    ("sys.exit('no idea')", ["failed to run", "failed to run"]),
    ("open('solution/solution.sql', 'w').write('SELECT 1')", []),
    ("open('solution/solution.sql', 'w').write('SELECT 1'); subprocess.Popen(['timeout', '20', 'yes'])", []),
])  # fmt: skip
def test_a_child_that_stays_does_not_hold_what_measures(brief, tmp_path, monkeypatch, then, told):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    start = time.monotonic()
    seconds = 3.0 if told else 10.0
    desk = work(brief, tmp_path, f"{DETACHED}{then}", seconds=seconds, accept_risk=True)
    assert time.monotonic() - start < 10
    assert sorted(one[2] for one in desk.done if one[0] == "fail") == told
    assert [one for one in desk.done if one[0] == "code"] == ([] if told else [("code", "sql", "SELECT 1")])
    if told == ["failed to run"] * 2:
        assert desk.done[0][3] == "the agent ended with code 1: no idea"


@pytest.mark.parametrize(("then", "result"), [("time.sleep(60)", "timed out"), ("sys.exit(3)", "failed to run")])
def test_what_one_that_fails_has_left_is_not_taken(brief, tmp_path, then, result):
    program = f"""
import os, sys, time
for folder in ("solution/cand", "solution/flow_cand"):
    os.mkdir(folder)
    open(folder + "/output_01.csv", "w").write("a\\n2\\n")
{then}
"""
    desk = work(brief, tmp_path, program, seconds=2.0)
    assert [told for _, _, told, _ in desk.done] == [result] * 2
    assert desk.left == {}


@pytest.mark.parametrize("questions", ["[['Is it?' * 20] * 2000]", "[['Is it?' * 10]] * 2000"])
def test_answers_wait_until_they_are_read(brief, tmp_path, questions):
    program = f"""
import json, os, sys
asked = {questions}
for one in asked:
    print(json.dumps({{"ask": one}}), flush=True)
os.write(2, b"log\\n" * 100_000)
answers = [json.loads(sys.stdin.readline())["answers"] for _ in asked]
open("solution/solution.sql", "w").write(str(sum(map(len, answers))))
"""
    desk = work(brief, tmp_path, program, seconds=20.0)
    assert desk.done == [("code", "sql", "2000")]


def test_the_users_time_is_not_its_own(brief, tmp_path, monkeypatch):
    told = NotedDesk.ask

    def slow(desk, questions):
        time.sleep(3)
        return told(desk, questions)

    monkeypatch.setattr(NotedDesk, "ask", slow)
    program = """
import sys
print('{"ask": ["Is it?"]}', flush=True)
open("solution/solution.sql", "w").write(str(len(sys.stdin.readline()) > 2))
"""
    desk = work(brief, tmp_path, program, seconds=2.0)
    assert desk.done == [("code", "sql", "True")]


def test_a_long_last_word_is_cut(brief, tmp_path):
    program = "import os, sys; [os.write(2, b'x' * 1_000_000) for _ in range(30)]; sys.exit(1)"
    desk = work(brief, tmp_path, program)
    assert all(len(message) < 2_000 for *_, message in desk.done)


def test_lines_are_lines_however_they_arrive_and_end(brief, tmp_path):
    program = r"""
import os, sys, time
def say(*pieces):
    for piece in pieces:
        os.write(1, piece)
        time.sleep(0.2)
say(b'50 %\r100 %\r{"ask": ["\xc3', b'\xa9 \xe2\x80\xa8?"', b']}\r', b'\n')
os.write(1, b"x" * 3_000_000 + b"\n" + b'{"ask": ["Last?"]}\n')
os.write(2, b"log\n" * 100_000)
answers = [sys.stdin.readline() for _ in range(2)]
open("solution/solution.sql", "w").write("".join(answers))
"""
    desk = work(brief, tmp_path, program, seconds=20.0)
    ((_, _, text),) = desk.done
    first, last = map(json.loads, text.strip().split("\n"))
    assert [first["answers"][0]["question"], last["answers"][0]["question"]] == ["é \u2028?", "Last?"]


def test_what_it_asks_is_never_our_fault(brief, tmp_path):
    program = r"""
import json, sys
print('{"ask": ' + "[" * 100_000, flush=True)
print('{"ask": ["Half \\ud83d?"]}', flush=True)
open("solution/solution.sql", "w").write(json.loads(sys.stdin.readline())["answers"][0]["answer"])
"""
    desk = work(brief, tmp_path, program)
    assert desk.done == [("code", "sql", "Half �? Yes.")]


def test_what_is_too_large_is_told_and_not_read(brief, tmp_path):
    program = """
import os
os.mkdir("solution/cand")
for name in ("solution/cand/output_01.csv", "solution/workflow.json"):
    with open(name, "w") as file:
        file.truncate(10**12)
"""
    desk = work(brief, tmp_path, program)
    assert [(stage, told) for _, stage, told, _ in desk.done] == [
        ("code", "file too large"), ("translate", "file too large"),
    ]  # fmt: skip
    assert desk.left == {}
