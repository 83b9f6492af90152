"""A learned score of Minesweeper's guesses, beside the formula that ships."""
