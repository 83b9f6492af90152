"""The players. They act on what actions mean, never on their numbers."""
