"""Reports: records of runs and the release's outcomes, read into the same tables, and what their figures say."""
