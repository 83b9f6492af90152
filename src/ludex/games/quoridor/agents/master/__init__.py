"""The engine: principal variation search with a learned evaluation."""
