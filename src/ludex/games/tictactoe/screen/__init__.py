"""Tic-tac-toe on screen: the terminal and the browser."""
