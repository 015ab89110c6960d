"""SQL and pandas become workflows."""
