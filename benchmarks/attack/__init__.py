"""Attacks on a server of your own: `python -m benchmarks.attack`."""
