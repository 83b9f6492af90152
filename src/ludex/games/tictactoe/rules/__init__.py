"""The rules of tic-tac-toe: board, position, symmetry, kernels and batches."""
