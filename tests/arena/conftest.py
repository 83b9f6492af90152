"""What of this folder is no test."""

collect_ignore = ["mortals.py"]
"""Another package, which only imports where its own dependency is installed."""
