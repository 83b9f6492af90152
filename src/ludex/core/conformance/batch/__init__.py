"""The checks of a batch environment."""
