"""Simulated users who answer an agent's questions: offline by retrieval, or by a model; both behind a guard."""
