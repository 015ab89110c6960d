"""How sure a figure is: bootstrap over tasks, and McNemar's test for two runs over the same tasks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

DRAWS = 2000
LEVEL = 0.95
SEED = 20260


def interval(sample: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Return the bootstrap's 95 % interval of a ratio of two sums, of which `sample` has the parts task by task.

    Tasks are drawn with replacement, as many as there are, 2,000 times from a fixed seed; the interval is from the
    2.5th to the 97.5th percentile of the ratios. A mean is the ratio whose second parts are 1. Draws whose second sum
    is 0 are left out. None where there are fewer than two tasks, or no draw has a ratio.

    >>> interval([(1, 1), (1, 1), (1, 1)])
    (1.0, 1.0)
    """
    if len(sample) < 2:
        return None
    above, below = (_weights(len(sample)) @ np.asarray(sample, dtype=float)).T
    ratios = above[below > 0] / below[below > 0]
    if not ratios.size:
        return None
    low, high = np.percentile(ratios, [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
    return float(low), float(high)


@lru_cache(maxsize=12)
def _weights(tasks: int) -> NDArray[np.float64]:
    """Return how often each task is drawn, one row a draw."""
    drawn = np.random.default_rng(SEED).multinomial(tasks, np.full(tasks, 1 / tasks), size=DRAWS)
    return drawn.astype(float)


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p of McNemar's test.

    That is how likely so uneven a split of the tasks that just one of two runs passes is, if either were as likely
    to be the one: twice the binomial tail at one half, at most 1.

    >>> mcnemar(5, 0), mcnemar(0, 0)
    (0.0625, 1.0)
    """
    apart = only_first + only_second
    tail = sum(comb(apart, k) for k in range(min(only_first, only_second) + 1))
    return min(1.0, float(2 * tail / 2**apart))
