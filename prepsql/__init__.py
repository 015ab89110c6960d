"""Prepare tables in plain words, checked and compiled to SQL; and measure the agents that do it."""
