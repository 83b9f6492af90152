"""Skirmish's own commands, benchmarks and file formats."""
