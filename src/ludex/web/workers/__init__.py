"""Thinking in processes of its own, so that the server answers while machines search."""
