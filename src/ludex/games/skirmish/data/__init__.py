"""Data files of Skirmish: scenarios and the leaderboard."""
