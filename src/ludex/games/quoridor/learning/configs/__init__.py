"""Configurations of `ludex train quoridor`."""
