"""Minesweeper: environments for learning, rules, exact inference and an expert that guesses well."""
