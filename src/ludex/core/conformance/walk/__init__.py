"""Visiting the positions of random matches."""
