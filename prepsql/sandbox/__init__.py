"""Room: sandbox."""
