"""Dots and Boxes: close more boxes than the other player."""
