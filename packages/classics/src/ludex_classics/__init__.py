"""Classic games for Ludex."""

SHELF = {"en": "Classics", "fr": "Classiques"}
"""The title of their row on the home page."""
