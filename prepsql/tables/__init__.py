"""Raw file -> DuckDB table of text with nothing lost: DuckDB strictly, or Python carefully. And table -> file."""

from prepsql.tables.count import Survey, survey
from prepsql.tables.encoding import Encoding, sniff_encoding
from prepsql.tables.load import create_text_table, load_plain, load_records
from prepsql.tables.parse import numbered_records, records

__all__ = [
    "Encoding",
    "Survey",
    "create_text_table",
    "load_plain",
    "load_records",
    "numbered_records",
    "records",
    "sniff_encoding",
    "survey",
]
