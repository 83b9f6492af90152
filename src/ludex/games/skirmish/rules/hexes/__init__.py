"""Hexes: coordinates, grids, lines and line of sight."""
