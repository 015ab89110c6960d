"""Which line of a file a row starts on, kept only where lines jump."""

from __future__ import annotations

from array import array
from bisect import bisect_right


class LineMap:
    """Row number (from 0) to line number (from 1), exact and compact: one entry a jump."""

    def __init__(self) -> None:
        self._rows = array("q")
        self._lines = array("q")

    def add(self, row: int, line: int) -> None:
        """Say that `row` starts on `line`; rows come in order."""
        if not self._rows or self._lines[-1] + row - self._rows[-1] != line:
            self._rows.append(row)
            self._lines.append(line)

    def line(self, row: int) -> int:
        """Return the line on which `row` starts."""
        at = bisect_right(self._rows, row) - 1
        return self._lines[at] + row - self._rows[at]


class Tally:
    """How often something happened and on which lines first."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self.count = 0
        self.lines: list[int] = []

    def add(self, line: int) -> None:
        """Count one more."""
        self.count += 1
        if len(self.lines) < self._kept:
            self.lines.append(line)
