"""Quoridor: reach the other side first, or wall the other in."""
