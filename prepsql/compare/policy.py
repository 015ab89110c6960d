"""A policy: how the facts of a comparison are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from prepsql.errors import InputError


@dataclass(frozen=True)
class Policy:
    """How rows find each other and when two numbers agree.

    `alignment`: rows pair where their normalised keys are equal; `nearest` then pairs keys left over on both
    sides by the nearest number; `sequential` instead lets each gold row, in file order, take the one candidate
    row within the tolerance, as the published evaluator does. `relative` bounds the error over the larger
    magnitude, `absolute` the difference where one number is 0, both from above and exclusive.
    `own_tolerance`: a column's `tolerance` in the config takes the place of `relative`.
    `evaluator_faults`: an infinite number differs from itself, an unknown truth word ends the run.
    """

    name: str
    alignment: Literal["equal", "nearest", "sequential"]
    relative: float
    absolute: float
    own_tolerance: bool = False
    evaluator_faults: bool = False


POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("paper", "nearest", relative=0.02, absolute=0.02),
        Policy("strict", "equal", relative=1e-6, absolute=1e-9, own_tolerance=True),
        Policy("published", "sequential", relative=0.02, absolute=0.02, evaluator_faults=True),
    )
}


# what every policy forgives without a word
ROUNDING = POLICIES["strict"]


def find_policy(name: str) -> Policy:
    """Return the policy of this name; raises InputError that lists them."""
    if name not in POLICIES:
        raise InputError(f"no policy {name!r} (has: {', '.join(POLICIES)})")
    return POLICIES[name]
