"""The rules of tic-tac-toe: board, position, symmetry and state keys."""
