"""Room: evaluate."""
