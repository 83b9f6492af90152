"""What is common to learning, for any game: configurations and run folders."""
