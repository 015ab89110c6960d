"""The models of a run, put together from settings: journal over cache over caps over the endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from prepsql.errors import ConfigError
from prepsql.llm.bounded import Bounded
from prepsql.llm.budget import Budget, Caps
from prepsql.llm.cached import Cached
from prepsql.llm.capped import Capped
from prepsql.llm.clock import RealClock
from prepsql.llm.endpoint import Endpoint
from prepsql.llm.gate import Gate
from prepsql.llm.journal import Journal, JournalFile, open_journal
from prepsql.llm.model import Model
from prepsql.llm.patience import Patience
from prepsql.llm.prices import Price, known_prices
from prepsql.llm.scripted import Scripted
from prepsql.llm.settings import ModelSettings

SCRIPT = "script:"
_FREE = Price(prompt=0, completion=0)


def called(model: str) -> str:
    """Return what a model is called where it is shown: a scripted one by its file, without the folder.

    >>> called("script:runs/replies.yaml"), called("org/small")
    ('script:replies.yaml', 'org/small')
    """
    return f"{SCRIPT}{Path(model.removeprefix(SCRIPT)).name}" if model.startswith(SCRIPT) else model


@dataclass(frozen=True)
class Models:
    """The models of one run. `simulator` is None where no model simulates."""

    agent: Model
    simulator: Model | None
    budget: Budget
    clock: RealClock
    endpoints: tuple[Endpoint, ...]

    @property
    def left_out(self) -> dict[str, tuple[str, ...]]:
        """Model → parameters that its endpoint has refused so far, so that calls were made without; none if none."""
        return {endpoint.name: endpoint.left_out for endpoint in self.endpoints if endpoint.left_out}

    def stop(self) -> None:
        """Let calls that wait to be tried again fail at once, as when a run is interrupted."""
        self.clock.stop()


@contextmanager
def open_models(settings: ModelSettings, journal: Path | None = None) -> Iterator[Models]:
    """Open the models of a run and close them in any case; `journal` is the file that keeps the run's calls.

    What the journal holds counts as spent. Raises ConfigError where base URL or model aren't set, ModelError where a
    cap on money is set and a price isn't known, and what `open_journal`, prices and scripts raise.
    """
    with ExitStack() as stack:
        kept = stack.enter_context(open_journal(journal)) if journal else None
        budget = Budget(
            task=Caps(settings.task_usd, settings.task_tokens, settings.task_calls),
            run=Caps(settings.run_usd, settings.run_tokens, settings.run_calls),
        )
        opening = _Opening(settings, budget, kept, RealClock(), {}, [], {}, stack)
        agent = opening.model(settings.model, settings.base_url, settings.api_key, "")
        simulator = None
        if settings.simulator_model:
            url, key = _simulator_address(settings)
            simulator = opening.model(settings.simulator_model, url, key, "SIMULATOR_")
        for occasion, spent in kept.spent(opening.prices) if kept else ():
            budget.note(occasion, spent)
        yield Models(agent, simulator, budget, opening.clock, tuple(opening.endpoints))


def _simulator_address(settings: ModelSettings) -> tuple[str | None, str | None]:
    """Return the simulator's address and key; the agent's key is sent to no other address than the agent's."""
    url = settings.simulator_address
    if settings.simulator_api_key or url != settings.base_url:
        return url, settings.simulator_api_key
    return url, settings.api_key


@dataclass(frozen=True)
class _Opening:
    settings: ModelSettings
    budget: Budget
    journal: JournalFile | None
    clock: RealClock
    gates: dict[str, Gate]
    endpoints: list[Endpoint]
    prices: dict[str, Price | None]
    stack: ExitStack

    def model(self, name: str | None, base_url: str | None, key: str | None, role: str) -> Model:
        """Put a model together; `role` is what its variables have behind PREPSQL_."""
        if not name:
            raise ConfigError(
                f"no model is chosen: name one with --{role.lower().replace('_', '-')}model or PREPSQL_{role}MODEL "
                f"(in the environment or in .env), or a scripted one as {SCRIPT}FILE"
            )
        prices = known_prices(self.settings.prices)
        if name.startswith(SCRIPT):
            patience = Patience(tries=self.settings.tries, first=0.0)
            path = Path(name.removeprefix(SCRIPT)).expanduser()
            scripted = Scripted(path, prices=prices, patience=patience, clock=self.clock)
            return self._kept(self._capped(scripted, scripted.price or _FREE, role))
        if not base_url:
            raise ConfigError(
                f"model {name}: no endpoint is set: name one with --base-url or PREPSQL_BASE_URL "
                "(in the environment or in .env), like https://api.openai.com/v1 or http://localhost:8080/v1"
            )
        endpoint = Endpoint(
            base_url, name, api_key=key, stream=self.settings.stream, seconds=self.settings.seconds,
            price=prices.get(name), patience=Patience(tries=self.settings.tries), clock=self.clock,
            gate=self.gates.setdefault(base_url, Gate(self.settings.calls_at_once, self.clock)),
            run=self.journal.run if self.journal else "",
        )  # fmt: skip
        self.stack.callback(endpoint.close)
        self.endpoints.append(endpoint)
        capped = self._capped(endpoint, endpoint.price, role)
        return self._kept(Cached(capped, self.settings.cache, base_url) if self.settings.cache else capped)

    def _capped(self, model: Model, price: Price | None, role: str) -> Capped:
        self.prices["simulator" if role else "agent"] = price
        return Capped(model, self.budget, price)

    def _kept(self, model: Model) -> Model:
        kept = Journal(model, self.journal) if self.journal else model
        return Bounded(kept, self.settings.max_tokens) if self.settings.max_tokens else kept
