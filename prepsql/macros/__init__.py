"""The library of SQL functions that clean, parse and normalise; the files stand in the top-level `macros/`."""

from prepsql.macros.library import Macro, create_sql, install, library, named_in

__all__ = ["Macro", "create_sql", "install", "library", "named_in"]
