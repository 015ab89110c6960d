"""The layers around code that isn't ours, outermost last; each works alone, and all there are are worn together."""

from prepsql.sandbox.layers import bubblewrap, environment, landlock, rlimits, seccomp
from prepsql.sandbox.layers.base import Layer

LAYERS = (environment.LAYER, rlimits.LAYER, landlock.LAYER, seccomp.LAYER, bubblewrap.LAYER)

__all__ = ["LAYERS", "Layer"]
