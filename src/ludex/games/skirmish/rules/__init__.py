"""The rules of Skirmish: the engine as kernels, hexes, scenarios and positions."""
