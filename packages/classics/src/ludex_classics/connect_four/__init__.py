"""Connect Four: the game of the tutorial, `examples/connect_four`, on the shelf."""
