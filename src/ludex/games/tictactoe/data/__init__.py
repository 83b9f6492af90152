"""Data files of Tic-tac-toe."""
