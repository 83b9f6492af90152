"""Tic-tac-toe on any (m,n,k) board: a tabular Q ranking with symmetry, and an exact solver beside it."""
