"""Workflows: named steps that people can read and DuckDB can run."""
