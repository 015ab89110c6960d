"""What each job in SQL asks for, asked once: a server that has imported this forks jobs that have it."""

from prepsql.macros import library
from prepsql.sandbox.child.script import denied

library()
denied()
