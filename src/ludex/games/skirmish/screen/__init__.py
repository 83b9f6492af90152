"""Skirmish on screen: the terminal and the browser."""
