"""Exact values of every position of a small board, by retrograde analysis."""
