"""Intervals and p as computed by other means."""

import itertools
import statistics
from fractions import Fraction
from math import comb, sqrt

import pytest

from prepsql.evaluate.statistics import DRAWS, interval, mcnemar


@pytest.mark.parametrize(
    ("only_first", "only_second", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),  # 2 × 1/2
        (5, 0, 0.0625),  # 2 × 1/32
        (6, 1, 0.125),  # 2 × (1 + 7) / 128
        (1, 6, 0.125),
        (10, 2, 0.03857421875),  # 2 × (1 + 12 + 66) / 4096
        (8, 8, 1.0),
    ],
)
def test_mcnemar_is_as_by_hand(only_first, only_second, p):
    assert mcnemar(only_first, only_second) == p


@pytest.mark.parametrize("apart", [3, 8, 13])
def test_mcnemar_counts_the_splits_that_are_as_uneven(apart):
    every = list(itertools.product((0, 1), repeat=apart))
    for first in range(apart + 1):
        uneven = sum(abs(2 * sum(split) - apart) >= abs(2 * first - apart) for split in every)
        assert mcnemar(first, apart - first) == uneven / 2**apart


def exact_ends(passed, tasks):
    """The 2.5th and 97.5th percentile of the binomial distribution that the bootstrap of a share draws from."""
    share = Fraction(passed, tasks)
    total, ends = Fraction(0), []
    for k in range(tasks + 1):
        total += comb(tasks, k) * share**k * (1 - share) ** (tasks - k)
        ends += (
            [k / tasks]
            if total >= (Fraction(25, 1000), Fraction(975, 1000))[min(len(ends), 1)] and len(ends) < 2
            else []
        )
    return ends


@pytest.mark.parametrize(("passed", "tasks"), [(9, 12), (15, 30), (261, 306), (51, 306)])
def test_the_interval_of_a_share_has_the_binomials_ends(passed, tasks):
    low, high = interval([(1, 1)] * passed + [(0, 1)] * (tasks - passed))
    for found, wanted in zip((low, high), exact_ends(passed, tasks), strict=True):
        assert found == pytest.approx(wanted, abs=1.01 / tasks)


def test_the_interval_of_a_mean_is_near_the_normal_one():
    values = [((7 * at) % 101) / 10 for at in range(400)]
    low, high = interval([(value, 1) for value in values])
    mean, error = statistics.mean(values), statistics.pstdev(values) / sqrt(len(values))
    assert low == pytest.approx(mean - 1.96 * error, abs=error / 6)
    assert high == pytest.approx(mean + 1.96 * error, abs=error / 6)


def test_the_interval_of_a_ratio_of_sums_draws_both_sums_together():
    # the ratio is the same in every task, so no draw can give another
    assert interval([(2, 4), (50, 100), (1, 2)]) == (0.5, 0.5)
    # one task asks ten times as much: its own ratio weighs ten times
    low, high = interval([(1, 1)] * 20 + [(0, 10)] * 20)
    assert low < 20 / 220 < high < 0.25


def test_it_is_the_same_each_time_and_none_where_there_is_nothing_to_draw():
    sample = [(at % 3 == 0, 1) for at in range(50)]
    assert interval(sample) == interval(list(sample))
    assert interval([(1, 1)]) is None
    assert interval([]) is None
    assert interval([(0, 0), (0, 0)]) is None
    assert DRAWS == 2000
