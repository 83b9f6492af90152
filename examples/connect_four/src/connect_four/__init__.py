"""Connect Four, a game of a package of its own."""
