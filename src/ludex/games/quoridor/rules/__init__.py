"""The rules of Quoridor: positions, move generation, paths and notation."""
