"""The rules of Minesweeper: geometry, mine placement, revealing, notation and lanes."""
