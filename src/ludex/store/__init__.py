"""Matches and rankings in a database."""
