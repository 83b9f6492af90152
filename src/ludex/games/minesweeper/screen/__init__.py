"""Minesweeper on screen: the terminal and the browser."""
