"""Any program as an agent: it gets a folder without secrets, asks over its standard streams, and leaves tables.

The folder, which is its working directory, holds `request.md` (or `code.sql`, `code.py` that is to be translated),
`inputs/` and `task.json`. A line `{"ask": ["…"]}` on its standard output is answered by a line
`{"answers": [{"question": …, "answer": …}], "questions_left": n, "rounds_left": n}` on its standard input, or by
`{"error": …}` where it isn't of that form; other lines are its own business. What counts is what it leaves:
`solution/cand/output_*.csv`, or `solution/solution.sql` or `.py`, which is then run; of workflows
`solution/flow_cand/output_*.csv`, or `solution/workflow.json`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from prepsql.agents.brief import Brief, Desk, Stage
from prepsql.agents.streams import Streams
from prepsql.errors import SandboxError
from prepsql.llm.characters import whole_characters
from prepsql.sandbox import DEFAULT_LIMITS, Language
from prepsql.scratch import scratch_folder

_SUFFIX: dict[Language, str] = {"sql": "sql", "pandas": "py"}
_SERVICE = ("start_session", "ask", "stop")  # what the simulators' service takes, where there is no such channel
_ASK = 'ask by one line {"ask": ["…", "…"]}, a list of texts'
_LONGEST_TEXT = 10 * 1024**2
_LONGEST_TABLE = DEFAULT_LIMITS.file_mb * 1024**2


@dataclass(frozen=True)
class ExternalAgent:
    """A command that is started once a task, and may take so many seconds.

    What lies in `hidden` it can't see, nor the folders of other agents that are at work. Where bubblewrap isn't there
    to see to that, it only runs with `accept_risk`.
    """

    command: tuple[str, ...]
    hidden: tuple[Path, ...] = ()
    seconds: float = 1800.0
    accept_risk: bool = False
    _stopped: Event = field(default_factory=Event, compare=False)

    @property
    def name(self) -> str:
        """The command."""
        return " ".join(self.command)

    def work(self, brief: Brief, desk: Desk) -> None:
        """Run the command on a task, answer its questions, and take what it leaves."""
        with scratch_folder("prepsql-agent-", inside=_place()) as folder:
            _lay_out(folder, brief, desk)
            if self._run(folder, brief, desk):
                _take(folder / "solution", brief, desk)

    def stop(self) -> None:
        """End the command wherever it runs, as when a run is interrupted."""
        self._stopped.set()

    def _run(self, folder: Path, brief: Brief, desk: Desk) -> bool:
        """Run the command; return whether it ended with 0 in time, else tell the desk."""
        with subprocess.Popen(
            [*self._wall(folder), *self.command], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, bufsize=0, start_new_session=True,
        ) as process:  # fmt: skip
            streams = Streams(process, self.seconds, self._stopped.is_set)
            try:
                for line in streams.lines():
                    # a user that a model plays may take long; once no round is left there's nobody to wait for
                    with streams.untimed() if desk.rounds_left > 0 else nullcontext():
                        answer = _answered(line, desk)
                    if answer is not None:
                        streams.say(json.dumps(answer, ensure_ascii=False))
                code = process.poll()
            finally:
                _end(process)
        if self._stopped.is_set():
            raise SandboxError("the run was stopped while an agent was at work: resume it")
        log = "\n".join(streams.log).strip()
        why = ""
        if code is None:
            why = f"the agent wasn't done after {self.seconds:g} s"
        elif code:
            why = f"the agent ended with code {code}: {' '.join(log.splitlines()[-1:])}"
        judged = {*brief.stages} & {"code", "translate"} or {"clarify"}
        for stage in sorted(judged) if why else ():
            desk.fail(stage, log, "timed out" if code is None else "failed to run", why)
        return not why

    def _wall(self, folder: Path) -> list[str]:
        """Return what stands before the command so that it sees the machine without what is hidden."""
        bwrap = shutil.which("bwrap")
        if bwrap is None:
            if self.accept_risk:
                return []
            raise SandboxError(
                "an agent's command needs bubblewrap (bwrap), so that it can't read gold, reference code or the "
                "knowledge base: install it, or run with --accept-risk"
            )
        masks = [
            part for path in (*self.hidden, _place()) if path.is_dir() for part in ("--tmpfs", str(path.resolve()))
        ]
        return [
            bwrap, "--dev-bind", "/", "/", *masks, "--bind", str(folder), str(folder), "--unshare-pid",
            "--proc", "/proc", "--cap-drop", "ALL",  # else root takes the masks off again
            "--die-with-parent", "--chdir", str(folder), "--",
        ]  # fmt: skip


def _place() -> Path:
    """Return the folder in which all agents of this user work; raises SandboxError where it isn't this user's."""
    place = Path(os.path.realpath(tempfile.gettempdir())) / f"prepsql-agents-{os.getuid()}"
    with suppress(FileExistsError):
        place.mkdir(mode=0o700)
    if place.is_symlink() or place.stat().st_uid != os.getuid():
        raise SandboxError(f"{place} is somebody else's: remove it, or name another place with TMPDIR")
    return place


def _lay_out(folder: Path, brief: Brief, desk: Desk) -> None:
    (folder / "inputs").mkdir()
    (folder / "solution").mkdir()
    for path in brief.inputs:
        shutil.copyfile(path, folder / "inputs" / path.name)
    if brief.language:
        (folder / f"code.{_SUFFIX[brief.language]}").write_text(brief.code, encoding="utf-8")
    else:
        (folder / "request.md").write_text(brief.request, encoding="utf-8")
    told = {
        "task": brief.task, "setting": brief.setting, "stages": list(brief.stages), "repeat": brief.repeat,
        "questions_left": desk.questions_left, "rounds_left": desk.rounds_left,
    }  # fmt: skip
    (folder / "task.json").write_text(json.dumps(told, indent=2), encoding="utf-8")


def _answered(line: str, desk: Desk) -> dict[str, Any] | None:
    """Return what answers a line, None where it asks nothing. A request of another form is told so: it waits for it."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or not ("ask" in said or said.get("op") in _SERVICE):
        return None
    questions = said.get("ask")
    if not isinstance(questions, list) or not all(isinstance(question, str) for question in questions):
        return {"error": _ASK}
    answers = desk.ask(list(map(whole_characters, questions)))
    return {
        "answers": [
            {"question": one.question, "classification": one.classification, "answer": one.text} for one in answers
        ],
        "questions_left": desk.questions_left,
        "rounds_left": desk.rounds_left,
    }


