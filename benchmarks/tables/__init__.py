"""The tables that show what was measured, a module for each game."""
