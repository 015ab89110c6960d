"""pandas expression text → SQL, with pandas' meaning kept or refused."""

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text.translate import Translated, translate_expression

__all__ = ["NotTranslatable", "Translated", "translate_expression"]
