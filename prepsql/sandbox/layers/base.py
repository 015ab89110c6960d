"""What a layer is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Layer:
    """One wall around code that isn't ours.

    `missing` says why the layer can't be had here, or None where it can. Only a `real` layer keeps files that the
    user may read from code that runs as this user.
    """

    name: str
    stops: str
    real: bool
    missing: Callable[[], str | None]
