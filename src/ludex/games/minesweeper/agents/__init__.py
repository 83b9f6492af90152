"""The players, from chance to the expert."""
