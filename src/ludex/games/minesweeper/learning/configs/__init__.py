"""Environments and their training as files, each over the base."""
