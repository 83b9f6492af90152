"""Othello: enclose the other player's discs and turn them; most discs win."""
