"""Puzzles that machines make and prove, and how people are rated by them."""
