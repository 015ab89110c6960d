"""On what terms code and workflow run while a translation is proven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from prepsql.sandbox import DEFAULT_LIMITS, Limits, Server


@dataclass(frozen=True)
class Terms:
    """Limits of each run, and whether it may go on without a real layer; `hidden` paths stay unreadable.

    A `server` has what the code's runs need imported. Without `edges` no proof is made that decides nothing.
    Once `stop` is set all ends with an error.
    """

    limits: Limits = DEFAULT_LIMITS
    accept_risk: bool = False
    hidden: Sequence[Path] = ()
    server: Server | None = None
    edges: bool = True
    stop: Event | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The terms as the options of `run_code` and `Workflow.run`."""
        return {
            "limits": self.limits, "accept_risk": self.accept_risk, "hidden": self.hidden, "server": self.server,
            "stop": self.stop,
        }  # fmt: skip


DEFAULT_TERMS = Terms()
