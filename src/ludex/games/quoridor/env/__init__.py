"""Quoridor over packed positions, for batches and batched searches."""
