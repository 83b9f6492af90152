"""The original document's milestones M1 to M4 of Minesweeper, trained and judged."""
