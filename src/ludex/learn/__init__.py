"""What is common to learning, for any game: configurations, run folders, checkpoints and masked PPO."""
