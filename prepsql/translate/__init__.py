"""Code becomes a workflow."""
