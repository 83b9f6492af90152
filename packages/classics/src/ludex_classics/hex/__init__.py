"""Hex: connect your two sides of the board."""
