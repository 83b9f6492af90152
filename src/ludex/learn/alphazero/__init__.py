"""Learning a two-player game of perfect information from its rules alone: self-play by tree search with a network."""
