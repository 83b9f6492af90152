"""Tic-tac-toe on many boards at once, and over packed positions."""
