"""Scenarios: their files, boards and forces."""
