"""SQL scripts become workflows."""

from prepsql.translate.sql.script import translate_sql

__all__ = ["translate_sql"]
