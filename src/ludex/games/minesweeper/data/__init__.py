"""Data files of Minesweeper."""