def _take(solution: Path, brief: Brief, desk: Desk) -> None:
    """Hand over what an agent left: tables as they are, else code or a workflow, which is run."""
    if "code" in brief.stages and not _took_tables(solution / "cand", "code", desk):
        for language, suffix in _SUFFIX.items():
            if text := _read(solution / f"solution.{suffix}", "code", desk):
                desk.run_code(text, language)
                break
    if (
        "translate" in brief.stages
        and not _took_tables(solution / "flow_cand", "workflow", desk)
        and (text := _read(solution / "workflow.json", "translate", desk))
    ):
        desk.run_flow(text)


def _took_tables(folder: Path, judged: str, desk: Desk) -> bool:
    tables = [*folder.glob("output_*.csv")] if _is_own(folder) else []
    stage: Stage = "translate" if judged == "workflow" else "code"
    if tables and all(_fits(path, _LONGEST_TABLE, stage, desk) for path in tables):
        desk.leave(judged, folder)
    return bool(tables)


def _read(path: Path, stage: Stage, desk: Desk) -> str:
    if not _is_own(path) or not path.is_file() or not _fits(path, _LONGEST_TEXT, stage, desk):
        return ""
    return path.read_text(encoding="utf-8", errors="replace")


def _is_own(path: Path) -> bool:
    """Return whether no part of a path is a link: where one leads, the agent itself may not see."""
    return path.resolve() == path


def _fits(path: Path, most: int, stage: Stage, desk: Desk) -> bool:
    if path.stat(follow_symlinks=False).st_size <= most:
        return True
    desk.fail(stage, "", "file too large", f"the agent left {path.name}, which has more than {most // 1024**2} MB")
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
