"""Breakthrough: be the first to reach the other side."""
