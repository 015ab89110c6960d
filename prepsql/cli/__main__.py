"""Lets `python -m prepsql.cli` be the command line."""

from prepsql.cli.main import main

main()
