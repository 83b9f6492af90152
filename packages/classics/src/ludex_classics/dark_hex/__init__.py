"""Dark Hex: Hex without seeing the other player's stones."""
