"""Boards as people and other programs write them."""
