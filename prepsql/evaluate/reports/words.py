"""How figures are put into words: shares in percent, differences in points, intervals, p."""

from __future__ import annotations

UNJUDGED = "–"
"""What stands for a share of none: tries were made, and none of them could be judged."""


def percent(share: float, digits: int = 1) -> str:
    """Return a share of 1 in percent, without the sign.

    >>> percent(0.549)
    '54.9'
    """
    return f"{100 * share:.{digits}f}"


def share(value: float) -> str:
    """Return a share of 1 in percent."""
    return f"{percent(value)} %"


def points(difference: float, digits: int = 1) -> str:
    """Return a difference of two shares in points, with its sign.

    >>> points(-0.0294)
    '−2.9'
    """
    told = f"{abs(100 * difference):.{digits}f}"
    return told if not float(told) else f"{'+' if difference > 0 else '−'}{told}"


def span(low: float, high: float, *, signed: bool = False, digits: int = 1) -> str:
    """Return an interval of shares in brackets, in percent or, `signed`, in points.

    >>> span(0.493, 0.605, digits=0), span(-0.01, 0.02, signed=True)
    ('[49–61]', '[−1.0 to +2.0]')
    """
    if signed:
        return f"[{points(low, digits)} to {points(high, digits)}]"
    return f"[{percent(low, digits)}–{percent(high, digits)}]"


def chance(p: float) -> str:
    """Return p with three digits.

    >>> chance(0.0004), chance(0.0312)
    ('<0.001', '0.031')
    """
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def cost(row: dict[str, object] | None) -> str:
    """Return the millidollars of a row of the figure `cost`: `?` where unknown, `–` where the run has no calls."""
    if row is None or (row["millidollars"] is None and not row["calls_of_unknown_cost"]):
        return "–"
    return "?" if row["millidollars"] is None else f"{row['millidollars']:.2f}"


def millidollars(usd: float | None) -> str:
    """Return US dollars in 1e-3 USD, `?` where they aren't known.

    >>> millidollars(0.0042), millidollars(None)
    ('4.20', '?')
    """
    return "?" if usd is None else f"{1000 * usd:.2f}"


def tries_of(count: int) -> str:
    """Return `1 try` or `3 tries`."""
    return f"{count:,} {'try' if count == 1 else 'tries'}"
