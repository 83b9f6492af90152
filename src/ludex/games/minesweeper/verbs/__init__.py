"""What only Minesweeper can do on the command line, one file a verb."""
