"""What was measured and proven of the game."""
