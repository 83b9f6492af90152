"""Skirmish: a hex wargame with a strict deployment phase."""
