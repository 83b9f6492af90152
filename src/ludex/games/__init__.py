"""One folder a game: rules, kernels, agents, presets, README. No game imports another."""
