"""What is irregular in whole tables, where, and how often; as SQL over every row."""

from prepsql.profile.finding import Example, Finding
from prepsql.profile.kinds import KINDS, PATTERNS
from prepsql.profile.result import Column, Dependency, Failure, Join, Key, Profile, TableProfile
from prepsql.profile.run import profile
from prepsql.profile.show import profile_sql

__all__ = [
    "KINDS",
    "PATTERNS",
    "Column",
    "Dependency",
    "Example",
    "Failure",
    "Finding",
    "Join",
    "Key",
    "Profile",
    "TableProfile",
    "profile",
    "profile_sql",
]
