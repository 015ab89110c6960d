"""What a rule raises where the operators can't say a part of a query."""

from __future__ import annotations


class Unsayable(Exception):
    """No operator says this part of a query; the message says which part, for the reader of the script step."""
