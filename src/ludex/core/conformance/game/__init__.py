"""The checks of a game."""
