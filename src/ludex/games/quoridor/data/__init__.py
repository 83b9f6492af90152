"""Data files of Quoridor."""
