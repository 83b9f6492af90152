"""Searches in processes of their own, so that the server answers meanwhile."""
