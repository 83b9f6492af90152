"""Quoridor's agents: the original document's levels, the engine `master`, a walker and an exact solver."""
