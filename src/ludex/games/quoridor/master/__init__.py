"""The engine above the levels: a chess engine's search for Quoridor."""
