"""Who is measured, and the users that it talks to: opened once a run, in the record's folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from prepsql.agents.brief import Agent, Written
from prepsql.agents.external import ExternalAgent
from prepsql.agents.model_agent import ModelAgent
from prepsql.agents.simulators.contract import Secrets, Simulator
from prepsql.agents.simulators.llm import ModelUser
from prepsql.agents.simulators.offline import Offline
from prepsql.agents.to_workflow import Way
from prepsql.errors import ConfigError
from prepsql.evaluate.calls import JOURNAL, CallLog, Logged
from prepsql.llm.model import Model
from prepsql.llm.opening import SCRIPT, called, open_models
from prepsql.llm.settings import ModelSettings, plain_address

Users = Literal["offline", "llm"]
_NO_USER = (
    "no model is chosen to play the user: name one with --simulator-model or PREPSQL_SIMULATOR_MODEL, "
    "or take --simulator offline"
)


@dataclass(frozen=True)
class Seated:
    """A contender at work: `simulated` makes the user of one conversation, `stop` lets waiting calls fail at once.

    `left_out` tells of each model which parameters its endpoint has refused so far, so that calls were made without.
    """

    agent: Agent
    simulated: Callable[[Secrets, str, str, int], Simulator]
    log: CallLog = field(default_factory=CallLog)
    stop: Callable[[], None] = lambda: None
    left_out: Callable[[], Mapping[str, Sequence[str]]] = dict


@dataclass(frozen=True)
class Contender:
    """An agent by name; `settings` is what a resumed run must share; `seat` opens it, given the record's folder."""

    name: str
    settings: Mapping[str, Any]
    seat: Callable[[Path], AbstractContextManager[Seated]]


def by_model(models: ModelSettings, written: Written, translated: Way, users: Users, temperature: float) -> Contender:
    """Return the agent that a model drives."""

    @contextmanager
    def seat(folder: Path) -> Iterator[Seated]:
        with open_models(models, folder / JOURNAL) as opened:
            log = CallLog()
            agent = ModelAgent(Logged(opened.agent, log), written, translated, temperature)
            yield Seated(agent, _users(users, opened.simulator, log), log, opened.stop, lambda: opened.left_out)

    told = {
        "model": models.model, "language": written, "translator": translated, "temperature": temperature,
        **({"max_tokens": models.max_tokens} if models.max_tokens else {}),
        **_place("base_url", models.model, models.base_url), **_told(users, models),
    }  # fmt: skip
    return Contender(called(models.model or ""), told, seat)


def by_command(agent: ExternalAgent, models: ModelSettings, users: Users) -> Contender:
    """Return a program as an agent."""

    @contextmanager
    def seat(folder: Path) -> Iterator[Seated]:
        log = CallLog()
        records = (path.parent for path in folder.resolve().parent.glob("*/record.duckdb"))
        kept = (models.cache,) if models.cache else ()  # what the simulated user's model was told is in both
        hidden = replace(agent, hidden=(*agent.hidden, folder, *records, *kept))
        if users == "offline":
            yield Seated(hidden, _users(users, None, log), log, hidden.stop)
            return
        if not models.simulator_model:
            raise ConfigError(_NO_USER)
        # the program may use no model of ours: then the simulator's is the only one
        only = replace(models, model=models.model or models.simulator_model)
        with open_models(only, folder / JOURNAL) as opened:

            def stop() -> None:
                hidden.stop()
                opened.stop()

            yield Seated(hidden, _users(users, opened.simulator, log), log, stop, lambda: opened.left_out)

    told = {"command": agent.name, "agent_timeout": agent.seconds, **_told(users, models)}
    return Contender(agent.name, told, seat)


def _told(users: Users, models: ModelSettings) -> dict[str, Any]:
    if users == "offline":
        return {"simulator": users}
    place = _place("simulator_base_url", models.simulator_model, models.simulator_address)
    return {"simulator": f"llm {models.simulator_model}", **place}


def _place(name: str, model: str | None, url: str | None) -> dict[str, str]:
    """Return where a model is; a scripted one is nowhere."""
    return {} if not url or (model or "").startswith(SCRIPT) else {name: plain_address(url)}


def _users(users: Users, model: Model | None, log: CallLog) -> Callable[[Secrets, str, str, int], Simulator]:
    if users == "llm" and model is None:
        raise ConfigError(_NO_USER)

    def made(secrets: Secrets, task: str, setting: str, repeat: int) -> Simulator:
        if model is None or users == "offline":
            return Offline(secrets)
        return ModelUser(secrets, Logged(model, log), setting=setting, task=task, repeat=repeat)

    return made
