"""What of this folder is no test."""

collect_ignore = ["crashing_agents.py"]
"""Another package, which only imports where its own dependency is installed."""
