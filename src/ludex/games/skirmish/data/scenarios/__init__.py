"""The scenarios that ship: a folder each, and the config they share."""
