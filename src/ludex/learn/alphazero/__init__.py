"""Learning a game of perfect information from its rules alone: self-play by tree search with a network."""
