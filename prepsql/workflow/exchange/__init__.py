"""Other formats of flows in, workflows out."""

from prepsql.workflow.exchange.flow import import_flow
from prepsql.workflow.exchange.imported import Entry, Imported

__all__ = ["Entry", "Imported", "import_flow"]
