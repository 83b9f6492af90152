"""Adapters that offer games to other libraries as environments."""
