"""Review of matches: over decisions of agents, blind to games."""
