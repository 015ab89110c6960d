"""What a run of a workflow may use, and the connection that keeps to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import duckdb

from prepsql.errors import PrepsqlError
from prepsql.sandbox import Limits, Server


@dataclass(frozen=True)
class Settings:
    """What a run may use: DuckDB's memory before it spills to disk, and its threads; by default DuckDB's own choice.

    `limits` bound the whole run, and each script in it. `hidden` paths stay unreadable: scripts can't open them, and
    input steps then read from the folder of the inputs alone. Setting `stop` ends the run. Scripts run in jobs of the
    `server` where there is one.
    """

    memory_limit: str | None = None
    threads: int | None = None
    accept_risk: bool = False
    limits: Limits | None = None
    hidden: Sequence[Path] = ()
    stop: Event | None = None
    server: Server | None = None

    @property
    def seconds(self) -> float | None:
        """How long the run may take, None without a limit."""
        return self.limits.seconds if self.limits else None


def connect(settings: Settings, scratch: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection that keeps to the settings and spills into `scratch`."""
    config: dict[str, Any] = {
        "temp_directory": str(scratch),
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "python_enable_replacements": False,
    }
    limits = settings.limits
    memory_limit = settings.memory_limit or (f"{limits.memory_mb}MB" if limits else None)
    threads = settings.threads or (limits.threads if limits else None)
    if memory_limit:
        config["memory_limit"] = memory_limit
    if limits:
        config["max_temp_directory_size"] = f"{limits.output_mb}MB"
    if threads:
        config["threads"] = threads
    try:
        return duckdb.connect(config=config)
    except duckdb.Error as bad:
        raise PrepsqlError(f"DuckDB doesn't take these settings: {' '.join(str(bad).split())}") from bad
