"""Review of matches and puzzles: over decisions of agents, blind to games."""
