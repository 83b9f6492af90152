"""The checks of an agent."""
