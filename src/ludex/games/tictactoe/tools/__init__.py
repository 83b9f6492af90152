"""Tic-tac-toe's own commands, benchmarks and file formats."""
