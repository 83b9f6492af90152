"""Exact inference: what the numbers say about every hidden cell, and the best play that follows."""
