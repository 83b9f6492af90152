"""How the expert guesses: the exact end of the game, and one guess ahead before it."""
