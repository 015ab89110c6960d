"""Raw file -> DuckDB table of text with nothing lost: DuckDB strictly, or Python carefully. And table -> file."""

from prepsql.tables.count import Survey, survey
from prepsql.tables.encoding import Encoding, sniff_encoding
from prepsql.tables.ledger import KINDS, Entry, Ledger, plural
from prepsql.tables.load import load_plain, load_records
from prepsql.tables.parse import numbered_records, records
from prepsql.tables.reading import load_inputs, read
from prepsql.tables.safe_types import first_types, safe_types, typed_sql, types_sql
from prepsql.tables.table import Table
from prepsql.tables.write import write_csv

__all__ = [
    "KINDS",
    "Encoding",
    "Entry",
    "Ledger",
    "Survey",
    "Table",
    "first_types",
    "load_inputs",
    "load_plain",
    "load_records",
    "numbered_records",
    "plural",
    "read",
    "records",
    "safe_types",
    "sniff_encoding",
    "survey",
    "typed_sql",
    "types_sql",
    "write_csv",
]
