"""Tic-tac-toe's agents and the exact solver."""
