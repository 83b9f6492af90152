"""Quoridor's agents: the seed's levels, the engine `master`, a walker and an exact solver."""
