"""Go: surround more of the board than the other player."""
