"""Scenarios as files: strict schemas, and what is built from them."""
